/* Reduces runs of equal neighbouring keys, and prints a key and its results for each. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli_results.h"
#include "fold/wide.h"
#include "io/output.h"
#include "io/report.h"
#include "npy/npy_write.h"
#include "segmentation.h"
#include "work.h"

static bool is_nan(const cli_keys *keys, uint64_t index) {
    const jr_value key = cli_keys_number(keys, index);
    double number;
    return jr_value_number(&key, &number) == JR_OK && isnan(number);
}

/* NaN equals no key, not even itself: it would begin a run with each element, and sorting gathers none. Of keys that
 * have been numbered it is in no group. */
static cli_exit check_keys(const cli_options *options, const cli_segmentation *all, cli_error *error) {
    const cli_keys keys = {.numbers = {.type = all->segment_file.type, .elements = all->segment_file.elements}};
    const uint64_t *numbers = all->numbers.elements;
    const bool floats = jr_type_class_of(keys.numbers.type) == JR_CLASS_FLOAT;
    if (all->segment_file.count == 0)
        return cli_fail(error, CLI_FAILURE, "%s: has 0 keys: there is nothing to reduce by key", options->keys);
    if (!floats && numbers == NULL) return CLI_OK;
    for (uint64_t i = 0; i < all->segment_file.count; i++)
        if (floats ? is_nan(&keys, i) : numbers[i] >= all->groups.count)
            return cli_fail(error, CLI_FAILURE,
                            "%s: key %llu is nan, which equals no key: remove its element, or give --nan-keys",
                            options->keys, (unsigned long long)i);
    return CLI_OK;
}

static cli_exit check_output(const cli_options *options, jr_type type, cli_error *error) {
    if (type == JR_TYPE_NONE && cli_output_is_array(options))
        return cli_fail(error, CLI_USAGE,
                        "--output: '%s' would lose the keys, which are texts: .csv, .tsv, .json and .txt keep them",
                        options->output);
    if (options->output_keys != NULL && !cli_output_is_array(options))
        return cli_fail(error, CLI_USAGE, "--output-keys: '%s' already has the keys: give an .npy file to --output",
                        options->output);
    if (options->output_keys == NULL || cli_npy_check_type(type, error) == CLI_OK) return CLI_OK;
    return cli_fail(error, CLI_USAGE, "--output-keys: the keys are of %s, which NumPy does not have",
                    jr_type_name(type));
}

/* A key and a result for each run. */
typedef struct runs {
    cli_keys keys; /* numbers of groups until these have names */
    cli_results results;
} runs;

/* There are no more runs than elements. */
static cli_exit make_room(const cli_request *request, jr_type key_type, uint64_t elements, runs *found,
                          cli_error *error) {
    const cli_shape most = cli_shape_flat(elements);
    const cli_exit code = cli_results_create(request, &most, &found->results, error);
    if (code != CLI_OK) return code;
    return cli_data_create(&found->keys.numbers, key_type, jr_type_size(key_type), elements, "keys", error);
}

static cli_exit reduce(const cli_devices *devices, const cli_segmentation *all, runs *found, cli_error *error) {
    uint64_t count = 0;
    jr_work_data segments = all->segments;
    segments.run_keys = found->keys.numbers.owned;
    segments.run_count = &count;
    const cli_exit code = cli_work_host_segments(devices, &all->layout, all->arrays, &segments, &found->results, error);
    if (code != CLI_OK) return code;
    found->keys.numbers.count = found->results.data.count = count;
    found->keys.numbers.shape = found->results.data.shape = cli_shape_flat(count);
    return all->rows.owned != NULL ? cli_results_number_rows(&found->results, NULL, all->rows.elements, error) : CLI_OK;
}

/* Numbers of groups become their keys. */
static cli_exit name_keys(const cli_groups *groups, runs *found, cli_error *error) {
    const cli_keys *names = &groups->keys[0];
    const uint64_t count = found->keys.numbers.count, *numbers = found->keys.numbers.elements;
    const bool are_texts = names->texts != NULL;
    const size_t bytes = are_texts ? sizeof *names->texts : jr_type_size(names->numbers.type);
    const char *from = are_texts ? (const char *)names->texts : names->numbers.elements;
    char *to = calloc(count + 1, bytes);
    if (to == NULL)
        return cli_fail(error, CLI_FAILURE, "--keys: out of memory for %llu keys", (unsigned long long)count);
    for (uint64_t i = 0; i < count; i++) memcpy(to + i * bytes, from + numbers[i] * bytes, bytes);
    cli_data_free(&found->keys.numbers);
    if (are_texts) {
        found->keys.texts = (cli_key_text *)(void *)to;
        return CLI_OK;
    }
    found->keys.numbers = (cli_data){
        .type = names->numbers.type, .count = count, .shape = cli_shape_flat(count), .elements = to, .owned = to};
    return CLI_OK;
}

static cli_exit write_keys(const cli_options *options, const runs *found, cli_error *error) {
    if (options->output_keys == NULL || (options->wide != NULL && options->wide->collecting)) return CLI_OK;
    return cli_npy_write("--output-keys", options->output_keys, &found->keys.numbers, error);
}

cli_exit cli_runs_reduce(const cli_options *options, const cli_request *request, const cli_inputs *inputs,
                         const cli_devices *devices, cli_error *error) {
    cli_segmentation all;
    runs found = {.keys.texts = NULL};
    cli_exit code = cli_segmentation_make(options, inputs, false, &all, error);
    if (code != CLI_OK) return code;
    const bool numbered = all.groups.offsets != NULL;
    code = check_keys(options, &all, error);
    if (code == CLI_OK)
        code = check_output(options, numbered ? cli_keys_type(&all.groups.keys[0]) : all.layout.key_type, error);
    if (code == CLI_OK) code = make_room(request, all.layout.key_type, inputs->element_count, &found, error);
    found.results.drops_empty = options->empty_groups != 0;
    if (code == CLI_OK) code = reduce(devices, &all, &found, error);
    if (code == CLI_OK && numbered) code = name_keys(&all.groups, &found, error);
    if (code == CLI_OK) code = write_keys(options, &found, error);
    found.results.keys = &found.keys;
    found.results.key_count = 1;
    if (code == CLI_OK) code = cli_work_tell(options, &found.results, inputs, devices, NULL, error);
    free(found.keys.texts);
    cli_data_free(&found.keys.numbers);
    cli_results_free(&found.results);
    cli_segmentation_free(&all);
    return code;
}
