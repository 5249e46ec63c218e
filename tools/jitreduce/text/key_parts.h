/* Keys of several columns: each is one text of a column of keys, in which the length of each part precedes it. */
#ifndef CLI_KEY_PARTS_H
#define CLI_KEY_PARTS_H

#include "key_column.h"

/* One column's key of a line; doubled: its quotes stand twice. */
typedef struct cli_key_part {
    const char *begin, *end;
    bool doubled;
} cli_key_part;

/* Appends the key of one more line. False: out of memory. */
bool cli_key_parts_append(cli_key_column *column, const cli_key_part *parts, int count);

/* Part `index` of a text that cli_key_parts_append has made; its bytes are those of the text. */
cli_key_text cli_key_parts_find(const cli_key_text *text, int index);

#endif
