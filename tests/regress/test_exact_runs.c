/* Exact sums by key: a variance of f64 took NVRTC 15 seconds of CPU time. Now sums are added where they lie, and of
 * what stands before a tile only those from the last head on are asked for: the bits are those of each run alone, which
 * other kernels make.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/fixtures/open_context.h"

enum { USUAL = 3000, COUNT = 17000, RESULT_BYTES = 96 }; /* of f64 in tiles of 64: more than a group of 32 */

typedef struct input {
    double f64[COUNT], other_f64[COUNT];
    float f32[COUNT], other_f32[COUNT];
    int32_t keys[COUNT];
    uint64_t offsets[COUNT + 1];
    uint64_t count, runs;
} input;

/* How long the runs are: short and long ones mixed, one run of all, or all of one length. */
static uint64_t length_of(int pattern, uint64_t *seed) {
    static const uint64_t lengths[] = {0, COUNT, 1, 700};
    if (pattern > 0) return lengths[pattern];
    return random_below(seed, 5) > 0 ? 1 + random_below(seed, 6) : 1 + random_below(seed, 1500);
}

static void fill(input *to, uint64_t count, int pattern) {
    uint64_t seed = 17;
    to->count = count;
    to->runs = 0;
    for (uint64_t i = 0; i < count;) {
        uint64_t length = length_of(pattern, &seed);
        to->offsets[to->runs] = i;
        for (; length > 0 && i < count; length--) to->keys[i++] = (int32_t)to->runs % 2;
        to->runs++;
    }
    to->offsets[to->runs] = count;
    for (uint64_t i = 0; i < count; i++) {
        to->f64[i] = ldexp((double)(random_bits(&seed) >> 11) * 0x1p-53 - 0.5, (int)random_below(&seed, 400) - 200);
        to->other_f64[i] = ldexp((double)(random_bits(&seed) >> 11) * 0x1p-53 - 0.5, (int)random_below(&seed, 60));
        to->f32[i] = (float)ldexp((double)random_below(&seed, 1u << 24) - 0x1p23, (int)random_below(&seed, 60) - 50);
        to->other_f32[i] =
            (float)ldexp((double)random_below(&seed, 1u << 24) - 0x1p23, (int)random_below(&seed, 30) - 30);
    }
}

/* What calls give, with the keys of runs. */
static unsigned char by_key[COUNT * RESULT_BYTES];
static int32_t run_keys[COUNT];

typedef struct two_arrays {
    const void *of[2];
} two_arrays;

static two_arrays arrays_of(const jr_spec *spec, const input *from) {
    return spec->type == JR_F64 ? (two_arrays){{from->f64, from->other_f64}}
                                : (two_arrays){{from->f32, from->other_f32}};
}

static void reduce_by_key(const opened *device, const jr_spec *spec, const input *of) {
    const two_arrays data = arrays_of(spec, of);
    const jr_segment_layout layout = JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_KEYS, .key_type = JR_I32);
    uint64_t runs = 0;
    const jr_work_data segments =
        JR_INIT(jr_work_data, .keys = of->keys, .count = of->count, .run_keys = run_keys, .run_count = &runs);
    memset(by_key, 0x5a, sizeof by_key);
    works(jr_work_run_host(device->context, WORK(spec, .layout = &layout), DATA_OF(segments, data.of, by_key)));
    assert_int_equal(runs, of->runs);
    for (uint64_t r = 0; r < runs; r++) assert_int_equal(run_keys[r], of->keys[of->offsets[r]]);
}

/* A run's results are those of its elements alone, by another algorithm. Of many short runs some are looked at. */
static void as_each_alone(const opened *device, const jr_spec *spec, const input *of) {
    enum { LOOKED_AT = 64 };
    const two_arrays data = arrays_of(spec, of);
    const size_t element = jr_type_size(spec->type);
    jr_result_layout layout = JR_INIT(jr_result_layout);
    jr_spec alone = *spec;
    alone.algorithm = JR_ALGORITHM_ONE_BLOCK; /* which compiles soonest */
    alone.unroll = alone.block = 0;
    alone.device_bytes = 0;
    works(jr_result_layout_of(spec, &layout));
    assert_in_range(layout.bytes, 1, RESULT_BYTES);
    reduce_by_key(device, spec, of);
    for (uint64_t r = 0; r < of->runs; r += 1 + of->runs / LOOKED_AT) {
        const uint64_t begin = of->offsets[r], count = of->offsets[r + 1] - begin;
        const void *const arrays[] = {(const char *)data.of[0] + begin * element,
                                      (const char *)data.of[1] + begin * element};
        jr_value values[JR_OPS_MAX];
        works(jr_work_run_host(device->context, WORK(&alone), DATA(.in = arrays, .count = count, .values = values)));
        for (int i = 0; i < layout.count; i++)
            assert_memory_equal(by_key + r * layout.bytes + layout.offsets[i], &values[i].as,
                                jr_type_size(layout.types[i]));
    }
}

enum { ALL = 4, FEW = 2 }; /* patterns */

static void with_runs(const opened *device, const jr_spec *spec, uint64_t count, int patterns) {
    input *of = malloc(sizeof *of);
    assert_non_null(of);
    for (int pattern = 0; pattern < patterns; pattern++) {
        fill(of, count, pattern);
        as_each_alone(device, spec, of);
    }
    free(of);
}

#define EXACT(number, ...) JR_INIT(jr_spec, .type = number, .accuracy = JR_ACCURACY_EXACT, __VA_ARGS__)

TEST(sums_of_runs_have_the_bits_that_they_have_alone) {
    const jr_spec specs[] = {EXACT(JR_F64, .op = JR_OP_VAR), EXACT(JR_F32, .op = JR_OP_STD),
                             EXACT(JR_F32, .op = JR_OP_DOT)};
    for (size_t s = 0; s < sizeof specs / sizeof *specs; s++)
        if (tests_take((int)s, 2)) with_runs(*state, &specs[s], USUAL, s == 0 || tests_are_whole() ? ALL : FEW);
}

/* Blocks of one and of several warps, whose tiles make groups of as many as they have threads. */
TEST(tunings_change_no_bits) {
    const jr_op cheap = tests_are_whole() ? JR_OP_VAR : JR_OP_MEAN; /* which compiles in a third of the time */
    const jr_spec many = EXACT(JR_F32, .op = JR_OP_MEAN, .block = 64, .unroll = 1),
                  specs[] = {EXACT(JR_F32, .op = cheap, .block = 32, .unroll = 1),
                             EXACT(JR_F64, .op = JR_OP_SUM, .block = 96, .unroll = 3)};
    with_runs(*state, &many, COUNT, tests_are_whole() ? FEW : 1);
    for (size_t s = 0; s < sizeof specs / sizeof *specs; s++)
        with_runs(*state, &specs[s], USUAL, tests_are_whole() ? FEW : 1);
}

TEST(selections_lists_and_initial_values_go_along) {
    const bool whole = tests_are_whole();
    const jr_op op = whole ? JR_OP_VAR : JR_OP_MEAN, list[] = {op, JR_OP_MIN, JR_OP_SUM};
    static const jr_op sums[] = {JR_OP_SUM, JR_OP_NORM1, JR_OP_COUNT_NONZERO};
    const jr_value initial = {.type = JR_F64, .as.f64 = -0x1p-300};
    const jr_type type = whole ? JR_F64 : JR_F32; /* which compiles and runs in a fraction of the time */
    const jr_spec specs[] = {EXACT(type, .op = op, .where = "x > 0", .kept = 1),
                             EXACT(type, .ops = list, .op_count = 3, .nan = JR_NAN_IGNORE),
                             EXACT(JR_F64, .ops = sums, .op_count = 3, .where = "x < 1", .kept = 1),
                             EXACT(JR_F64, .op = JR_OP_SUM, .initial = &initial)};
    for (size_t s = 0; s < sizeof specs / sizeof *specs; s++)
        if (s != 2 || whole) with_runs(*state, &specs[s], USUAL / 3, FEW);
}

DEVICE_TEST(parts_change_no_bits) {
    const jr_spec spec = EXACT(JR_F64, .op = JR_OP_SUM, .device_bytes = 12000);
    input *of = test_bytes(sizeof *of);
    jr_stats stats = JR_INIT(jr_stats);
    for (int pattern = 0; pattern < FEW; pattern++) {
        fill(of, USUAL, pattern);
        reduce_by_key(device, &spec, of);
        works(jr_context_stats(device->context, &stats));
        assert_true(stats.parts > 2);
        as_each_alone(device, &spec, of);
    }
}

/* Compiles for a GPU, in no more than 10 seconds of CPU time each. */
static void add_to_pack(const jr_spec *specs, size_t count) {
    static const char *const architectures[] = {"sm_90"};
    const jr_pack_options how = JR_INIT(jr_pack_options, .architectures = architectures, .architecture_count = 1);
    const jr_options options = JR_INIT(jr_options, .cache_dir = "", .compile_limit_ms = 10000);
    const jr_segment_layout layout = JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_KEYS, .key_type = JR_I32);
    jr_pack *pack = NULL;
    works(jr_pack_create(&options, &how, &pack));
    for (size_t s = 0; s < count; s++) works(jr_work_pack_add(pack, WORK(&specs[s], .layout = &layout)));
    jr_pack_destroy(pack);
}

/* Sums of few words: NVRTC 13.0 ended the process that compiled a sum and a maximum of f16 at an unroll factor of
 * 16. */
TEST(small_lists_compile_and_go_along) {
    static const jr_op two[] = {JR_OP_SUM, JR_OP_MAX};
    const jr_spec specs[] = {EXACT(JR_F16, .ops = two, .op_count = 2, .unroll = JR_UNROLL_MAX, .capacity = 1 << 24),
                             EXACT(JR_F32, .ops = two, .op_count = 2)};
    add_to_pack(&specs[0], 1);
    with_runs(*state, &specs[1], USUAL / 3, FEW);
}

/* Each takes 2 seconds of CPU time, which no other process changes much; 10 are a third of what is given. A variance
 * took 221 at an unroll factor of 16. */
TEST(they_compile_far_below_the_limit) {
    const jr_spec specs[] = {EXACT(JR_F64, .op = JR_OP_VAR, .unroll = JR_UNROLL_MAX, .capacity = 1 << 20),
                             EXACT(JR_F64, .op = JR_OP_DOT, .capacity = 1 << 20),
                             EXACT(JR_F64, .op = JR_OP_STD, .where = "x > 0", .kept = 1, .capacity = 1 << 20)};
    add_to_pack(specs, tests_are_whole() ? sizeof specs / sizeof *specs : 1);
}

RUN_TESTS(open_context, close_context)
