/* What the tests of kept states share. */
#ifndef TESTS_SUPPORT_KEPT_STATE_CASE_H
#define TESTS_SUPPORT_KEPT_STATE_CASE_H

#include "support/fixtures/open_context.h"

enum { STATE_BYTES = 4096 };

/* A state, and how many elements it has seen. */
typedef struct kept_state {
    uint8_t state[STATE_BYTES];
    uint64_t elements;
} kept_state;

/* A state as bytes. */
typedef struct written_state {
    uint8_t bytes[STATE_BYTES];
    size_t size;
} written_state;

/* An exact spec over f32. */
#define EXACT_SPEC(...) JR_INIT(jr_spec, .type = JR_F32, .accuracy = JR_ACCURACY_EXACT, __VA_ARGS__)

/* The state of a part of host memory. */
kept_state kept_state_of(const opened *device, const jr_spec *spec, const void *const *arrays, uint64_t count,
                         uint64_t first);

/* The same of floats, as bytes, by a spec. */
written_state kept_state_of_floats(const opened *device, const jr_spec *spec, const float *x, uint64_t count);

/* Merges a state with one that follows it; and finishes one. */
void kept_state_add(const opened *device, const jr_spec *spec, kept_state *to, const kept_state *more);
void kept_state_values(const opened *device, const jr_spec *spec, const kept_state *kept, jr_value *values);

/* Writes a state, into as much room as it says that it takes; reads one. */
written_state kept_state_written(const jr_spec *spec, const kept_state *kept);
kept_state kept_state_read(const jr_spec *spec, const written_state *written);

/* The state has these bytes. */
void kept_state_assert(const jr_spec *spec, const kept_state *kept, const written_state *wanted);

#endif
