/* What an error of an expression means on the command line: which option brings an input, which letter a column has. */
#ifndef CLI_EXPRESSION_ADVICE_H
#define CLI_EXPRESSION_ADVICE_H

#include "options/cli_options.h"

/* Completes the message of a failed check of a request, which the library has made, by what the command line can do
 * about it. message: room for `bytes`; changed in place. */
void cli_expression_advise(const cli_options *options, char *message, size_t bytes);

#endif
