/* What the tests of segments share: offsets of many kinds, a run on device memory, and a judge for each segment. */
#ifndef TESTS_SUPPORT_SEGMENT_CASE_H
#define TESTS_SUPPORT_SEGMENT_CASE_H

#include "support/fixtures/open_context.h"

/* Segments of one test, with offsets on the host. */
typedef struct segment_case {
    jr_segment_layout layout;
    uint64_t count;
    uint64_t *offsets;    /* NULL unless the layout has some, or keys: then where they change */
    unsigned char *keys;  /* NULL unless the layout has some */
    uint64_t key_shift;   /* keys by which the device's are off their 256-byte alignment */
    uint64_t elements;    /* of the input */
    uint64_t input_shift; /* elements by which the device input is off its 256-byte alignment */
} segment_case;

/* Equal segments, and columns of `inner` elements apart. */
segment_case segments_equal(uint64_t count, uint64_t length);
segment_case segments_strided(uint64_t outer, uint64_t length, uint64_t inner);

/* Axes of an array, bit k of `reduced` for dimension k, as the layout itself says them: they need not be merged. */
segment_case segments_axes(const uint64_t *shape, int dimensions, unsigned reduced);

/* Segments of 0 up to `most` elements, every eighth one empty; the first begins at element 3. */
segment_case segments_random(uint64_t count, uint64_t most, uint64_t *seed);

/* Runs of equal keys, of 1 up to `most` elements. Keys of floats hold zeros of both signs in one run, and NaNs, each of
 * which is a run. */
segment_case segments_runs(jr_type key_type, uint64_t count, uint64_t most, uint64_t *seed);

/* Makes segment s `more` elements longer. */
void segments_stretch(segment_case *segments, uint64_t s, uint64_t more);

/* How many elements segment s has, and which element of the input its k-th one is. */
uint64_t segments_length(const segment_case *segments, uint64_t s);
uint64_t segments_element(const segment_case *segments, uint64_t s, uint64_t k);

/* Runs a plan of its own over an input on the device; returns the results: jr_plan_result_bytes each. */
unsigned char *segments_run(const opened *device, const jr_spec *spec, const segment_case *segments, const void *data);

/* Reduces data of an element type (random, without rounding) and compares every segment with the CPU reference, to
 * the bit. Fails the test with the segment's number. */
void segments_judge(const opened *device, const jr_spec *spec, const segment_case *segments, uint64_t *seed);

/* The same by mean, var, norm2 and logsumexp of a type: accumulators of every size. */
void segments_judge_accumulators(const opened *device, jr_type type, const segment_case *segments, uint64_t *seed);

/* Composes x -> m x + c, which commutes less than anything, along every segment, and compares with the same on the CPU,
 * to the bit. */
void segments_judge_order(const opened *device, const segment_case *segments, uint64_t *seed);

#endif
