/* The options about the input: functions that take their arguments, for the table. */
#ifndef CLI_OPTION_INPUT_H
#define CLI_OPTION_INPUT_H

#include "options.h"

cli_exit cli_take_format(cli_options *options, const char *argument, cli_error *error);
cli_exit cli_take_raw(cli_options *options, const char *argument, cli_error *error);
cli_exit cli_take_random(cli_options *options, const char *argument, cli_error *error);
cli_exit cli_take_iota(cli_options *options, const char *argument, cli_error *error);
cli_exit cli_take_seed(cli_options *options, const char *argument, cli_error *error);
cli_exit cli_take_offset(cli_options *options, const char *argument, cli_error *error);
cli_exit cli_take_device_bytes(cli_options *options, const char *argument, cli_error *error);
cli_exit cli_take_limit(cli_options *options, const char *argument, cli_error *error);
cli_exit cli_take_segment_length(cli_options *options, const char *argument, cli_error *error);
cli_exit cli_take_column(cli_options *options, const char *argument, cli_error *error);

#endif
