/* Elements group by group. */
#ifndef CLI_GROUP_GATHER_H
#define CLI_GROUP_GATHER_H

#include "groups.h"
#include "input/inputs.h"

/* The inputs in the order of groups. */
typedef struct cli_gathered {
    const void *arrays[JR_INPUTS_MAX];
    cli_data data[JR_INPUTS_MAX]; /* that hold them where they had to move */
} cli_gathered;

/* Finds the groups of --group-by. segment_file: the file of keys as it was read, zeroed before; the groups' texts point
 * into its bytes. The caller frees both, on failure segment_file alone. */
cli_exit cli_groups_find(const cli_options *options, const cli_inputs *inputs, cli_input *segment_file,
                         cli_groups *groups, cli_error *error);

/* Gathers the inputs. The caller frees *gathered, on failure, too. */
cli_exit cli_groups_gather(const cli_inputs *inputs, const cli_groups *groups, cli_gathered *gathered,
                           cli_error *error);

/* Frees what was gathered. */
void cli_gathered_free(cli_gathered *gathered);

#endif
