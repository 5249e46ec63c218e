/* What was meant by a word that an option does not take. */
#ifndef CLI_SLIP_WORD_H
#define CLI_SLIP_WORD_H

#include "base/cli_error.h"

/* Fails for the value of an option that is not one of `words`, which are separated by blanks; names the word that was
 * meant, or how it is done here, where that is known. */
cli_exit cli_slip_word(const char *option, const char *typed, const char *words, cli_error *error);

#endif
