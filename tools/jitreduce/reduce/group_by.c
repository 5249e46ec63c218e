/* Reduces the elements of each key, wherever they stand: gathers them key by key, and reduces these segments. */
#include <stdio.h>
#include <string.h>

#include "fold/wide.h"
#include "group_gather.h"
#include "io/output.h"
#include "npy/npy_write.h"
#include "segmentation.h"
#include "work.h"

/* What --output can hold; the keys are known by now. */
static cli_exit check_output(const cli_options *options, const cli_groups *groups, cli_error *error) {
    bool texts = false;
    for (int k = 0; k < groups->key_count; k++) texts |= groups->keys[k].texts != NULL;
    if (texts && options->output_keys == NULL && cli_output_is_array(options) && groups->count > 0)
        return cli_fail(error, CLI_USAGE,
                        "--output: '%s' would lose the keys, which are texts: .csv, .tsv, .json and .txt keep them",
                        options->output);
    if (options->output_keys == NULL) return CLI_OK;
    if (!cli_output_is_array(options))
        return cli_fail(error, CLI_USAGE, "--output-keys: '%s' already has the keys: give an .npy file to --output",
                        options->output);
    if (groups->key_count > 1)
        return cli_fail(error, CLI_USAGE,
                        "--output-keys: an array has one key for each result, not %d: give --output "
                        "a .csv or .json file",
                        groups->key_count);
    if (texts)
        return cli_fail(error, CLI_USAGE, "--output-keys: the keys are texts: give --output a .csv or .json file");
    const jr_type type = cli_keys_type(&groups->keys[0]);
    if (cli_npy_check_type(type, error) == CLI_OK) return CLI_OK;
    return cli_fail(error, CLI_USAGE, "--output-keys: the keys are of %s, which NumPy does not have",
                    jr_type_name(type));
}

/* arrays: the inputs, group by group. */
static cli_exit reduce(const cli_devices *devices, const void *const *arrays, const cli_groups *groups,
                       cli_results *results, cli_error *error) {
    const jr_segment_layout layout = JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_OFFSETS);
    const jr_work_data segments = JR_INIT(jr_work_data, .segments = groups->count, .offsets = groups->offsets);
    const cli_exit code = cli_work_host_segments(devices, &layout, arrays, &segments, results, error);
    return code == CLI_OK ? cli_results_number_rows(results, groups->offsets, groups->rows, error) : code;
}

static cli_exit gather_and_reduce(const cli_inputs *inputs, const cli_devices *devices, const cli_groups *groups,
                                  cli_results *results, cli_error *error) {
    cli_gathered gathered;
    cli_exit code = cli_groups_gather(inputs, groups, &gathered, error);
    if (code == CLI_OK) code = reduce(devices, gathered.arrays, groups, results, error);
    cli_gathered_free(&gathered);
    return code;
}

static cli_exit print(const cli_options *options, const cli_inputs *inputs, const cli_devices *devices,
                      const cli_groups *groups, cli_results *results, cli_error *error) {
    cli_exit code = CLI_OK;
    if (options->output_keys != NULL && !(options->wide != NULL && options->wide->collecting)) {
        cli_data keys = groups->keys[0].numbers;
        keys.shape = cli_shape_flat(groups->count);
        code = cli_npy_write("--output-keys", options->output_keys, &keys, error);
    }
    results->keys = groups->keys;
    results->key_count = groups->key_count;
    return code == CLI_OK ? cli_work_tell(options, results, inputs, devices, NULL, error) : code;
}

cli_exit cli_groups_reduce(const cli_options *options, const cli_request *request, const cli_inputs *inputs,
                           const cli_devices *devices, cli_error *error) {
    cli_groups groups;
    cli_results results = {.keys = NULL};
    cli_input segment_file = {.count = 0};
    cli_exit code = cli_groups_find(options, inputs, &segment_file, &groups, error);
    if (code != CLI_OK) {
        cli_input_free(&segment_file);
        return code;
    }
    const cli_shape shape = cli_shape_flat(groups.count);
    code = check_output(options, &groups, error);
    if (code == CLI_OK) code = cli_results_create(request, &shape, &results, error);
    results.drops_empty = options->empty_groups != 0;
    if (code == CLI_OK) code = gather_and_reduce(inputs, devices, &groups, &results, error);
    if (code == CLI_OK) code = print(options, inputs, devices, &groups, &results, error);
    cli_results_free(&results);
    cli_groups_free(&groups);
    cli_input_free(&segment_file);
    return code;
}
