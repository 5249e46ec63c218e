/* Texts read block by block into columns. */
#ifndef CLI_TEXT_INPUT_H
#define CLI_TEXT_INPUT_H

#include "cli_text.h"
#include "io/progress.h"
#include "io/source.h"

/* What reading a text needs besides the text. */
typedef struct cli_text_reading {
    const cli_table_form *form;
    cli_column *columns;
    cli_key_column *keys;   /* of a keyed table, or of words */
    bool words;             /* every word is a key, and the columns stay empty */
    cli_progress *progress; /* NULL: none */
    cli_block_taken after;  /* called when a block has been taken; NULL: nothing is */
    void *user;
    cli_beyond *beyond; /* may be NULL */
    uint64_t most;      /* elements that the columns take at most: what follows is not looked at */
    bool wider;         /* it failed because a column with folded elements now has a wider type: start again */
} cli_text_reading;

/* Appends what a text holds to the columns, until they have reading->most elements. Memory: a block of it, and what a
 * line takes. */
cli_exit cli_text_read(cli_source *source, cli_text_reading *reading, cli_error *error);

/* Prints a note on standard error about numbers that are not what the text says, where there are some. */
void cli_beyond_tell(const cli_beyond *beyond);

#endif
