/* What takes the arguments that are plain numbers and words, and reads those for others. */
#ifndef CLI_OPTION_PLAIN_H
#define CLI_OPTION_PLAIN_H

#include "cli_options.h"

/* Into the member that the row names. */
cli_take cli_take_text, cli_take_flag, cli_take_int_flag, cli_take_word, cli_take_count, cli_take_random, cli_take_iota,
    cli_take_segments, cli_take_int, cli_take_type, cli_take_number, cli_take_launch_ms, cli_take_limit;

/* Writes the index of a word among those of the row: an enum that counts from 0. */
cli_exit cli_find_word(const cli_option *option, const char *typed, unsigned *index, cli_error *error);

/* Finds the type that the argument of an option names. */
cli_exit cli_find_type(const char *option, const char *word, jr_type *type, cli_error *error);

/* Parses an option's argument as one number of a type. */
cli_exit cli_parse_number(const char *option, const char *text, jr_type type, void *number, cli_error *error);

#endif
