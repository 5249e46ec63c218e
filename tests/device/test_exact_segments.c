/* Exact sums of segments: each segment's sum has the bits that its elements give alone (two_pass, which adds in
 * integers wide enough for all), for any neighbours, length, address, tuning and kind of data. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/fixtures/open_context.h"

enum { MOST = 70003 };

/* ---- data: every kind has its own way through windows and digits ---- */

typedef double make_number(uint64_t random, uint64_t i);

static double fraction(uint64_t random) {
    return (double)(random >> 11) * 0x1p-53 - 0.5;
}
static double benign(uint64_t random, uint64_t i) {
    (void)i;
    return fraction(random);
}
/* Beyond one window, within two. */
static double of_some_sizes(uint64_t random, uint64_t i) {
    return ldexp(fraction(random), -(int)(i % 40));
}
static double of_all_sizes(uint64_t random, uint64_t i) {
    return ldexp(fraction(random), (int)(random % 270) - 145 + (int)(i % 5));
}
static double growing(uint64_t random, uint64_t i) {
    return ldexp(fraction(random), (int)(i * 240 / MOST) - 120);
}
static double overflowing(uint64_t random, uint64_t i) {
    (void)random;
    return i % 4 < 2 ? 3e38 : -3e38;
}
static double subnormal(uint64_t random, uint64_t i) {
    (void)i;
    return ldexp(fraction(random), -130);
}
static double minus_zero(uint64_t random, uint64_t i) {
    (void)random;
    (void)i;
    return -0.0;
}
static double zeros(uint64_t random, uint64_t i) {
    (void)i;
    return random % 64 == 0 ? 0.0 : -0.0;
}
static double ties(uint64_t random, uint64_t i) {
    (void)random;
    return i % 3 == 0 ? 1 : i % 3 == 1 ? 0x1p-24 : 0x1p-60;
}
static double special(uint64_t random, uint64_t i) {
    return random % 5000 == 0 ? NAN : random % 3000 == 1 ? (i % 2 ? INFINITY : -INFINITY) : fraction(random);
}
static make_number *const makers[] = {benign,    of_some_sizes, of_all_sizes, growing, overflowing,
                                      subnormal, minus_zero,    zeros,        ties,    special};
enum { MAKERS = sizeof makers / sizeof *makers };

/* x, followed by y: MOST numbers each, rounded to the type. */
static void *numbers_new(jr_type type, make_number *make, uint64_t seed) {
    char *made = test_bytes((size_t)2 * MOST * jr_type_size(type));
    for (uint64_t i = 0; i < (uint64_t)2 * MOST; i++) {
        const double x = make(random_bits(&seed), i % MOST);
        const float single = (float)x;
        if (type == JR_F64)
            memcpy(made + i * sizeof x, &x, sizeof x);
        else
            memcpy(made + i * sizeof single, &single, sizeof single);
    }
    return made;
}

/* ---- what all cases have ---- */

typedef struct segments_case {
    const opened *device;
    jr_spec spec;
    void *numbers;
    char *d_in; /* room for 16 bytes more each of x and y */
    char *d_out;
    size_t size;
    jr_plan *slow; /* of one segment */
} segments_case;

static segments_case case_new(const opened *device, const jr_spec *spec, make_number *make) {
    const size_t size = jr_type_size(spec->type);
    segments_case made = {.device = device, .spec = *spec, .size = size};
    jr_spec slow = *spec;
    slow.algorithm = JR_ALGORITHM_TWO_PASS;
    slow.block = 64;
    slow.unroll = slow.grid = 0;
    made.numbers = numbers_new(spec->type, make, 31);
    made.d_in = device_new(device, (2 * (size_t)MOST + 32) * size);
    made.d_out = device_new(device, (MOST + 1) * sizeof(double));
    works(jr_work_plan_create(device->context, WORK(&slow), &made.slow));
    return made;
}
static void case_free(segments_case *made) {
    jr_plan_destroy(made->slow);
    device_free(made->device, made->d_in);
    device_free(made->device, made->d_out);
}

/* The arrays, `shift` elements from a 16-byte boundary. */
static void place(const segments_case *of, unsigned shift, const void *arrays[2]) {
    arrays[0] = of->d_in + shift * of->size;
    arrays[1] = of->d_in + (MOST + 16 + shift) * of->size;
    device_write(of->device, of->d_in + shift * of->size, of->numbers, MOST * of->size);
    device_write(of->device, of->d_in + (MOST + 16 + shift) * of->size, (char *)of->numbers + MOST * of->size,
                 MOST * of->size);
}

/* Result s has the bits of elements [begin, begin + count) alone. */
static void same(const segments_case *of, const void *const arrays[2], const char *results, uint64_t s, uint64_t begin,
                 uint64_t count) {
    const size_t bytes = jr_plan_result_bytes(of->slow);
    const void *const in[2] = {(const char *)arrays[0] + begin * of->size, (const char *)arrays[1] + begin * of->size};
    double wanted = 0, got = 0;
    works(jr_work_plan_run(of->slow, DATA(.in = in, .count = count, .out = of->d_out), NULL, NULL));
    device_read(of->device, &wanted, of->d_out, bytes);
    memcpy(&got, results + s * bytes, bytes);
    if (memcmp(&wanted, &got, bytes) == 0) return;
    fail_msg("segment %llu of %llu elements from %llu on: other bits than alone", (unsigned long long)s,
             (unsigned long long)count, (unsigned long long)begin);
}

/* Some of the results are held against their elements alone. */
static void hold(const segments_case *of, const jr_segment_layout *layout, const jr_work_data *run,
                 const uint64_t *offsets, unsigned shift, uint64_t every) {
    const void *arrays[2];
    jr_plan *plan = plan_held(of->device, WORK(&of->spec, .layout = layout));
    const size_t bytes = jr_plan_result_bytes(of->slow);
    char *results = test_bytes(run->segments * bytes);
    place(of, shift, arrays);
    works(jr_work_plan_run(plan, DATA_OF(*run, arrays, of->d_out), NULL, NULL));
    device_read(of->device, results, of->d_out, run->segments * bytes);
    for (uint64_t s = 0; s < run->segments; s += every) {
        const uint64_t begin = offsets != NULL ? offsets[s] : s * layout->length;
        const uint64_t end = offsets != NULL ? offsets[s + 1] : begin + layout->length;
        same(of, arrays, results, s, begin, end - begin);
    }
}

/* ---- */

TEST(equal_segments_of_any_data_have_the_bits_of_their_elements) {
    static const uint64_t lengths[] = {1, 17, 33, 1000, 1024, 2500, 20000, MOST};
    enum { LENGTHS = sizeof lengths / sizeof *lengths, SOME = 5, ELEMENTS = 12000 };
    static const jr_op ops[] = {JR_OP_SUM, JR_OP_MEAN, JR_OP_NORM1, JR_OP_SUM};
    for (int m = 0; m < 2 * MAKERS; m++) {
        const int k =
            tests_are_whole() ? m : m / MAKERS; /* a sample: one spec of each type, for every other kind of data */
        if (!tests_take(m + k, 2)) continue;
        const jr_spec spec = JR_INIT(jr_spec, .op = ops[k % 4], .type = m < MAKERS ? JR_F32 : JR_F64,
                                     .result = k % 3 ? JR_F64 : JR_F32, .accuracy = JR_ACCURACY_EXACT);
        segments_case of = case_new(*state, &spec, makers[m % MAKERS]);
        for (int l = 0; l < LENGTHS; l++) {
            const jr_segment_layout layout =
                JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_EQUAL, .length = lengths[l]);
            const uint64_t count = lengths[l] > ELEMENTS ? MOST / lengths[l] : ELEMENTS / lengths[l];
            const jr_work_data run = JR_INIT(jr_work_data, .segments = count < 300 ? count : 300);
            hold(&of, &layout, &run, NULL, (unsigned)(l + m) % 4, run.segments / SOME + 1);
        }
        case_free(&of);
    }
}

TEST(every_operator_and_tuning_does) {
    static const jr_op ops[] = {JR_OP_SUM, JR_OP_MEAN, JR_OP_NORM1, JR_OP_SUMSQ, JR_OP_NORM2, JR_OP_DOT};
    static const struct { int unroll, block, grid; } tunings[] = {{0, 0, 0}, {1, 160, 3}, {3, 96, 1}, {8, 512, 2}};
    enum { OPS = sizeof ops / sizeof *ops, TUNINGS = sizeof tunings / sizeof *tunings };
    uint64_t offsets[] = {0, 0, 1, 5, 40, 1100, 1100, 3000, 22000, MOST};
    const uint64_t count = sizeof offsets / sizeof *offsets - 1;
    uint64_t *d_offsets = device_new(*state, sizeof offsets);
    device_write(*state, d_offsets, offsets, sizeof offsets);
    const jr_segment_layout layout = JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_OFFSETS);
    const jr_work_data run = JR_INIT(jr_work_data, .segments = count, .offsets = d_offsets);
    for (int t = 0; t < TUNINGS; t++)
        for (int o = t % 2; o < OPS; o += t < 2 ? 1 : 2) {
            if (!tests_take(o + t, 4)) continue; /* a sample: each operator by one of the tunings */
            const jr_spec spec =
                JR_INIT(jr_spec, .op = ops[o], .type = JR_F32, .unroll = tunings[t].unroll, .block = tunings[t].block,
                        .grid = tunings[t].grid, .accuracy = JR_ACCURACY_EXACT);
            segments_case of = case_new(*state, &spec, makers[1 + (o + t) % 2]);
            hold(&of, &layout, &run, offsets, (unsigned)(o + t) % 4, 1);
            case_free(&of);
        }
    device_free(*state, d_offsets);
}

TEST(what_is_left_out_is_not_there) {
    static const char *const wheres[] = {"i % 3 == 1", "i > 999", "x > 0.25"};
    const jr_segment_layout layout = JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_EQUAL, .length = 1000);
    const jr_work_data run = JR_INIT(jr_work_data, .segments = 30);
    for (int w = 0; w < 3; w++) {
        const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = w == 1 ? JR_F64 : JR_F32, .map = "x * 2 + i",
                                     .where = wheres[w], .accuracy = JR_ACCURACY_EXACT);
        segments_case of = case_new(*state, &spec, w == 1 ? minus_zero : of_some_sizes);
        hold(&of, &layout, &run, NULL, (unsigned)w, 3);
        case_free(&of);
    }
}

RUN_TESTS(open_context, close_context)
