/* Structs that lie at less than the boundaries of words: results of short segments were stored as whole words wherever
 * they lie, and wave scans of structs of odd sizes read more of their totals than was written. */
#include <stdio.h>

#include "support/fixtures/open_context.h"

enum { COUNT = 3000 };

/* A struct that is an array, whose members are added each for itself. */
typedef struct bytes_struct {
    char source[512];
    jr_structure structure;
} bytes_struct;

static void make_bytes(bytes_struct *made, const char *member, int count, size_t bytes, size_t alignment) {
    snprintf(made->source, sizeof made->source,
             "struct some { %s v[%d]; };\n"
             "__device__ inline some sum(some a, some b) {\n"
             "    for (int k = 0; k < %d; k++) a.v[k] += b.v[k];\n"
             "    return a;\n"
             "}\n"
             "__device__ inline some none() { some n; for (int k = 0; k < %d; k++) n.v[k] = 0; return n; }\n",
             member, count, count, count);
    made->structure =
        JR_INIT(jr_structure, .name = "some", .source = made->source, .bytes = bytes, .alignment = alignment);
}

static jr_spec sums_of(const bytes_struct *made) {
    return JR_INIT(jr_spec, .op = JR_OP_CUSTOM, .type = JR_STRUCT, .structure = &made->structure,
                   .combine = "sum(a, b)", .identity = "none()", .commutative = true);
}

static void sum_pairs(const opened *device, const char *member, int count, size_t bytes, size_t alignment) {
    enum { PAIRS = 5, MEMBERS = 64 };
    bytes_struct made;
    unsigned char data[2 * PAIRS * MEMBERS], sums[PAIRS * MEMBERS];
    uint64_t seed = bytes;
    jr_plan *plan;
    make_bytes(&made, member, count, bytes, alignment);
    for (size_t i = 0; i < sizeof data; i++) data[i] = (unsigned char)random_below(&seed, 100); /* no byte carries */
    const jr_spec spec = sums_of(&made);
    const jr_segments segments = JR_INIT(jr_segments, .count = PAIRS);
    const jr_segment_layout layout = JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_EQUAL, .length = 2);
    unsigned char *d_in = device_new(device, sizeof data), *d_out = device_new(device, sizeof sums + alignment);
    device_write(device, d_in, data, sizeof data);
    works(jr_segment_plan_create(device->context, &spec, &layout, &plan));
    works(jr_segment_plan_run(plan, d_in, &segments, d_out + alignment, NULL, NULL));
    works(jr_context_wait(device->context));
    device_read(device, sums, d_out + alignment, PAIRS * bytes);
    for (size_t s = 0; s < PAIRS; s++)
        for (size_t k = 0; k < bytes; k++)
            assert_int_equal(sums[s * bytes + k], data[2 * s * bytes + k] + data[(2 * s + 1) * bytes + k]);
    jr_plan_destroy(plan);
    device_free(device, d_out);
    device_free(device, d_in);
}

TEST_BETWEEN(results_of_segments_lie_at_the_alignment_of_their_struct, open_context, close_context) {
    sum_pairs(*state, "unsigned", 2, 8, 4);
    sum_pairs(*state, "unsigned short", 2, 4, 2);
    sum_pairs(*state, "unsigned char", 4, 4, 1);
    sum_pairs(*state, "unsigned char", 8, 8, 1);
}

static void scan_bytes(const opened *device, size_t bytes, jr_scan_kind kind) {
    bytes_struct made;
    static unsigned char data[COUNT * 64], results[COUNT * 64];
    uint64_t seed = bytes;
    make_bytes(&made, "unsigned char", (int)bytes, bytes, 1);
    jr_spec spec = sums_of(&made);
    spec.algorithm = JR_ALGORITHM_WAVE;
    for (size_t i = 0; i < COUNT * bytes; i++) data[i] = (unsigned char)random_bits(&seed);
    works(jr_scan_host(device->context, &spec, kind, data, COUNT, results));
    for (size_t k = 0; k < bytes; k++) {
        unsigned char sum = 0;
        for (size_t i = 0; i < COUNT; i++) {
            if (kind == JR_SCAN_EXCLUSIVE) assert_int_equal(results[i * bytes + k], sum);
            sum = (unsigned char)(sum + data[i * bytes + k]);
            if (kind == JR_SCAN_INCLUSIVE) assert_int_equal(results[i * bytes + k], sum);
        }
    }
}

TEST_BETWEEN(wave_scans_take_structs_of_any_size, open_context, close_context) {
    static const size_t sizes[] = {3, 5, 6, 7, 9, 11, 13, 15, 21, 23, 31};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        scan_bytes(*state, sizes[i], JR_SCAN_INCLUSIVE);
        scan_bytes(*state, sizes[i], JR_SCAN_EXCLUSIVE);
    }
}

RUN_TESTS(NULL, NULL)
