/* A column of keys: texts, each of which has a number from 0 on, in order of first appearance, and that number for each
 * line. */
#ifndef CLI_KEY_COLUMN_H
#define CLI_KEY_COLUMN_H

#include "io/data.h"
#include "key_text.h"

/* The number of a missing key. */
#define CLI_KEY_MISSING UINT64_MAX

typedef struct cli_key_column {
    uint64_t *rows; /* of each line, the number of its key, or CLI_KEY_MISSING */
    uint64_t row_count, row_room;
    char **pages; /* that hold the texts */
    uint64_t page_count;
    size_t page_used, page_room; /* bytes of the last page */
    cli_key_text *texts;         /* count of them */
    uint64_t count, room;
    bool lent;    /* all of it belongs to another column, which is freed later */
    char *joined; /* memory for a key of several parts, while it is appended */
    size_t joined_room;
    uint64_t *slots; /* number + 1 of the key, by its hash; 0: free. Twice `room` of them */
} cli_key_column;

/* Appends the key [begin, end) of one more line; doubled: its quotes stand twice. False: out of memory. The texts stay
 * where they are from then on. */
bool cli_key_column_append(cli_key_column *column, const char *begin, const char *end, bool doubled);

/* Appends a line whose key is missing. False: out of memory. */
bool cli_key_column_append_missing(cli_key_column *column);

/* Frees it; a zeroed struct is fine. */
void cli_key_column_free(cli_key_column *column);

#endif
