/* Checks of a spec. */
#include "spec.h"

#include "base/error.h"
#include "expressions.h"
#include "tuning.h"

static jr_status check_ranges(const jr_spec *spec) {
    if (spec->unroll < 0 || spec->unroll > JR_UNROLL_MAX)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "unroll factor %d is out of range: 1 to %d, or 0 to have it chosen",
                       spec->unroll, JR_UNROLL_MAX);
    if (spec->block < 0 || spec->block > JR_BLOCK_MAX || spec->block % JR_BLOCK_STEP != 0)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT,
                       "block of %d threads is not allowed: a multiple of %d from %d to %d, or 0 to have it chosen",
                       spec->block, JR_BLOCK_STEP, JR_BLOCK_STEP, JR_BLOCK_MAX);
    if (spec->grid < 0 || spec->grid > JR_GRID_MAX)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "grid of %d blocks is out of range: 1 to %d, or 0 to have it chosen",
                       spec->grid, JR_GRID_MAX);
    if (spec->blocks_per_multiprocessor < 0 || spec->blocks_per_multiprocessor > JR_BLOCKS_PER_MULTIPROCESSOR_MAX)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT,
                       "%d blocks per multiprocessor are out of range: 1 to %d, or 0 to have it chosen",
                       spec->blocks_per_multiprocessor, JR_BLOCKS_PER_MULTIPROCESSOR_MAX);
    if ((int)spec->shared < JR_SHARED_AUTO || spec->shared > JR_SHARED_DYNAMIC)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "shared memory choice %d is none of JR_SHARED_*", (int)spec->shared);
    return JR_OK;
}

jr_status jr_spec_check(const jr_spec *spec, jr_reduction *reduction) {
    if (spec == NULL) return jr_fail(JR_ERROR_INVALID_ARGUMENT, "spec is NULL");
    jr_reduction made;
    jr_status status = jr_reduction_of(spec, &made);
    if (status == JR_OK) status = check_ranges(spec);
    if (status == JR_OK) status = jr_expressions_check(spec);
    if (status == JR_OK) *reduction = made;
    return status;
}
