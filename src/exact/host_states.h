/* States in host memory: of parts that are folded there, and merged. */
#ifndef JR_EXACT_HOST_STATES_H
#define JR_EXACT_HOST_STATES_H

#include "host/host.h"

/* Folds a part of host memory to its state, and keeps what it cost as the context's statistics. state: room for
 * accumulator_bytes; written on success only. */
jr_status jr_host_states_fold(jr_context *context, const jr_spec *spec, const jr_host_part *part, void *state);

/* A merge of `count` states, one after the other, of `elements` in all. */
typedef struct jr_host_states {
    const unsigned char *states;
    uint64_t count, elements;
} jr_host_states;

/* Merges them into one, or into values. The host adds exact sums itself. state may be one of the states. Written on
 * success only. Errors: those of jr_work_plan_create. */
jr_status jr_host_states_merge(jr_context *context, const jr_spec *spec, const jr_host_states *given, void *state);
jr_status jr_host_states_finish(jr_context *context, const jr_spec *spec, const jr_host_states *given,
                                jr_value *values);

#endif
