/* Reduces segments of equal or of any lengths, and tells the results. */
#include "results.h"
#include "work.h"

/* The file of --offsets, whole numbers. Writes *input on success only. */
static cli_exit read_offsets(const cli_options *options, cli_input *input, cli_error *error) {
    cli_input made;
    char *file = (char *)options->offsets; /* read, not changed */
    const cli_options asked = {.files = &file, .file_count = 1, .count = UINT64_MAX};
    cli_exit code = cli_input_read(&asked, &made, error);
    if (code != CLI_OK) return code;
    if (made.count == 0 || (made.type != JR_I64 && made.type != JR_U64))
        code =
            cli_fail(error, CLI_FAILURE, "%s: offsets are one or more whole numbers, i64 or u64; this has %llu of %s",
                     options->offsets, (unsigned long long)made.count, cli_type_name(made.type));
    if (code == CLI_OK)
        *input = made;
    else
        cli_input_free(&made);
    return code;
}

/* The segments of the input. */
typedef struct segmentation {
    jr_segment_layout layout;
    jr_segments segments;
} segmentation;

static cli_exit run(const cli_options *options, const cli_request *request, const cli_inputs *inputs,
                    jr_context *context, const segmentation *all, cli_error *error) {
    const cli_shape shape = cli_shape_flat(all->segments.count);
    cli_results results;
    cli_exit code = cli_results_create(request, &shape, &results, error);
    if (code != CLI_OK) return code;
    const jr_status status = jr_reduce_host_segments(context, &request->spec, &all->layout, inputs->arrays,
                                                     &all->segments, results.data.owned);
    code = status == JR_OK ? cli_results_tell(options, &results, error) : cli_fail_library(error, status);
    cli_results_free(&results);
    return code;
}

static cli_exit reduce_by_offsets(const cli_options *options, const cli_request *request, const cli_inputs *inputs,
                                  jr_context *context, cli_error *error) {
    cli_input input;
    cli_exit code = read_offsets(options, &input, error);
    if (code != CLI_OK) return code;
    const segmentation all = {JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_OFFSETS),
                              JR_INIT(jr_segments, .count = input.count - 1, .offsets = input.elements)};
    const uint64_t end = all.segments.offsets[all.segments.count];
    if (end > inputs->element_count)
        code = cli_fail(error, CLI_FAILURE, "%s: the last offset is %llu, but there are %llu elements",
                        options->offsets, (unsigned long long)end, (unsigned long long)inputs->element_count);
    if (code == CLI_OK) code = run(options, request, inputs, context, &all, error);
    cli_input_free(&input);
    return code;
}

cli_exit cli_segments_reduce(const cli_options *options, const cli_request *request, const cli_inputs *inputs,
                             jr_context *context, cli_error *error) {
    if (options->offsets != NULL) return reduce_by_offsets(options, request, inputs, context, error);
    const uint64_t length = options->segment_length;
    const segmentation all = {JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_EQUAL, .length = length),
                              JR_INIT(jr_segments, .count = inputs->element_count / length)};
    if (inputs->element_count % length != 0)
        return cli_fail(error, CLI_FAILURE, "%llu elements do not divide into segments of %llu",
                        (unsigned long long)inputs->element_count, (unsigned long long)length);
    return run(options, request, inputs, context, &all, error);
}
