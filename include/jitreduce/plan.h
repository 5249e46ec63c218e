/* Plans, the second tier: a plan does the slow work once, then runs on device memory in the caller's stream. It is made
 * by jr_work_plan_create and run by jr_work_plan_run (work.h).
 * Manual: embedding.md. */
#ifndef JITREDUCE_PLAN_H
#define JITREDUCE_PLAN_H

#include "reduce.h"
#include "stream.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct jr_plan jr_plan;

/* Destroys a plan of any kind (reduction, segments, scan, state, merge). All its runs must be complete.
 *
 * plan: may be NULL.
 *
 * Owns: takes the plan.
 * Threads: no other thread may be using it.
 * Errors: none.
 * Since: 0.1. */
JR_API void jr_plan_destroy(jr_plan *plan);

/* Runs a reduction with the plan's own workspace and waits for its values: the shortest way to a number that the host
 * needs, because no copy is started and the stream is not synchronised. Plans of segments and scans are refused.
 *
 * The call may return before the stream has ended: wait for `stream` before the plan's own workspace is used on another
 * stream. The call may also wait for work that other threads enqueue on the stream meanwhile. The first call allocates
 * a page of host memory.
 *
 * d_in, count: as in jr_work_plan_run: an array of addresses, also for one input, (const void *const[]){d_in}.
 * stream: of the plan's context; NULL: the default stream. A stream that is being captured is refused; its capture
 *   stays intact.
 * values: one per operator of the spec, and one more with spec.kept; written on success only, that is, not if `where`
 *   excludes all elements and a result then has no value.
 *
 * Owns: nothing.
 * Threads: no other thread may be using the plan's own workspace.
 * Errors: JR_ERROR_EMPTY_INPUT, JR_ERROR_OUT_OF_MEMORY, JR_ERROR_INVALID_ARGUMENT, JR_ERROR_WRONG_CONTEXT,
 *   JR_ERROR_DRIVER, JR_ERROR_DEVICE_FAULT.
 * Since: 0.1. */
JR_API jr_status jr_plan_value(jr_plan *plan, const void *const *d_in, uint64_t count, jr_stream stream,
                               jr_value *values);

/* Sets the value of a named parameter of the spec for the runs that follow. It compiles nothing.
 *
 * name: the name of one of the spec's parameters.
 * value: of the type that the spec gives the parameter; copied.
 *
 * Owns: nothing.
 * Threads: no other thread may be using the plan.
 * Errors: JR_ERROR_INVALID_ARGUMENT.
 * Since: 0.1. */
JR_API jr_status jr_plan_parameter_set(jr_plan *plan, const char *name, const jr_value *value);

/* Returns the layout of a run's results: how many there are (one per operator, and one more with spec.kept), how many
 * bytes they take together, and where the index-th begins.
 *
 * plan: may be NULL.
 * index: 0 to jr_plan_result_count - 1.
 *
 * Returns: the count; bytes; bytes from the start. 0 if `plan` is NULL or `index` is out of range.
 * Owns: nothing.
 * Threads: any.
 * Errors: none.
 * Since: 0.1. */
JR_API int jr_plan_result_count(const jr_plan *plan);
JR_API size_t jr_plan_result_bytes(const jr_plan *plan);
JR_API size_t jr_plan_result_offset(const jr_plan *plan, int index);

/* Returns the size of a workspace of this plan.
 *
 * plan: may be NULL.
 *
 * Returns: bytes of device memory; 0: no workspace is needed, or `plan` is NULL.
 * Owns: nothing.
 * Threads: any.
 * Errors: none.
 * Since: 0.1. */
JR_API size_t jr_plan_workspace_bytes(const jr_plan *plan);

/* Enqueues the preparation of a workspace on `stream` and returns. Call it once for each new workspace, not before each
 * run.
 *
 * workspace: jr_plan_workspace_bytes of device memory, aligned to 16; NULL if that is 0.
 * stream: of the plan's context; NULL: the default stream.
 *
 * Owns: nothing; the memory must stay valid until the stream reaches the end of the preparation.
 * Threads: any.
 * Errors: JR_ERROR_INVALID_ARGUMENT, JR_ERROR_WRONG_CONTEXT, JR_ERROR_DRIVER, JR_ERROR_DEVICE_FAULT.
 * Since: 0.1. */
JR_API jr_status jr_plan_workspace_prepare(jr_plan *plan, void *workspace, jr_stream stream);

/* Returns the type of a plan's first result (jr_plan_result_type), or of its index-th one (jr_plan_result_type_at).
 *
 * plan: may be NULL.
 * index: 0 to jr_plan_result_count - 1.
 *
 * Returns: the type; JR_TYPE_NONE if `plan` is NULL or `index` is out of range.
 * Owns: nothing.
 * Threads: any.
 * Errors: none.
 * Since: 0.1. */
JR_API jr_type jr_plan_result_type(const jr_plan *plan);
JR_API jr_type jr_plan_result_type_at(const jr_plan *plan, int index);

/* Writes what making the plan cost, and which tuning was chosen (with the grid for a large input).
 *
 * stats: `size` must be set; the rest is written, on success only.
 *
 * Owns: nothing.
 * Threads: any.
 * Errors: JR_ERROR_INVALID_ARGUMENT.
 * Since: 0.1. */
JR_API jr_status jr_plan_stats(const jr_plan *plan, jr_stats *stats);

/* Returns how many different kernels a plan launches.
 *
 * plan: may be NULL.
 *
 * Returns: at least 1; 0 if `plan` is NULL.
 * Owns: nothing.
 * Threads: any.
 * Errors: none.
 * Since: 0.1. */
JR_API unsigned jr_plan_kernel_count(const jr_plan *plan);

/* What one run costs. */
typedef struct jr_run_cost {
    size_t size;          /* sizeof(jr_run_cost) */
    double kernel_ms;     /* device time between an event before the run and one after it: the least of all rounds */
    int launches;         /* kernels launched */
    uint64_t moved_bytes; /* device memory that the algorithm reads and writes: input, partial results, output. Caches
                           * may serve some of it */
} jr_run_cost;

/* Runs a reduction some rounds on the default stream with the plan's own workspace, waits for each round, and measures
 * it.
 *
 * d_in, count, d_out: as in jr_work_plan_run.
 * rounds: 1 or more; the first round warms up the caches.
 * cost: `size` must be set; the rest is written, on success only.
 *
 * Owns: nothing.
 * Threads: no other thread may be using the plan's own workspace.
 * Errors: JR_ERROR_EMPTY_INPUT, JR_ERROR_INVALID_ARGUMENT, JR_ERROR_WRONG_CONTEXT, JR_ERROR_DRIVER,
 *   JR_ERROR_DEVICE_FAULT.
 * Since: 0.1. */
JR_API jr_status jr_plan_time(jr_plan *plan, const void *const *d_in, uint64_t count, void *d_out, int rounds,
                              jr_run_cost *cost);

#ifdef __cplusplus
}
#endif
#endif
