/* Reduces segments; where some are of no elements, with the count of each, which says what results have no value. */
#include "many.h"

#include <stdlib.h>
#include <string.h>

static jr_status reduce(const cli_many *many, const jr_spec *spec, void *to) {
    return many->devices->group != NULL
               ? jr_group_reduce_host_segments(many->devices->group, spec, many->layout, many->arrays, many->segments,
                                               to)
               : jr_reduce_host_segments(many->devices->context, spec, many->layout, many->arrays, many->segments, to);
}

/* Parts results with counts into the results and their counts. */
static void part(const jr_result_layout *with, const char *from, cli_results *results) {
    const jr_result_layout *layout = &results->request->results;
    char *to = results->data.owned;
    for (uint64_t i = 0; i < results->data.count; i++) {
        memcpy(to + i * layout->bytes, from + i * with->bytes, layout->bytes);
        memcpy(&results->counts[i], from + i * with->bytes + with->offsets[with->count - 1], sizeof *results->counts);
    }
}

/* failed: without counts, which a list of JR_OPS_MAX operators leaves no room for. */
static cli_exit reduce_counted(const cli_many *many, jr_status failed, cli_results *results, cli_error *error) {
    jr_spec spec = results->request->spec;
    jr_result_layout with = JR_INIT(jr_result_layout);
    const cli_exit code = cli_fail_library(error, failed);
    spec.kept = 1;
    jr_status status = jr_result_layout_of(&spec, &with);
    if (status != JR_OK) return code;
    char *all = calloc(results->data.count + 1, with.bytes);
    results->counts = calloc(results->data.count + 1, sizeof *results->counts);
    const bool room = all != NULL && results->counts != NULL;
    if (room) status = reduce(many, &spec, all);
    if (room && status == JR_OK) part(&with, all, results);
    free(all);
    if (!room) return cli_fail(error, CLI_FAILURE, "results: out of memory");
    return status == JR_OK ? CLI_OK : cli_fail_library(error, status);
}

cli_exit cli_many_reduce(const cli_many *many, cli_results *results, cli_error *error) {
    const jr_status status = reduce(many, &results->request->spec, results->data.owned);
    if (status == JR_ERROR_EMPTY_INPUT) return reduce_counted(many, status, results, error);
    return status == JR_OK ? CLI_OK : cli_fail_library(error, status);
}
