/* Partial states: a reduction in parts, which may be on different devices, in different processes, or computed at
 * different times.
 * Manual: state.md. */
#ifndef JITREDUCE_STATE_H
#define JITREDUCE_STATE_H

#include "plan.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A plan of JR_WORK_STATE (work.h) folds a part of the input to its state, and plans of JR_WORK_MERGE and
 * JR_WORK_MERGE_STATES merge states.
 *
 * The state of a part is the fold of its elements before the initial value and `finish`: bytes, as many for every state
 * of a spec, that may be copied, sent and stored (padding between members may differ from run to run). States of the
 * same spec, made by the same version of the library on any device, are merged in the order in which they are given, so
 * a custom operator need not be commutative. Every operator, type, expression and list can be reduced in parts.
 *
 * Operators that round: the result depends on how the elements are cut into parts, and on block, unroll factor and grid
 * of each part's plan, as a result without parts does. It does not depend on when, where and in which order the parts
 * were computed. */

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

#ifdef __cplusplus
}
#endif
#endif
