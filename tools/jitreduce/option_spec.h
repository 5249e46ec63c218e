/* The options that say what to reduce with: functions that take their arguments, for the table. */
#ifndef CLI_OPTION_SPEC_H
#define CLI_OPTION_SPEC_H

#include "options.h"

#define SEE_HELP                 "; see 'jitreduce --help'"
#define WORD(name, number, text) " " text

cli_exit cli_take_op(cli_options *options, const char *argument, cli_error *error);
cli_exit cli_take_type(cli_options *options, const char *argument, cli_error *error);
cli_exit cli_take_map_type(cli_options *options, const char *argument, cli_error *error);
cli_exit cli_take_accumulate(cli_options *options, const char *argument, cli_error *error);
cli_exit cli_take_result(cli_options *options, const char *argument, cli_error *error);
cli_exit cli_take_nan(cli_options *options, const char *argument, cli_error *error);
cli_exit cli_take_ddof(cli_options *options, const char *argument, cli_error *error);
cli_exit cli_take_max_launch_ms(cli_options *options, const char *argument, cli_error *error);
cli_exit cli_take_param(cli_options *options, const char *argument, cli_error *error);
cli_exit cli_take_struct(cli_options *options, const char *argument, cli_error *error);
cli_exit cli_take_struct_bytes(cli_options *options, const char *argument, cli_error *error);
cli_exit cli_take_struct_alignment(cli_options *options, const char *argument, cli_error *error);

#endif
