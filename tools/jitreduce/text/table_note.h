/* Notes on what the first lines of a table may mean otherwise. */
#ifndef CLI_TABLE_NOTE_H
#define CLI_TABLE_NOTE_H

#include "table_head.h"

/* Notes that the line at `line` names a column i, which is not what i means in an expression. */
void cli_note_index(cli_text *text, const char *line);

/* Notes that commas delimit the fields of lines that have semicolons, or blanks between numbers: they may be decimal
 * points. */
void cli_note_separator(cli_text *text, const cli_lines_pair *lines);

/* Notes that a first line of names has a number in the first column that is wanted, or (words) what another form of
 * numbers reads. */
void cli_note_names(cli_text *text, bool words);

/* Writes "column 3: " or "column 'price': ", which begins a message. */
const char *cli_column_text(const cli_column_name *name, char text[CLI_HINT_BYTES]);

#endif
