/* Partial states: a reduction in parts, which may be on different devices, in different processes, or computed at
 * different times.
 * Manual: state.md. */
#ifndef JITREDUCE_STATE_H
#define JITREDUCE_STATE_H

#include "plan.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The state of a part is the fold of its elements before the initial value and `finish`: bytes, as many for every state
 * of a spec, that may be copied, sent and stored (padding between members may differ from run to run). States of the
 * same spec, made by the same version of the library on any device, are merged in the order in which they are given, so
 * a custom operator need not be commutative. Every operator, type, expression and list can be reduced in parts.
 *
 * Operators that round: the result depends on how the elements are cut into parts, and on block, unroll factor and grid
 * of each part's plan, as a result without parts does. It does not depend on when, where and in which order the parts
 * were computed. */

/* A part of the input. */
typedef struct jr_part {
    size_t size;             /* sizeof(jr_part) */
    const void *const *d_in; /* device memory: as many arrays as the spec has inputs, aligned to their elements */
    uint64_t count;          /* elements of each array; may be 0 */
    uint64_t first;          /* index of the part's first element in the whole input: i, argmin and argmax count from
                              * it */
} jr_part;

/* What a merge of states writes. */
typedef enum jr_merge_kind {
    JR_MERGE_TO_RESULT = 0, /* the results: the initial value is folded in before the first state, then `finish` */
    JR_MERGE_TO_STATE = 1   /* a state, to be merged with others later */
} jr_merge_kind;

/* Makes a plan whose runs write states instead of results: run it with jr_state_plan_run. jr_plan_result_bytes is the
 * size of a state; jr_plan_result_type is JR_STRUCT.
 *
 * spec: copied; as in jr_plan_create.
 * plan: where the plan is written, on success only.
 *
 * Owns: the caller destroys it with jr_plan_destroy before closing the context.
 * Threads: any.
 * Errors: those of jr_plan_create.
 * Since: 0.2. */
JR_API jr_status jr_state_plan_create(jr_context *context, const jr_spec *spec, jr_plan **plan);

/* Enqueues the fold of a part into its state on `stream` and returns; it is complete once the stream reaches it. What
 * jr_plan_run says of allocation, captures and kernels holds here, too.
 *
 * part: read before the call returns.
 * d_state: device memory for jr_plan_result_bytes, aligned to 16; it must not overlap the part.
 * workspace: as in jr_plan_run.
 * stream: of the plan's context; NULL: the default stream.
 *
 * Owns: nothing; the memory must stay valid until the stream reaches the end of the run.
 * Threads: any, with different workspaces.
 * Errors: JR_ERROR_INVALID_ARGUMENT, JR_ERROR_WRONG_CONTEXT, JR_ERROR_DRIVER, JR_ERROR_DEVICE_FAULT.
 * Since: 0.2. */
JR_API jr_status jr_state_plan_run(jr_plan *plan, const jr_part *part, void *d_state, void *workspace,
                                   jr_stream stream);

/* Makes a plan that merges states: run it with jr_merge_plan_run.
 *
 * spec: copied; the spec of the states, whose tuning is ignored.
 * kind: what the merge writes.
 * plan: where the plan is written, on success only.
 *
 * Owns: the caller destroys it with jr_plan_destroy before closing the context.
 * Threads: any.
 * Errors: those of jr_plan_create.
 * Since: 0.2. */
JR_API jr_status jr_merge_plan_create(jr_context *context, const jr_spec *spec, jr_merge_kind kind, jr_plan **plan);

/* Returns the size of the states that a plan merges.
 *
 * plan: may be NULL.
 *
 * Returns: bytes; 0 if `plan` is NULL or does not merge states.
 * Owns: nothing.
 * Threads: any.
 * Errors: none.
 * Since: 0.2. */
JR_API size_t jr_merge_plan_state_bytes(const jr_plan *plan);

/* The states of one run. */
typedef struct jr_states {
    size_t size;          /* sizeof(jr_states) */
    const void *d_states; /* device memory: states of jr_merge_plan_state_bytes each, consecutive, aligned to 16; may be
                           * NULL if count is 0 */
    uint64_t count;       /* states; may be 0 if the operator has a value for an empty input, or with
                           * JR_MERGE_TO_STATE */
    uint64_t elements;    /* elements of all parts together: the n of `finish` and the divisor of mean, which
                           * is inf or NaN if this is forgotten */
} jr_states;

/* Enqueues the merge of states, in their order, on `stream` and returns; it is complete once the stream reaches it. It
 * is one launch that allocates nothing and needs no workspace.
 *
 * states: read before the call returns.
 * d_out: device memory for the results, aligned as in jr_plan_run, or for a state, aligned to 16; it must not overlap
 *   the states.
 * stream: of the plan's context; NULL: the default stream.
 *
 * Owns: nothing; the memory must stay valid until the stream reaches the end of the merge.
 * Threads: any.
 * Errors: JR_ERROR_EMPTY_INPUT (no elements, and the operator has no value for that), JR_ERROR_INVALID_ARGUMENT,
 *   JR_ERROR_WRONG_CONTEXT, JR_ERROR_DRIVER, JR_ERROR_DEVICE_FAULT.
 * Since: 0.2. */
JR_API jr_status jr_merge_plan_run(jr_plan *plan, const jr_states *states, void *d_out, jr_stream stream);

#ifdef __cplusplus
}
#endif
#endif
