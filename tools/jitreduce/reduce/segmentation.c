/* Finds the segments that the command line asks for, and reads the file that gives them. */
#include "segmentation.h"

#include <stdio.h>
#include <string.h>

#include "input/key_file.h"
#include "input/segment_file.h"
#include "io/ranks.h"

static cli_exit make_equal(const cli_options *options, const cli_inputs *inputs, cli_segmentation *made,
                           cli_error *error) {
    const uint64_t length = options->segment_length;
    made->layout.kind = JR_SEGMENTS_EQUAL;
    made->layout.length = length;
    made->segments.segments = inputs->element_count / length;
    if (inputs->element_count % length == 0) return CLI_OK;
    return cli_fail(error, CLI_FAILURE,
                    "%llu elements do not divide into segments of %llu: --segments FILE takes segments of any length",
                    (unsigned long long)inputs->element_count, (unsigned long long)length);
}

/* The file of --segments, whole numbers. */
static cli_exit read_offsets(const cli_options *options, cli_input *input, cli_error *error) {
    char *file = (char *)options->offsets; /* read, not changed */
    const cli_options asked = {.files = &file, .file_count = 1, .count = UINT64_MAX};
    const cli_exit code = cli_segment_file_read(options, &asked, input, error);
    if (code != CLI_OK || (input->count > 0 && (input->type == JR_I64 || input->type == JR_U64))) return code;
    return cli_fail(error, CLI_FAILURE,
                    "%s: offsets must be one or more whole numbers, i64 or u64, but the file has %llu of %s",
                    options->offsets, (unsigned long long)input->count, cli_type_name(input->type));
}

static cli_exit check_none_is_negative(const cli_options *options, const cli_input *segment_file, cli_error *error) {
    const int64_t *offsets = segment_file->elements;
    for (uint64_t i = 0; segment_file->type == JR_I64 && i < segment_file->count; i++)
        if (offsets[i] < 0)
            return cli_fail(error, CLI_FAILURE, "%s: offset %llu is %lld: offsets are 0 or more", options->offsets,
                            (unsigned long long)i, (long long)offsets[i]);
    return CLI_OK;
}

/* Appends an offset. */
static cli_exit add_offset(uint64_t offset, cli_segmentation *made, cli_error *error) {
    const uint64_t count = made->segment_file.count;
    const cli_exit code = cli_data_create(&made->offsets, JR_U64, sizeof offset, count + 1, "offsets", error);
    if (code != CLI_OK) return code;
    uint64_t *all = made->offsets.owned;
    memcpy(all, made->segment_file.elements, count * sizeof *all);
    all[count] = offset;
    made->segments.offsets = all;
    made->segments.segments = count;
    return CLI_OK;
}

/* Reductions have no result for elements before the first offset and after the last one. */
static void note_outside(const cli_options *options, uint64_t first, uint64_t end, uint64_t count) {
    const uint64_t outside = first + (count - end);
    if (outside > 0 && cli_ranks_first(options->ranks))
        fprintf(
            stderr,
            "jitreduce: note: %s: %llu element%s in no segment: the first offset is %llu and the last %llu, of %llu "
            "elements\n",
            options->offsets, (unsigned long long)outside, outside == 1 ? " is" : "s are", (unsigned long long)first,
            (unsigned long long)end, (unsigned long long)count);
}

static cli_exit make_of_offsets(const cli_options *options, const cli_inputs *inputs, bool complete,
                                cli_segmentation *made, cli_error *error) {
    cli_exit code = read_offsets(options, &made->segment_file, error);
    if (code == CLI_OK) code = check_none_is_negative(options, &made->segment_file, error);
    if (code != CLI_OK) return code;
    const uint64_t *offsets = made->segment_file.elements, end = offsets[made->segment_file.count - 1];
    made->layout.kind = JR_SEGMENTS_OFFSETS;
    made->segments.offsets = offsets;
    made->segments.segments = made->segment_file.count - 1;
    for (uint64_t i = 0; i < made->segments.segments; i++)
        if (offsets[i] > offsets[i + 1])
            return cli_fail(error, CLI_FAILURE, "%s: offsets descend: offset %llu is %llu, the next one %llu",
                            options->offsets, (unsigned long long)i, (unsigned long long)offsets[i],
                            (unsigned long long)offsets[i + 1]);
    if (end > inputs->element_count)
        return cli_fail(error, CLI_FAILURE, "%s: the last offset is %llu, but there are %llu elements",
                        options->offsets, (unsigned long long)end, (unsigned long long)inputs->element_count);
    if (!complete) note_outside(options, offsets[0], end, inputs->element_count);
    return complete && end < inputs->element_count ? add_offset(inputs->element_count, made, error) : CLI_OK;
}

/* Copies the elements that have a key; numbers: of those that have none CLI_KEY_MISSING. */
static cli_exit leave_out(const cli_inputs *inputs, const uint64_t *numbers, uint64_t left, cli_segmentation *made,
                          cli_error *error) {
    cli_exit code = cli_data_create(&made->rows, JR_U64, sizeof *numbers, left, "--keys", error);
    uint64_t *row = made->rows.owned;
    for (uint64_t k = 0; code == CLI_OK && k < inputs->element_count; k++)
        if (numbers[k] != CLI_KEY_MISSING) *row++ = k;
    for (int i = 0; code == CLI_OK && i < inputs->count; i++) {
        const size_t bytes = inputs->input[i].element_bytes;
        const char *from = inputs->arrays[i];
        code = cli_data_create(&made->left[i], inputs->types[i], bytes, left, "--keys", error);
        char *to = made->left[i].owned;
        const uint64_t *rows = made->rows.elements;
        for (uint64_t k = 0; code == CLI_OK && k < left; k++, to += bytes) memcpy(to, from + rows[k] * bytes, bytes);
        made->arrays[i] = made->left[i].elements;
    }
    return code;
}

/* Marks the elements whose key is missing, and returns how many there are. */
static uint64_t mark_missing(const cli_input *words, uint64_t count, uint64_t *numbers) {
    uint64_t missing = 0;
    for (uint64_t i = 0; words->keyless > 0 && i < count; i++) {
        if (words->keys.rows[words->first + i] != CLI_KEY_MISSING) continue;
        numbers[i] = CLI_KEY_MISSING;
        missing++;
    }
    return missing;
}

/* Each element's key is the number of its group; one that is in none, a NaN, is a segment of its own. An element whose
 * key is missing is skipped, as the line of a table is. */
static cli_exit number_keys(const cli_inputs *inputs, cli_segmentation *made, cli_error *error) {
    const cli_groups *groups = &made->groups;
    const uint64_t count = inputs->element_count;
    cli_exit code = cli_data_create(&made->numbers, JR_U64, sizeof(uint64_t), count, "keys", error);
    if (code != CLI_OK) return code;
    uint64_t *numbers = made->numbers.owned, kept = 0;
    for (uint64_t i = 0; i < count; i++) numbers[i] = groups->count + i;
    for (uint64_t g = 0; g < groups->count; g++)
        for (uint64_t i = groups->offsets[g]; i < groups->offsets[g + 1]; i++)
            numbers[groups->rows != NULL ? groups->rows[i] : i] = g;
    const uint64_t left = count - mark_missing(&made->words, count, numbers);
    if (left < count) code = leave_out(inputs, numbers, left, made, error);
    if (code != CLI_OK) return code;
    for (uint64_t i = 0; i < count; i++)
        if (numbers[i] != CLI_KEY_MISSING) numbers[kept++] = numbers[i];
    made->shape = cli_shape_flat(left);
    made->segment_file =
        (cli_input){.type = JR_U64, .element_bytes = sizeof *numbers, .count = left, .elements = numbers};
    made->layout.kind = JR_SEGMENTS_KEYS;
    made->layout.key_type = JR_U64;
    made->segments.keys = numbers;
    made->segments.count = left;
    return CLI_OK;
}

/* Whether the library cannot compare the keys of a file: words, or NaNs that are equal. */
static bool is_numbered(const cli_options *options, const cli_input *segment_file) {
    return segment_file->keys.row_count > 0 ||
           (options->nan_keys && jr_type_class_of(segment_file->type) == JR_CLASS_FLOAT);
}

/* The file or column of --keys. */
static cli_exit make_of_keys(const cli_options *options, const cli_inputs *inputs, cli_segmentation *made,
                             cli_error *error) {
    const uint64_t count = inputs->element_count;
    cli_exit code = CLI_OK;
    bool numbered = options->table.key_count > 0;
    if (numbered)
        code = cli_groups_of_column(options, &inputs->input[0], &made->groups, error);
    else
        code = cli_keys_read(options, options->keys, count, &made->segment_file, error);
    if (code == CLI_OK && !numbered && is_numbered(options, &made->segment_file)) {
        numbered = true;
        made->words = made->segment_file;
        code = cli_groups_of_file(options, &made->words, &made->groups, error);
        made->segment_file = (cli_input){.count = 0};
    }
    if (code != CLI_OK) return code;
    if (numbered) return number_keys(inputs, made, error);
    made->layout.kind = JR_SEGMENTS_KEYS;
    made->layout.key_type =
        made->segment_file.type != JR_TYPE_NONE ? made->segment_file.type : JR_I64; /* of no text: any */
    made->segments.keys = made->segment_file.elements;
    made->segments.count = inputs->element_count;
    return CLI_OK;
}

/* The shape of --shape, which must have as many elements as there are. */
static cli_exit check_given(const cli_shape *shape, uint64_t element_count, cli_error *error) {
    uint64_t count;
    if (!cli_shape_count(shape, &count)) return cli_fail(error, CLI_USAGE, "--shape: 2^64 elements or more");
    if (count == element_count) return CLI_OK;
    return cli_fail(error, CLI_FAILURE, "--shape: has %llu elements, but the input has %llu", (unsigned long long)count,
                    (unsigned long long)element_count);
}

static bool same(const cli_shape *a, const cli_shape *b) {
    return a->dimensions == b->dimensions && memcmp(a->sizes, b->sizes, sizeof a->sizes) == 0;
}

/* Checks that y, z and w have x's shape, or no shape of their own. */
static cli_exit check_beside(const cli_options *options, const cli_inputs *inputs, cli_error *error) {
    const cli_shape *first = &inputs->input[0].shape;
    for (int i = 1; i < inputs->count; i++) {
        const cli_shape *other = &inputs->input[i].shape;
        if (other->dimensions != 1 && !same(other, first))
            return cli_fail(error, CLI_FAILURE, "-%c %s: has another shape than x: give --shape", "xyzw"[i],
                            options -> more_files[i]);
    }
    return CLI_OK;
}

static cli_exit find_axes(const cli_options *options, const cli_inputs *inputs, cli_segmentation *segmentation,
                          cli_error *error) {
    const bool given = options->shape.dimensions > 0;
    cli_segmentation found = {.layout = JR_INIT(jr_segment_layout),
                              .segments = JR_INIT(jr_work_data),
                              .shape = given ? options->shape : inputs->input[0].shape};
    const jr_axis axis = JR_INIT(jr_axis, .shape = found.shape.sizes, .dimensions = found.shape.dimensions,
                                 .axes = options->axes, .axis_count = (size_t)options->axis_count);
    cli_exit code =
        given ? check_given(&found.shape, inputs->element_count, error) : check_beside(options, inputs, error);
    if (code != CLI_OK) return code;
    const jr_status status = jr_segment_layout_of(&axis, &found.layout, &found.segments.segments);
    if (status != JR_OK) return cli_fail(error, CLI_FAILURE, "--axis: %s", jr_last_error()->message);
    *segmentation = found;
    return CLI_OK;
}

cli_exit cli_segmentation_make(const cli_options *options, const cli_inputs *inputs, bool complete,
                               cli_segmentation *segmentation, cli_error *error) {
    cli_segmentation made = {.layout = JR_INIT(jr_segment_layout),
                             .segments = JR_INIT(jr_work_data),
                             .shape = cli_shape_flat(inputs->element_count)};
    cli_exit code = CLI_OK;
    if (options->axis_count > 0) code = find_axes(options, inputs, &made, error);
    for (int i = 0; i < inputs->count; i++) made.arrays[i] = inputs->arrays[i];
    if (options->segment_length > 0) code = make_equal(options, inputs, &made, error);
    if (options->offsets != NULL) code = make_of_offsets(options, inputs, complete, &made, error);
    if (options->keys != NULL) code = make_of_keys(options, inputs, &made, error);
    if (code == CLI_OK)
        *segmentation = made;
    else
        cli_segmentation_free(&made);
    return code;
}

void cli_segmentation_free(cli_segmentation *segmentation) {
    cli_input_free(&segmentation->segment_file);
    cli_data_free(&segmentation->offsets);
    cli_data_free(&segmentation->numbers);
    for (int i = 0; i < JR_INPUTS_MAX; i++) cli_data_free(&segmentation->left[i]);
    cli_data_free(&segmentation->rows);
    cli_groups_free(&segmentation->groups);
    cli_input_free(&segmentation->words);
    *segmentation = (cli_segmentation){.segment_file.count = 0};
}
