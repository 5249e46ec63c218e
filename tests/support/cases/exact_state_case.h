/* What the tests of kept states share. */
#ifndef TESTS_SUPPORT_EXACT_STATE_CASE_H
#define TESTS_SUPPORT_EXACT_STATE_CASE_H

#include "support/fixtures/open_context.h"

enum { STATE_BYTES = 4096 };

/* A state as bytes. */
typedef struct written_state {
    uint8_t bytes[STATE_BYTES];
    size_t size;
} written_state;

/* An exact spec over f32. */
#define EXACT_SPEC(...) JR_INIT(jr_spec, .type = JR_F32, .accuracy = JR_ACCURACY_EXACT, __VA_ARGS__)

/* A state of nothing. */
jr_exact_state *exact_state_new(const opened *device, const jr_spec *spec);

/* Writes a state, into as much room as it says that it takes. */
written_state exact_state_written(const jr_exact_state *state);

/* The state has these bytes. */
void exact_state_assert(const jr_exact_state *state, const written_state *wanted);

/* The bytes of the state of a sum of floats. */
written_state exact_state_of_floats(const opened *device, const float *x, uint64_t count);

#endif
