/* Messages of the library in the words of the command line. */
#ifndef CLI_LIBRARY_WORDS_H
#define CLI_LIBRARY_WORDS_H

#include <stddef.h>

/* Replaces members of C's structs by the options that set them: "set spec.algorithm to 0" becomes "leave --algorithm
 * out". message: room for `bytes`; changed in place, and cut where it grows beyond them. */
void cli_name_options(char *message, size_t bytes);

#endif
