/* What was meant by an option of another program. */
#ifndef CLI_SLIP_OPTION_H
#define CLI_SLIP_OPTION_H

#include "cli_options.h"

/* Writes what an option, without its dashes, is called here: "--op max" of "max", "--delimiter" of "sep", "--column
 * (-k)" of the letter "c". False: that is not known. */
bool cli_slip_find_option(const char *name, char *meant, size_t room);

/* What does the work of an option that there is not, as a sentence; NULL: that is not known. */
const char *cli_slip_find_way(const char *name);

/* Fails for a word like --max or --sep, which getopt would take for the begin of another option. */
cli_exit cli_slip_check_words(int argc, char **argv, cli_error *error);

#endif
