/* Reduces segments and prints a line of values for each. */
#include "segments.h"

#include <stdlib.h>
#include <string.h>

#include "report.h"

bool cli_segments_wanted(const cli_options *options) {
    return options->segment_length > 0 || options->offsets != NULL;
}

/* Bytes of a result, and from one of a list to the next: as jr_segment_plan_run writes them. */
enum { LIST_BYTES = 16 };

static size_t value_bytes(const cli_request *request, int index) {
    const jr_type type = request->results[index];
    return type == JR_STRUCT ? request->structure.bytes : jr_type_size(type);
}

static size_t segment_bytes(const cli_request *request) {
    if (request->spec.op_count > 0) return (size_t)request->result_count * LIST_BYTES;
    return value_bytes(request, 0);
}

static void print_segment(const cli_request *request, const unsigned char *results) {
    for (int i = 0; i < request->result_count; i++) {
        char text[CLI_VALUE_BYTES];
        jr_value value = {.type = request->results[i]};
        memcpy(value.as.bytes, results + (size_t)i * LIST_BYTES, value_bytes(request, i));
        printf("%s%s", i > 0 ? " " : "", cli_value_text(&value, request->structure.bytes, text));
    }
    printf("\n");
}

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

static cli_exit run(const cli_request *request, const cli_inputs *inputs, jr_context *context,
                    const jr_segment_layout *layout, const jr_segments *segments, cli_error *error) {
    const size_t bytes = segment_bytes(request);
    unsigned char *results = calloc(segments->count + 1, bytes);
    if (results == NULL)
        return cli_fail(error, CLI_FAILURE, "no memory for the results of %llu segments",
                        (unsigned long long)segments->count);
    const jr_status status =
        jr_reduce_host_segments(context, &request->spec, layout, inputs->arrays, segments, results);
    for (uint64_t s = 0; status == JR_OK && s < segments->count; s++) print_segment(request, results + s * bytes);
    free(results);
    return status == JR_OK ? CLI_OK : cli_fail_library(error, status);
}

static cli_exit reduce_by_offsets(const cli_options *options, const cli_request *request, const cli_inputs *inputs,
                                  jr_context *context, cli_error *error) {
    const jr_segment_layout layout = {.kind = JR_SEGMENTS_OFFSETS};
    cli_input input;
    cli_exit code = read_offsets(options, &input, error);
    if (code != CLI_OK) return code;
    const jr_segments segments = {.count = input.count - 1, .offsets = input.elements};
    const uint64_t end = segments.offsets[segments.count];
    if (end > inputs->element_count)
        code = cli_fail(error, CLI_FAILURE, "%s: the last offset is %llu, but there are %llu elements",
                        options->offsets, (unsigned long long)end, (unsigned long long)inputs->element_count);
    if (code == CLI_OK) code = run(request, inputs, context, &layout, &segments, error);
    cli_input_free(&input);
    return code;
}

cli_exit cli_segments_reduce(const cli_options *options, const cli_request *request, const cli_inputs *inputs,
                             jr_context *context, cli_error *error) {
    if (options->offsets != NULL) return reduce_by_offsets(options, request, inputs, context, error);
    const jr_segment_layout layout = {.kind = JR_SEGMENTS_EQUAL, .length = options->segment_length};
    const jr_segments segments = {.count = inputs->element_count / layout.length};
    if (inputs->element_count % layout.length != 0)
        return cli_fail(error, CLI_FAILURE, "%llu elements are no whole number of segments of %llu",
                        (unsigned long long)inputs->element_count, (unsigned long long)layout.length);
    return run(request, inputs, context, &layout, &segments, error);
}
