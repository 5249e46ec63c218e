/* Tier 2: a plan does the slow work once, then runs on device memory in the caller's stream. */
#ifndef JITREDUCE_PLAN_H
#define JITREDUCE_PLAN_H

#include "reduce.h"
#include "stream.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct jr_plan jr_plan;

/* Makes a plan: chooses the tuning, finds or compiles the kernels, loads them, allocates its own workspace.
 * spec: copied. Writes *plan on success only.
 * Owns: the caller destroys it before closing the context. Threads: any. Errors: as jr_reduce_host, except
 * JR_ERROR_EMPTY_INPUT. Since: 0.1. */
JR_API jr_status jr_plan_create(jr_context *context, const jr_spec *spec, jr_plan **plan);

/* Destroys a plan. No run of it may still be in flight.
 * plan: may be NULL. Owns: takes the plan. Threads: no other thread may be using it. Errors: none. Since: 0.1. */
JR_API void jr_plan_destroy(jr_plan *plan);

/* Runs the reduction on a stream, asynchronously: it has happened when the stream gets there.
 * Allocates nothing, takes no lock, waits for nothing, may be captured into a CUDA graph. Works in the plan's
 * context whatever context is current.
 * Where device and driver can (compute capability 9.0, CUDA 12.3), its kernels are launched before those in front of
 * them on the stream have ended, and wait for them on the device (programmatic dependent launch); in a captured graph
 * these are programmatic edges.
 * d_in: device memory (or mapped host memory), count elements aligned to the element; may be NULL when count is 0.
 * d_out: device memory for the result, aligned to its type; of a list of operators jr_plan_result_bytes, aligned to 16.
 * workspace: NULL for the plan's own, or jr_plan_workspace_bytes of device memory aligned to 16 and prepared once by
 * jr_plan_workspace_prepare. Each stream in flight at the same time needs a workspace of its own.
 * When `where` leaves out all elements, which nobody knows before the stream gets there, the result is what an empty
 * input gives: 0 of sum, or, xor, count_nonzero, norms, sumsq and dot, 1 of prod, all ones of and, false of any, true
 * of all, NaN of mean, var and std, -inf of logsumexp, the identity of custom. Where that is an error, it is the
 * identity: of min the highest and of max the lowest value of the element type (infinities of floats, of e4m3 448; NaN
 * with JR_NAN_IGNORE), converted to the result's type, of argmin and argmax -1. spec.kept tells it from a value.
 * Owns: nothing; all pointers must stay valid until the stream gets there. Threads: any, with different workspaces.
 * Errors: JR_ERROR_INVALID_ARGUMENT, JR_ERROR_EMPTY_INPUT (of a count of 0), JR_ERROR_WRONG_CONTEXT, JR_ERROR_DRIVER,
 * JR_ERROR_DEVICE_FAULT. Since: 0.1. */
JR_API jr_status jr_plan_run(jr_plan *plan, const void *d_in, uint64_t count, void *d_out, void *workspace,
                             jr_stream stream);

/* Runs the reduction of several arrays, read side by side.
 * d_in: as many device arrays as the spec has inputs, count elements each. The rest, and all rules, as jr_plan_run.
 * Owns: nothing. Threads: as jr_plan_run. Errors: as jr_plan_run. Since: 0.1. */
JR_API jr_status jr_plan_run_arrays(jr_plan *plan, const void *const *d_in, uint64_t count, void *d_out,
                                    void *workspace, jr_stream stream);

/* Runs the reduction with the plan's own workspace and waits for its values: the short way to a number that the host
 * needs, since no copy is started and the stream is not synchronised.
 * d_in, count, stream: as jr_plan_run_arrays; a stream that is being captured is refused, and its capture goes on.
 * values: one for each operator of the spec, and one more with spec.kept; written on success only, so not when `where`
 * leaves nothing that has a value. The first call allocates a page of host memory.
 * The value may be there before the stream has ended: before the plan's own workspace is used on another stream, this
 * one must be waited for. Work that other threads put on the stream meanwhile may be waited for, too. Not for plans of
 * segments and scans.
 * Owns: nothing. Threads: no other thread may be using the plan's own workspace. Errors: as jr_plan_run,
 * JR_ERROR_EMPTY_INPUT, JR_ERROR_OUT_OF_MEMORY. Since: 0.1. */
JR_API jr_status jr_plan_value(jr_plan *plan, const void *const *d_in, uint64_t count, jr_stream stream,
                               jr_value *values);

/* Sets the value of a named parameter of the spec for the runs that follow. Nothing is compiled.
 * value: of the type that the spec gave the parameter.
 * Owns: nothing. Threads: no other thread may be using the plan. Errors: JR_ERROR_INVALID_ARGUMENT. Since: 0.1. */
JR_API jr_status jr_plan_parameter_set(jr_plan *plan, const char *name, const jr_value *value);

/* Returns how many results a run writes: one for each operator, and one more with spec.kept; how many bytes they take
 * together; and where the index-th begins.
 * Owns: nothing. Threads: any. Errors: none; 0 for NULL and for an index that is none. Since: 0.1. */
JR_API int jr_plan_result_count(const jr_plan *plan);
JR_API size_t jr_plan_result_bytes(const jr_plan *plan);
JR_API size_t jr_plan_result_offset(const jr_plan *plan, int index);

/* Returns how many bytes of device memory a workspace of this plan takes; may be 0, and then it may be NULL.
 * Owns: nothing. Threads: any. Errors: none; 0 for NULL. Since: 0.1. */
JR_API size_t jr_plan_workspace_bytes(const jr_plan *plan);

/* Prepares a workspace, asynchronously in stream order; once for each new workspace, not before each run.
 * workspace: jr_plan_workspace_bytes of device memory aligned to 16; NULL when that is 0.
 * Owns: nothing. Threads: any. Errors: JR_ERROR_INVALID_ARGUMENT, JR_ERROR_DRIVER. Since: 0.1. */
JR_API jr_status jr_plan_workspace_prepare(jr_plan *plan, void *workspace, jr_stream stream);

/* Returns the type of the value that the plan writes (jr_plan_result_type: the first), or of its index-th one.
 * Owns: nothing. Threads: any. Errors: none; JR_TYPE_NONE for NULL and for an index that is none. Since: 0.1. */
JR_API jr_type jr_plan_result_type(const jr_plan *plan);
JR_API jr_type jr_plan_result_type_at(const jr_plan *plan, int index);

/* Writes what making the plan cost and what was chosen (grid for a large input).
 * Owns: nothing. Threads: any. Errors: JR_ERROR_INVALID_ARGUMENT. Since: 0.1. */
JR_API jr_status jr_plan_stats(const jr_plan *plan, jr_stats *stats);

/* Returns how many different kernels the plan launches; at least 1.
 * Owns: nothing. Threads: any. Errors: none; 0 for NULL. Since: 0.1. */
JR_API unsigned jr_plan_kernel_count(const jr_plan *plan);

/* What one run costs. */
typedef struct jr_run_cost {
    size_t size;          /* sizeof(jr_run_cost) */
    double kernel_ms;     /* device time between an event before the run and one after it: the least of all rounds */
    int launches;         /* kernels launched */
    uint64_t moved_bytes; /* device memory read and written, as the algorithm's text says: input, partial results,
                           * output. Caches may serve a part of it */
} jr_run_cost;

/* Runs the reduction some rounds on the default stream with the plan's own workspace, waits for each, and measures.
 * d_in, count, d_out: as jr_plan_run_arrays. rounds: 1 or more; the first one warms caches up. cost: written on success
 * only.
 * Owns: nothing. Threads: no other thread may be using the plan's own workspace. Errors: as jr_plan_run. Since: 0.1. */
JR_API jr_status jr_plan_time(jr_plan *plan, const void *const *d_in, uint64_t count, void *d_out, int rounds,
                              jr_run_cost *cost);

#ifdef __cplusplus
}
#endif
#endif
