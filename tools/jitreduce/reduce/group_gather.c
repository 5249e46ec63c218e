/* Finds the groups of --group-by, and copies elements in their order. */
#include "group_gather.h"

#include <string.h>

#include "input/key_file.h"

cli_exit cli_groups_find(const cli_options *options, const cli_inputs *inputs, cli_input *segment_file,
                         cli_groups *groups, cli_error *error) {
    if (options->table.key_count > 0) return cli_groups_of_column(options, &inputs->input[0], groups, error);
    const cli_exit code = cli_keys_read(options, options->group_by, inputs->element_count, segment_file, error);
    return code == CLI_OK ? cli_groups_of_file(options, segment_file, groups, error) : code;
}

/* Puts an input's elements into the order of the groups. */
static cli_exit gather(const cli_input *input, const cli_groups *groups, cli_data *gathered, cli_error *error) {
    const size_t bytes = input->element_bytes;
    const uint64_t count = groups->offsets[groups->count];
    const cli_exit code = cli_data_create(gathered, input->type, bytes, count, "--group-by", error);
    const char *from = input->elements;
    char *to = gathered->owned;
    for (uint64_t i = 0; code == CLI_OK && i < count; i++)
        memcpy(to + i * bytes, from + groups->rows[i] * bytes, bytes);
    return code;
}

cli_exit cli_groups_gather(const cli_inputs *inputs, const cli_groups *groups, cli_gathered *gathered,
                           cli_error *error) {
    cli_exit code = CLI_OK;
    *gathered = (cli_gathered){.arrays = {NULL}};
    for (int i = 0; code == CLI_OK && i < inputs->count; i++) {
        gathered->arrays[i] = inputs->arrays[i];
        if (groups->rows == NULL) continue;
        code = gather(&inputs->input[i], groups, &gathered->data[i], error);
        gathered->arrays[i] = gathered->data[i].elements;
    }
    return code;
}

void cli_gathered_free(cli_gathered *gathered) {
    for (int i = 0; i < JR_INPUTS_MAX; i++) cli_data_free(&gathered->data[i]);
}
