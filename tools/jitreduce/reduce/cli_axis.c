/* Reduces along one or several axes of an array, and prints the results. */
#include "cli_results.h"
#include "work.h"

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
                         const cli_devices *devices, cli_error *error) {
    cli_segmentation all;
    cli_results results;
    cli_exit code = cli_axis_find(options, inputs, &all, error);
    if (code != CLI_OK) return code;
    const cli_shape rest = shape_of_results(options, &all.shape);
    code = cli_results_create(request, &rest, &results, error);
    if (code != CLI_OK) return code;
    code = cli_work_segments(options, inputs, devices, &all, &results, error);
    if (code == CLI_OK) code = cli_work_tell(options, &results, inputs, devices, NULL, error);
    cli_results_free(&results);
    return code;
}
