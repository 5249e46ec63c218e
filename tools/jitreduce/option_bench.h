/* The options that say how to measure: functions that take their arguments, for the table. */
#ifndef CLI_OPTION_BENCH_H
#define CLI_OPTION_BENCH_H

#include "options.h"

cli_exit cli_take_sizes(cli_options *options, const char *argument, cli_error *error);
cli_exit cli_take_rounds(cli_options *options, const char *argument, cli_error *error);
cli_exit cli_take_limit_s(cli_options *options, const char *argument, cli_error *error);
cli_exit cli_take_peer(cli_options *options, const char *argument, cli_error *error);

#endif
