/* Scans the elements of each key, wherever they stand: gathers them key by key, scans these segments, and puts each
 * result where its element was. An element whose key is missing has no result, as with --keys. */
#include <stdlib.h>
#include <string.h>

#include "group_gather.h"
#include "work.h"

/* Moves results from the order of groups to that of the input. */
static cli_exit put_back(const cli_groups *groups, uint64_t elements, size_t bytes, const char *from, char *to,
                         cli_error *error) {
    const uint64_t count = groups->offsets[groups->count];
    uint64_t *places = calloc(elements + 1, sizeof *places), place = 0;
    if (places == NULL)
        return cli_fail(error, CLI_FAILURE, "--group-by: out of memory for %llu elements",
                        (unsigned long long)elements);
    for (uint64_t i = 0; i < count; i++) places[groups->rows[i]] = 1;
    for (uint64_t i = 0; i < elements; i++) {
        const uint64_t here = places[i];
        places[i] = place;
        place += here;
    }
    for (uint64_t i = 0; i < count; i++) memcpy(to + places[groups->rows[i]] * bytes, from + i * bytes, bytes);
    free(places);
    return CLI_OK;
}

static cli_exit scan(const cli_options *options, const cli_inputs *inputs, const cli_devices *devices,
                     const cli_groups *groups, cli_results *results, cli_error *error) {
    const cli_request *request = results->request;
    const jr_segment_layout layout = JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_OFFSETS);
    const jr_work work =
        JR_INIT(jr_work, .spec = &request->spec, .kind = cli_device_scan_kind(options), .layout = &layout);
    cli_gathered gathered;
    cli_data scanned = {.count = 0};
    const uint64_t count = groups->offsets[groups->count];
    cli_exit code = cli_groups_gather(inputs, groups, &gathered, error);
    if (code == CLI_OK && groups->rows != NULL)
        code = cli_data_create(&scanned, request->results.types[0], request->results.bytes, count, "results", error);
    if (code == CLI_OK) {
        const jr_work_data data =
            JR_INIT(jr_work_data, .in = gathered.arrays, .count = count, .segments = groups->count,
                    .offsets = groups->offsets, .out = groups->rows != NULL ? scanned.owned : results->data.owned);
        const jr_status status = cli_devices_run(devices, &work, &data);
        if (status != JR_OK) code = cli_fail_library(error, status);
    }
    if (code == CLI_OK && groups->rows != NULL)
        code = put_back(groups, inputs->element_count, request->results.bytes, scanned.elements, results->data.owned,
                        error);
    cli_data_free(&scanned);
    cli_gathered_free(&gathered);
    return code;
}

cli_exit cli_groups_scan(const cli_options *options, const cli_request *request, const cli_inputs *inputs,
                         const cli_devices *devices, cli_error *error) {
    cli_groups groups = {.count = 0};
    cli_results results = {.keys = NULL};
    cli_input segment_file = {.count = 0};
    cli_exit code = cli_groups_find(options, inputs, &segment_file, &groups, error);
    if (code == CLI_OK) {
        const cli_shape shape = cli_shape_flat(groups.offsets[groups.count]);
        code = cli_results_create(request, &shape, &results, error);
    }
    if (code == CLI_OK) code = scan(options, inputs, devices, &groups, &results, error);
    if (code == CLI_OK)
        code = cli_work_tell(options, &results, inputs, devices, options->exclusive ? "exclusive" : "inclusive", error);
    cli_results_free(&results);
    cli_groups_free(&groups);
    cli_input_free(&segment_file);
    return code;
}
