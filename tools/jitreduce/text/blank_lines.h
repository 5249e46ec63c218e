/* Blank lines between those of a table of one column: each may stand for a missing value. At the end of a text they
 * mean nothing. */
#ifndef CLI_BLANK_LINES_H
#define CLI_BLANK_LINES_H

#include "cli_text.h"

/* Counts the line if it is blank, and not a comment. */
void cli_blank_count(cli_text *text, const char *at, const char *end);

/* Before another line is taken: appends the missing values for which blank lines stand by --na '', or records how
 * many of them are skipped. */
cli_exit cli_blank_take(cli_text *text, cli_error *error);

#endif
