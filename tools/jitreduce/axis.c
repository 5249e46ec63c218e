/* Finds the segments along one or several axes of an array; reduces them, and tells the results. */
#include <string.h>

#include "results.h"
#include "segmentation.h"
#include "work.h"

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

/* What lies beside x has its shape, or none of its own. */
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

cli_exit cli_axis_find(const cli_options *options, const cli_inputs *inputs, cli_segmentation *segmentation,
                       cli_error *error) {
    const bool given = options->shape.dimensions > 0;
    cli_segmentation found = {.layout = JR_INIT(jr_segment_layout),
                              .segments = JR_INIT(jr_segments),
                              .shape = given ? options->shape : inputs->input[0].shape};
    const jr_axis axis = JR_INIT(jr_axis, .shape = found.shape.sizes, .dimensions = found.shape.dimensions,
                                 .axes = options->axes, .axis_count = (size_t)options->axis_count);
    cli_exit code =
        given ? check_given(&found.shape, inputs->element_count, error) : check_beside(options, inputs, error);
    if (code != CLI_OK) return code;
    const jr_status status = jr_segment_layout_of(&axis, &found.layout, &found.segments.count);
    if (status != JR_OK) return cli_fail(error, CLI_FAILURE, "--axis: %s", jr_last_error()->message);
    *segmentation = found;
    return CLI_OK;
}

/* The shape without the axes, which are there; with --keepdims they have size 1. */
static cli_shape shape_of_results(const cli_options *options, const cli_shape *shape) {
    cli_shape rest = {.dimensions = 0};
    unsigned reduced = 0;
    for (int i = 0; i < options->axis_count; i++)
        reduced |= 1u << (options->axes[i] < 0 ? options->axes[i] + shape->dimensions : options->axes[i]);
    for (int i = 0; i < shape->dimensions; i++) {
        if ((reduced >> i & 1) == 0)
            rest.sizes[rest.dimensions++] = shape->sizes[i];
        else if (options->keep_dimensions)
            rest.sizes[rest.dimensions++] = 1;
    }
    return rest;
}

cli_exit cli_axis_reduce(const cli_options *options, const cli_request *request, const cli_inputs *inputs,
                         jr_context *context, cli_error *error) {
    cli_segmentation all;
    cli_results results;
    cli_exit code = cli_axis_find(options, inputs, &all, error);
    if (code != CLI_OK) return code;
    const cli_shape rest = shape_of_results(options, &all.shape);
    code = cli_results_create(request, &rest, &results, error);
    if (code != CLI_OK) return code;
    const jr_status status = jr_reduce_host_segments(context, &request->spec, &all.layout, inputs->arrays,
                                                     &all.segments, results.data.owned);
    code = status == JR_OK ? cli_results_tell(options, &results, error) : cli_fail_library(error, status);
    cli_results_free(&results);
    return code;
}
