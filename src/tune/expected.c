/* Keeps the estimate's results and holds others against them, part by part: a scan has as many as there are elements.
 */
#include "expected.h"

#include <stdlib.h>

#include "base/error.h"
#include "device/memory.h"
#include "verify.h"

enum { PART_BYTES = 4 << 20 };

/* Results that lie in a part. */
static uint64_t part_count(const jr_expected *expected) {
    const uint64_t most = PART_BYTES / expected->arena->reduction->output_bytes;
    return expected->arena->result_count < most ? expected->arena->result_count : most;
}

jr_status jr_expected_take(const jr_arena *arena, const jr_plan *plan, jr_expected *expected) {
    const size_t bytes = arena->reduction->output_bytes;
    jr_expected taken = {.arena = arena, .depth = jr_verify_depth(plan, arena->count)};
    taken.results = calloc((size_t)arena->result_count, bytes);
    taken.part = calloc((size_t)part_count(&taken), bytes);
    jr_status status = JR_OK;
    if (taken.results == NULL || taken.part == NULL)
        status = jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory for %llu results of %zu bytes",
                         (unsigned long long)arena->result_count, bytes);
    if (status == JR_OK)
        status = jr_memory_download(arena->device, taken.results, arena->out, arena->result_count * bytes, NULL);
    if (status == JR_OK)
        *expected = taken;
    else
        jr_expected_free(&taken);
    return status;
}

/* One part, of a scan where there is more than one result. */
static bool is_same(const jr_expected *expected, const jr_plan *plan, const jr_verify_part *part,
                    char why[JR_REASON_BYTES]) {
    const jr_arena *arena = expected->arena;
    const double depth = expected->depth + jr_verify_depth(plan, arena->count);
    if (plan->kind == &jr_plan_scan) return jr_verify_scan(arena->reduction, depth, part, why);
    return jr_verify_results(arena->reduction, arena->count, depth, part->results, why);
}

jr_status jr_expected_check(const jr_expected *expected, const jr_plan *plan, char why[JR_REASON_BYTES]) {
    const jr_arena *arena = expected->arena;
    const size_t bytes = arena->reduction->output_bytes;
    jr_verify_part part = {.count = part_count(expected)};
    why[0] = '\0';
    for (; part.first < arena->result_count; part.first += part.count) {
        const uint64_t left = arena->result_count - part.first, at = part.first * bytes;
        if (left < part.count) part.count = left;
        const jr_status status =
            jr_memory_download(arena->device, expected->part, arena->out + at, part.count * bytes, NULL);
        if (status != JR_OK) return status;
        part.results[0] = expected->results + at;
        part.results[1] = expected->part;
        if (!is_same(expected, plan, &part, why)) return JR_OK;
    }
    return JR_OK;
}

void jr_expected_free(jr_expected *expected) {
    free(expected->results);
    free(expected->part);
    *expected = (jr_expected){0};
}
