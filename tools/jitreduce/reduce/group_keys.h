/* The keys of one column, or of several: their order and their values. */
#ifndef CLI_GROUP_KEYS_H
#define CLI_GROUP_KEYS_H

#include "group_words.h"
#include "key_print.h"

/* Words of the lines' column join those of several columns; of one column they are its own. */
typedef struct cli_group_keys {
    const cli_group_lines *lines; /* borrowed */
    int count;                    /* of columns */
    uint64_t *codes;              /* of each word of the lines' column: equal for equal keys, ordered as they are */
    cli_group_words words[CLI_KEYS_MAX];
    uint64_t *parts[CLI_KEYS_MAX]; /* of each word of the lines' column, the number of its part; NULL: its own number */
} cli_group_keys;

/* Finds them. Each column has numbers or texts, as cli_group_words_make says; keys are ordered by the first column,
 * then the second. Writes *keys on success only; the caller frees it. */
cli_exit cli_group_keys_make(const cli_group_lines *lines, cli_group_keys *keys, cli_error *error);

/* Writes a column's keys of so many words of the lines' column. False: out of memory. The texts' bytes are the lines'.
 */
bool cli_group_keys_take(const cli_group_keys *keys, int column, const uint64_t *words, uint64_t count,
                         cli_keys *taken);

/* Frees it; a zeroed struct is fine. */
void cli_group_keys_free(cli_group_keys *keys);

#endif
