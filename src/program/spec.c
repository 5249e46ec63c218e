/* Checks of a spec. */
#include "spec.h"

#include "base/error.h"
#include "operator.h"
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
    if ((int)spec->shared < JR_SHARED_AUTO || spec->shared > JR_SHARED_DYNAMIC)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "shared memory choice %d is none of JR_SHARED_*", (int)spec->shared);
    return JR_OK;
}

static jr_status check_initial(const jr_spec *spec, jr_type accumulator) {
    if (spec->initial == NULL || spec->initial->type == accumulator) return JR_OK;
    const jr_dtype *given = jr_dtype_find(spec->initial->type);
    return jr_fail(JR_ERROR_INVALID_ARGUMENT, "the initial value is of type %s: it must be of the result type, %s",
                   given != NULL ? given->name : "none", jr_dtype_find(accumulator)->name);
}

jr_status jr_spec_check(const jr_spec *spec, jr_type *accumulator) {
    if (spec == NULL) return jr_fail(JR_ERROR_INVALID_ARGUMENT, "spec is NULL");
    jr_type type = JR_TYPE_NONE;
    jr_status status = jr_operator_accumulator(spec->op, spec->type, &type);
    if (status == JR_OK) status = check_ranges(spec);
    if (status == JR_OK) status = check_initial(spec, type);
    if (status == JR_OK) *accumulator = type;
    return status;
}
