/* The columns of a table, from its first bytes. */
#ifndef CLI_TABLE_PEEK_H
#define CLI_TABLE_PEEK_H

#include "cli_text.h"

typedef struct cli_table_peek {
    uint64_t count; /* columns of the first line; 0: it has none */
    bool named;     /* it names them */
    char **names;   /* count of them; without names NULL */
    bool *words;    /* of each: the first line of values has a word that is no number, or nothing below no name */
    bool beyond;    /* the table has more than CLI_MANY_MAX columns, and count is that */
    bool more;      /* the first lines are longer than what was looked at */
} cli_table_peek;

/* Looks at the first lines. last: the text has no more bytes. The caller frees *peek, on failure, too. */
cli_exit cli_table_peek_at(const cli_table_form *form, const char *bytes, size_t size, bool last, cli_table_peek *peek,
                           cli_error *error);

/* Frees what it holds; a zeroed struct is fine. */
void cli_table_peek_free(cli_table_peek *peek);

#endif
