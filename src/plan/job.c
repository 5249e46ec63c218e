/* Makes jobs of specs. */
#include "job.h"

#include "base/error.h"
#include "segment_layout.h"
#include "spec/operator.h"
#include "spec/spec_expressions.h"

static jr_requested_tuning requested_of(const jr_spec *spec) {
    return (jr_requested_tuning){.algorithm = spec->algorithm,
                                 .unroll = spec->unroll,
                                 .block = spec->block,
                                 .grid = spec->grid,
                                 .blocks_per_multiprocessor = spec->blocks_per_multiprocessor,
                                 .shared = spec->shared,
                                 .capacity = spec->capacity,
                                 .max_launch_ms = spec->max_launch_ms,
                                 .device_bytes = spec->device_bytes};
}

static jr_status check_scan(const jr_reduction *reduction, bool exclusive) {
    if (reduction->spec.kept)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "kept is set: a scan does not write how many elements were kept");
    if (reduction->spec.op_count > 0)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "a list of %d operators: a scan takes one, as op",
                       reduction->spec.op_count);
    if (!exclusive || reduction->empty_op == JR_OP_NONE) return JR_OK;
    const jr_operator *row = jr_operator_find(reduction->empty_op);
    return jr_fail(JR_ERROR_EMPTY_INPUT,
                   "%s of no elements has no value, so an exclusive scan of it has no first result: %s", row->name,
                   jr_operator_is(row, JR_OP_FLAG_INITIAL) ? "give an initial value" : "scan inclusively");
}

/* What has no fixed tree: the shape of a scan's is not that of its last result, and a state, or a run of keys, lies at
 * a place of the whole that is not known when it is folded. */
static jr_status check_tree(const jr_job *job) {
    const char *what = job->kind == JR_JOB_SCAN       ? "a scan has"
                       : job->kind == JR_JOB_MERGE    ? "states that are merged have"
                       : job->to_state || job->to_all ? "a state, of which a group has one for each device, has"
                       : jr_job_is_of_runs(job)       ? "segments by keys have"
                       : job->kind == JR_JOB_MANY     ? "many arrays have"
                                                      : NULL;
    if (!job->reduction->tree || what == NULL) return JR_OK;
    return jr_fail(JR_ERROR_NOT_APPLICABLE, "%s no fixed tree: set spec.accuracy to another JR_ACCURACY_ value", what);
}

/* What no kernel reads where it lies is refused. */
static jr_status settle_view(jr_job *job) {
    const char *what = job->kind == JR_JOB_APPLY ? "an apply"
                       : job->reduction->tree    ? "a reproducible reduction (JR_ACCURACY_REPRODUCIBLE)"
                                                 : NULL;
    if (what != NULL)
        return jr_fail(
            JR_ERROR_NOT_APPLICABLE,
            "axis->strides are not C order's: %s reads device memory in C order without gaps; copy the array", what);
    if (job->kind != JR_JOB_SCAN) return jr_view_settle(&job->view, !job->reduction->commutative);
    jr_view_settle_scan(&job->view);
    return JR_OK;
}

/* An expression that is applied to rows, and a work that has it. */
static jr_status check_apply(const jr_job *job) {
    if (job->kind == JR_JOB_MANY) return JR_OK;
    if (job->kind != JR_JOB_APPLY && job->reduction->total_count == 0) return JR_OK;
    if (job->kind != JR_JOB_APPLY)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT,
                       "spec.apply is set, and this is no work of kind JR_WORK_APPLY: leave apply NULL");
    if (job->reduction->total_count == 0)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT,
                       "the work is JR_WORK_APPLY, but spec.apply is NULL: set it, as \"x - r\"");
    if (jr_spec_expressions_name_all(&job->reduction->spec))
        return jr_fail(
            JR_ERROR_INVALID_ARGUMENT,
            "apply names the result of all arrays, which rows do not have: name r, or of a list r0, r1, ...");
    if (job->layout.kind == JR_SEGMENTS_EQUAL) return JR_OK;
    return jr_fail(JR_ERROR_NOT_APPLICABLE,
                   "apply takes rows: a layout of kind JR_SEGMENTS_EQUAL, or the last axes of an array");
}

jr_status jr_job_make(const jr_spec *spec, jr_job *job) {
    jr_status status = JR_OK;
    const bool scan = job->kind == JR_JOB_SCAN;
    if (job->kind == JR_JOB_SEGMENTS || job->layout.kind != 0) status = jr_segment_layout_settle(&job->layout, scan);
    if (status == JR_OK) status = jr_reduction_create(spec, &job->reduction);
    if (status != JR_OK) return status;
    if (job->device == NULL) job->device = &job->context->device.info;
    if (job->kind != JR_JOB_MERGE) job->requested = requested_of(spec);
    JR_TRY(check_apply(job));
    status = check_tree(job);
    if (status == JR_OK && job->view.arrays > 0) status = settle_view(job);
    return status == JR_OK && scan ? check_scan(job->reduction, job->exclusive) : status;
}

bool jr_job_is_of_runs(const jr_job *job) {
    return job->kind == JR_JOB_SEGMENTS && job->layout.kind == JR_SEGMENTS_KEYS;
}

const jr_segment_layout *jr_job_heads(const jr_job *job) {
    const bool heads = (job->kind == JR_JOB_SCAN || jr_job_is_of_runs(job)) && job->layout.kind != 0;
    return heads && job->layout.kind != JR_SEGMENTS_STRIDED ? &job->layout : NULL;
}

bool jr_job_scans_as_it_likes(const jr_job *job) {
    enum { ACCUMULATOR_MOST = 16 };
    const jr_requested_tuning *requested = &job->requested;
    return requested->block == 0 && requested->unroll == 0 && requested->grid == 0 &&
           job->reduction->input_count == 1 && job->reduction->accumulator_bytes <= ACCUMULATOR_MOST;
}

uint64_t jr_job_expected_count(const jr_job *job) {
    static const uint64_t MANY = 1ull << 32;
    return job->requested.capacity == 0 && (job->kind == JR_JOB_SCAN || jr_job_is_of_runs(job))
               ? MANY
               : job->requested.capacity;
}

void jr_job_free(jr_job *job) {
    jr_reduction_destroy(job->reduction);
    job->reduction = NULL;
}

/* Columns of bins are four warps'. redux.sync came with compute capability 8.0. Block 0 waits for the others, and adds
 * their digits of 16 bits in words of 32. */
bool jr_job_is_exact_sum(const jr_job *job) {
    enum { SQUAD = 128, GRID_MOST = 1 << 14 };
    const jr_requested_tuning *requested = &job->requested;
    const bool counts = job->reduction->spec.where != NULL && (job->to_state || job->to_all); /* what is left */
    const bool meets_in_parts =
        job->to_all && requested->max_launch_ms > 0; /* only a launch of all elements counts them */
    return job->reduction->summand != JR_TYPE_NONE && !counts && !meets_in_parts &&
           job->reduction->inputs[0].type != JR_STRUCT && job->device->capability_major >= 8 &&
           requested->block % SQUAD == 0 && requested->block != 3 * SQUAD && requested->block <= 512 &&
           requested->grid <= GRID_MOST && (requested->grid == 1 || job->device->multiprocessor_count >= 2);
}
