/* The command line becomes options. */
#ifndef CLI_OPTION_PARSE_H
#define CLI_OPTION_PARSE_H

#include "options/cli_options.h"

/* Parses the command line: options anywhere, the rest are files. Allowed ranges are checked here, and what options say
 * together. Writes *options on success only. */
cli_exit cli_options_parse(int argc, char **argv, cli_options *options, cli_error *error);

/* Settles what options mean together, of the command line or of one of many works: columns that expressions name, keys,
 * count. The caller frees options->named, on failure, too. */
cli_exit cli_options_settle(cli_options *options, cli_error *error);

#endif
