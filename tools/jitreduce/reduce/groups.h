/* Groups: the elements with equal keys, wherever they stand. */
#ifndef CLI_GROUPS_H
#define CLI_GROUPS_H

#include "group_sort.h"
#include "group_words.h"
#include "input/input.h"

/* Groups by numbers, a key for each element: -0 is 0, and a NaN is an error, or (nan_keys) the last key. name: of the
 * file, for messages. Memory: 32 bytes an element while it sorts, then 8. Writes *groups on success only; the caller
 * frees it. */
cli_exit cli_groups_of_numbers(const cli_input *keys, const char *name, bool nan_keys, cli_groups *groups,
                               cli_error *error);

/* Groups by a column of a text, or by its words; a line whose key is missing belongs to no group. The texts' bytes stay
 * the column's.
 * Memory and *groups: as cli_groups_of_numbers. */
cli_exit cli_groups_of_lines(const cli_group_lines *lines, cli_groups *groups, cli_error *error);

/* Groups by the column of a text that --group-by or --keys names. x: the first input. */
cli_exit cli_groups_of_column(const cli_options *options, const cli_input *x, cli_groups *groups, cli_error *error);

/* Groups by what cli_keys_read has read for --group-by or --keys (of which NaNs may be in no group), which must live as
 * long as the groups. */
cli_exit cli_groups_of_file(const cli_options *options, const cli_input *segment_file, cli_groups *groups,
                            cli_error *error);

/* Frees groups; a zeroed struct is fine. */
void cli_groups_free(cli_groups *groups);

#endif
