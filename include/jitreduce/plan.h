/* Plans, the second tier: a plan does the slow work once, then runs on device memory in the caller's stream.
 * Manual: embedding.md. */
#ifndef JITREDUCE_PLAN_H
#define JITREDUCE_PLAN_H

#include "reduce.h"
#include "stream.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct jr_plan jr_plan;

/* Makes a plan: chooses the tuning, finds or compiles the kernels, loads them, and allocates the plan's own workspace.
 *
 * spec: copied.
 * plan: where the plan is written, on success only.
 *
 * Owns: the caller destroys it with jr_plan_destroy before closing the context.
 * Threads: any.
 * Errors: JR_ERROR_INVALID_ARGUMENT, JR_ERROR_UNSUPPORTED_TYPE, JR_ERROR_NOT_APPLICABLE, JR_ERROR_INVALID_EXPRESSION
 *   (jr_last_error()->log shows the expression and a caret), JR_ERROR_COMPILE, JR_ERROR_NVRTC_NOT_FOUND,
 *   JR_ERROR_ARCHITECTURE, JR_ERROR_LOAD, JR_ERROR_LAUNCH_RESOURCES, JR_ERROR_OUT_OF_MEMORY,
 *   JR_ERROR_DEVICE_OUT_OF_MEMORY, JR_ERROR_DRIVER, JR_ERROR_DEVICE_FAULT.
 * Since: 0.1. */
JR_API jr_status jr_plan_create(jr_context *context, const jr_spec *spec, jr_plan **plan);

/* Destroys a plan of any kind (reduction, segments, scan, state, merge). All its runs must be complete.
 *
 * plan: may be NULL.
 *
 * Owns: takes the plan.
 * Threads: no other thread may be using it.
 * Errors: none.
 * Since: 0.1. */
JR_API void jr_plan_destroy(jr_plan *plan);

/* Enqueues a reduction on `stream` and returns; it is complete once the stream reaches it. The call allocates nothing,
 * takes no lock and does not wait, and it may be captured into a CUDA graph. It works in the plan's context, whatever
 * context is current.
 *
 * Its kernels may start before earlier kernels on the stream have ended, and then wait for them on the device
 * (programmatic dependent launch; compute capability 9.0, CUDA 12.3). In a captured graph these dependencies are
 * programmatic edges.
 *
 * If `where` excludes all elements, which is known only on the device, the result is that of an empty input: 0 for sum,
 * or, xor, count_nonzero, norms, sumsq and dot; 1 for prod; all ones for and; false for any; true for all; NaN for
 * mean, var and std; -inf for logsumexp; the identity for custom. Operators without such a value write their identity:
 * min the highest and max the lowest value of the element type (infinities for floats, 448 for e4m3; NaN with
 * JR_NAN_IGNORE), converted to the result type; argmin and argmax -1. Set spec.kept to distinguish these from values.
 *
 * d_in: device memory (or mapped host memory), `count` elements, aligned to the element; may be NULL if `count` is 0.
 *   The spec must have one input; with several use jr_plan_run_arrays.
 * count: elements; may be 0 if the operator has a value for an empty input.
 * d_out: device memory for jr_plan_result_bytes, aligned to the result type; with several results aligned to 16. It
 *   must not overlap the input (scans: see jr_scan_plan_create).
 * workspace: NULL: the plan's own; else jr_plan_workspace_bytes of device memory, aligned to 16, prepared once by
 *   jr_plan_workspace_prepare. Runs on different streams at the same time must use different workspaces.
 * stream: of the plan's context; NULL: the default stream.
 *
 * Owns: nothing; the memory must stay valid until the stream reaches the end of the run.
 * Threads: any, with different workspaces.
 * Errors: JR_ERROR_EMPTY_INPUT (`count` is 0 and the operator has no value for that), JR_ERROR_INVALID_ARGUMENT,
 *   JR_ERROR_WRONG_CONTEXT, JR_ERROR_DRIVER, JR_ERROR_DEVICE_FAULT.
 * Since: 0.1. */
JR_API jr_status jr_plan_run(jr_plan *plan, const void *d_in, uint64_t count, void *d_out, void *workspace,
                             jr_stream stream);

/* Enqueues a reduction of several arrays that are read side by side, like jr_plan_run in everything else.
 *
 * d_in: one device array per input of the spec, `count` elements each; the array of pointers is read before the call
 *   returns.
 * count, d_out, workspace, stream: as in jr_plan_run.
 *
 * Owns: nothing; the memory must stay valid until the stream reaches the end of the run.
 * Threads: any, with different workspaces.
 * Errors: JR_ERROR_EMPTY_INPUT (`count` is 0 and the operator has no value for that), JR_ERROR_INVALID_ARGUMENT,
 *   JR_ERROR_WRONG_CONTEXT, JR_ERROR_DRIVER, JR_ERROR_DEVICE_FAULT.
 * Since: 0.1. */
JR_API jr_status jr_plan_run_arrays(jr_plan *plan, const void *const *d_in, uint64_t count, void *d_out,
                                    void *workspace, jr_stream stream);

/* Runs a reduction with the plan's own workspace and waits for its values: the shortest way to a number that the host
 * needs, because no copy is started and the stream is not synchronised. Plans of segments and scans are refused.
 *
 * The call may return before the stream has ended: wait for `stream` before the plan's own workspace is used on another
 * stream. The call may also wait for work that other threads enqueue on the stream meanwhile. The first call allocates
 * a page of host memory.
 *
 * d_in, count: as in jr_plan_run_arrays: an array of addresses, also for one input, (const void *const[]){d_in}.
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
 * d_in, count, d_out: as in jr_plan_run_arrays.
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
