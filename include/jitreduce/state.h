/* Partial states: a reduction in parts that need not lie on one device, in one process, or be there at one time. */
#ifndef JITREDUCE_STATE_H
#define JITREDUCE_STATE_H

#include "plan.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The state of a part is what its elements come to before `finish` and before the initial value: bytes of one size for
 * a spec, that may be copied, sent and stored (bytes between members may differ from run to run). States of the same
 * spec, made by the same version of the library on whatever device, are merged in the order in which they are given: a
 * custom operator need not be commutative. So every operator, type, expression and list can be reduced in parts.
 *
 * What a result depends on: for operators that round, on how the elements are cut into parts, and on block, unroll
 * factor and grid of each part's plan, as a result without parts does; not on when, where and in which order the parts
 * were computed. */

/* A part of the input. */
typedef struct jr_part {
    size_t size;             /* sizeof(jr_part) */
    const void *const *d_in; /* device memory: as many arrays as the spec has inputs, aligned to their elements */
    uint64_t count;          /* elements of each; may be 0: the state of nothing */
    uint64_t first;          /* number of the part's first element in the whole: what i, argmin and argmax count from */
} jr_part;

/* What merging states gives. */
typedef enum jr_merge_kind {
    JR_MERGE_TO_RESULT = 0, /* the results: the initial value before the first state, then finish */
    JR_MERGE_TO_STATE = 1   /* a state again */
} jr_merge_kind;

/* Makes a plan whose runs write states instead of results: run it with jr_state_plan_run. jr_plan_result_bytes is the
 * size of a state, jr_plan_result_type JR_STRUCT.
 * spec: as of jr_plan_create, copied. Writes *plan on success only.
 * Owns: the caller destroys it (jr_plan_destroy) before closing the context. Threads: any. Errors: as jr_plan_create.
 * Since: 0.2. */
JR_API jr_status jr_state_plan_create(jr_context *context, const jr_spec *spec, jr_plan **plan);

/* Folds a part into its state, asynchronously, by the rules of jr_plan_run.
 * part: read before the call returns. d_state: device memory, jr_plan_result_bytes, aligned to 16. workspace: as of
 * jr_plan_run.
 * Owns: nothing; all pointers must stay valid until the stream gets there. Threads: any, with different workspaces.
 * Errors: as jr_plan_run, but for JR_ERROR_EMPTY_INPUT. Since: 0.2. */
JR_API jr_status jr_state_plan_run(jr_plan *plan, const jr_part *part, void *d_state, void *workspace,
                                   jr_stream stream);

/* Makes a plan that merges states, which lie one behind the other, jr_merge_plan_state_bytes each.
 * spec: that of the states; its tuning is not looked at. Writes *plan on success only.
 * Owns: as jr_state_plan_create. Threads: any. Errors: as jr_plan_create. Since: 0.2. */
JR_API jr_status jr_merge_plan_create(jr_context *context, const jr_spec *spec, jr_merge_kind kind, jr_plan **plan);

/* Returns the size of the states that a plan merges.
 * Owns: nothing. Threads: any. Errors: none; 0 for NULL and for plans that merge nothing. Since: 0.2. */
JR_API size_t jr_merge_plan_state_bytes(const jr_plan *plan);

/* The states of one run. */
typedef struct jr_states {
    size_t size;          /* sizeof(jr_states) */
    const void *d_states; /* device memory, aligned to 16; may be NULL when there are none */
    uint64_t count;       /* 1 or more; or 0 where the operator has a value for nothing, or a state is asked for */
    uint64_t elements;    /* of all parts together: the n of finish, and what mean divides by */
} jr_states;

/* Merges states in their order, asynchronously, with one launch that allocates nothing and needs no workspace.
 * states: read before the call returns. d_out: device memory for the result, as of jr_plan_run, or for a state, aligned
 * to 16; it must not overlap the states.
 * Owns: nothing; all pointers must stay valid until the stream gets there. Threads: any. Errors:
 * JR_ERROR_INVALID_ARGUMENT, JR_ERROR_EMPTY_INPUT (a result of no elements), JR_ERROR_WRONG_CONTEXT, JR_ERROR_DRIVER,
 * JR_ERROR_DEVICE_FAULT. Since: 0.2. */
JR_API jr_status jr_merge_plan_run(jr_plan *plan, const jr_states *states, void *d_out, jr_stream stream);

#ifdef __cplusplus
}
#endif
#endif
