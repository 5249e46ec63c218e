/* What options say together. */
#ifndef CLI_OPTION_CHECK_H
#define CLI_OPTION_CHECK_H

#include "cli_options.h"

/* Fails for options that do not go together, or not without another. */
cli_exit cli_options_check_together(const cli_options *options, cli_error *error);

#endif
