/* A state of exact sums that is kept: an accumulator in host memory, to which parts are added. */
#ifndef JR_EXACT_EXACT_STATE_H
#define JR_EXACT_EXACT_STATE_H

#include "host/host.h"
#include "jitreduce/exact_state.h"
#include "plan/plan.h"

/* Its sums were all checked when they were added: as many elements as are counted come to them. */
struct jr_exact_state {
    jr_context *context;
    jr_reduction *reduction;
    unsigned char *sums; /* accumulator_bytes of the reduction */
    uint64_t elements;
};

/* Makes a state of nothing. Written on success; freed by jr_exact_state_free. */
jr_status jr_exact_state_make(jr_context *context, const jr_spec *spec, jr_exact_state **state);
void jr_exact_state_free(jr_exact_state *state); /* NULL is fine */

/* Add to a state, which a failed call leaves as it was: a part of host memory; what a plan to states has left, brought
 * to the host; another state; the bytes of one. Errors: see the public functions. */
jr_status jr_exact_state_fold(jr_exact_state *state, const jr_host_part *part);
jr_status jr_exact_state_take(jr_exact_state *state, const jr_plan *plan, const void *left, uint64_t elements);
jr_status jr_exact_state_join(jr_exact_state *state, const jr_exact_state *other);
jr_status jr_exact_state_decode(jr_exact_state *state, const void *bytes, size_t size);

/* Finishes it: values, one for each result of the spec, written on success only. */
jr_status jr_exact_state_finish(const jr_exact_state *state, jr_value *values);

#endif
