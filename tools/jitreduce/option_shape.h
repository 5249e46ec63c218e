/* The options that say how elements lie: functions that take their arguments, for the table. */
#ifndef CLI_OPTION_SHAPE_H
#define CLI_OPTION_SHAPE_H

#include "options.h"

cli_exit cli_take_axis(cli_options *options, const char *argument, cli_error *error);
cli_exit cli_take_shape(cli_options *options, const char *argument, cli_error *error);

#endif
