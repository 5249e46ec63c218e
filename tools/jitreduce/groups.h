/* Groups: the elements with equal keys, wherever they stand. */
#ifndef CLI_GROUPS_H
#define CLI_GROUPS_H

#include "input.h"
#include "key_column.h"

/* Groups in order of their keys; inside a group elements keep their order. */
typedef struct cli_groups {
    uint64_t count;
    uint64_t *rows;    /* numbers of the elements, group by group; NULL: they lie so already */
    uint64_t *offsets; /* count + 1: group g has rows[offsets[g]] up to rows[offsets[g + 1] - 1] */
    cli_data keys;     /* numbers, one of each group; type JR_TYPE_NONE: they are texts */
    cli_key_text *texts;
} cli_groups;

/* Groups by numbers, a key for each element: -0 is 0, and a NaN is an error. name: of the file, for messages.
 * Memory: 32 bytes an element while it sorts, then 8. Writes *groups on success only; the caller frees it. */
cli_exit cli_groups_of_numbers(const cli_input *keys, const char *name, cli_groups *groups, cli_error *error);

/* Groups by a column of a text, of which `count` lines from `first` on are grouped. Its keys are numbers of `type`;
 * with JR_TYPE_NONE of i64, u64 or f64 when each of them reads as a number that can stand for its text: none is a NaN,
 * has leading zeros, or more digits than f64 holds; else, and with as_text, texts. form: how numbers are written. The
 * texts' bytes stay the column's.
 * Memory and *groups: as cli_groups_of_numbers. */
typedef struct cli_group_lines {
    const cli_key_column *column;
    const cli_table_form *form;
    uint64_t first, count;
    jr_type type;
    bool as_text;
} cli_group_lines;
cli_exit cli_groups_of_lines(const cli_group_lines *lines, cli_groups *groups, cli_error *error);

/* Frees groups; a zeroed struct is fine. */
void cli_groups_free(cli_groups *groups);

#endif
