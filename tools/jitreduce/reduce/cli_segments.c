/* Reduces segments of equal or of any lengths, and prints the results. */
#include "cli_results.h"
#include "work.h"

static cli_exit reduce(const cli_options *options, const cli_request *request, const cli_inputs *inputs,
                       const cli_devices *devices, const cli_segmentation *all, cli_error *error) {
    const cli_shape shape = cli_shape_flat(all->segments.count);
    cli_results results;
    cli_exit code = cli_results_create(request, &shape, &results, error);
    if (code != CLI_OK) return code;
    code = cli_work_segments(options, inputs, devices, all, &results, error);
    if (code == CLI_OK) code = cli_work_tell(options, &results, inputs, devices, NULL, error);
    cli_results_free(&results);
    return code;
}

cli_exit cli_segments_reduce(const cli_options *options, const cli_request *request, const cli_inputs *inputs,
                             const cli_devices *devices, cli_error *error) {
    cli_segmentation all;
    cli_exit code = cli_segmentation_make(options, inputs, false, &all, error);
    if (code != CLI_OK) return code;
    code = reduce(options, request, inputs, devices, &all, error);
    cli_segmentation_free(&all);
    return code;
}
