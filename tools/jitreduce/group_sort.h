/* Sorts elements by codes of their keys. */
#ifndef CLI_GROUP_SORT_H
#define CLI_GROUP_SORT_H

#include "groups.h"

/* A key's code, whose order is the key's, and the number of its element. */
typedef struct cli_coded_row {
    uint64_t code, row;
} cli_coded_row;

/* Writes rows and offsets of the groups, whose elements have equal codes. rows: numbered from 0 on; what
 * they hold afterwards is not said. Writes into *groups on success only. */
cli_exit cli_group_sort(cli_coded_row *rows, uint64_t count, cli_groups *groups, cli_error *error);

#endif
