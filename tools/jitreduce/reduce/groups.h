/* Groups: the elements with equal keys, wherever they stand. */
#ifndef CLI_GROUPS_H
#define CLI_GROUPS_H

#include "group_keys.h"
#include "input/input.h"

/* Groups in order of their keys; inside a group elements keep their order. cli_groups_free frees
 * them. */
typedef struct cli_groups {
    uint64_t count;
    uint64_t *rows;              /* numbers of the elements, group by group; NULL: they lie so already */
    uint64_t *offsets;           /* count + 1: group g has rows[offsets[g]] up to rows[offsets[g + 1] - 1] */
    cli_keys keys[CLI_KEYS_MAX]; /* of each column, those of the groups */
    int key_count;
} cli_groups;

/* A key's code, whose order is the key's, and the number of its element. */
typedef struct cli_coded_row {
    uint64_t code, row;
} cli_coded_row;

/* Writes rows and offsets of the groups, whose elements have equal codes; the caller adds their keys. rows: numbers
 * that ascend; what they hold afterwards is not said. Writes into *groups on success only. */
cli_exit cli_group_sort(cli_coded_row *rows, uint64_t count, cli_groups *groups, cli_error *error);

/* Groups by the column of a text that --group-by or --keys names. x: the first input. */
cli_exit cli_groups_of_column(const cli_options *options, const cli_input *x, cli_groups *groups, cli_error *error);

/* Groups by what cli_keys_read has read for --group-by or --keys (of which NaNs may be in no group), which must live as
 * long as the groups. */
cli_exit cli_groups_of_file(const cli_options *options, const cli_input *segment_file, cli_groups *groups,
                            cli_error *error);

/* Frees groups; a zeroed struct is fine. */
void cli_groups_free(cli_groups *groups);

#endif
