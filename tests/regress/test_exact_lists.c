/* Lists of exact sums were not compiled within the limit: seven operators over f64 took 23 seconds flat, and by keys
 * and offsets longer than the 30 that they are given. Each result of a list has the bits that its operator has alone.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/fixtures/open_context.h"

enum { SEGMENTS = 9, LENGTH = 83, COUNT = SEGMENTS * LENGTH };
static const jr_op list[] = {JR_OP_SUM,   JR_OP_MEAN, JR_OP_SUMSQ, JR_OP_NORM1,
                             JR_OP_NORM2, JR_OP_VAR,  JR_OP_MAX,   JR_OP_STD};
enum { OPS = sizeof list / sizeof *list };

static const jr_op with_an_index[] = {JR_OP_ARGMIN, JR_OP_SUM, JR_OP_COUNT_NONZERO, JR_OP_VAR};

/* Numbers of many sizes; in a list, doubles follow words, at multiples of 4 bytes. */
static void fill(double *x, uint64_t *offsets, int32_t *keys) {
    uint64_t seed = 11;
    for (int i = 0; i < COUNT; i++) {
        x[i] = ldexp((double)(random_bits(&seed) >> 11) * 0x1p-53 - 0.5, (int)random_below(&seed, 80) - 40);
        keys[i] = i / LENGTH * 7 - 3;
    }
    for (uint64_t s = 0; s <= SEGMENTS; s++) offsets[s] = s * LENGTH;
}

static jr_spec spec_of(const jr_op *ops, int count) {
    return JR_INIT(jr_spec, .ops = ops, .op_count = count, .type = JR_F64, .accuracy = JR_ACCURACY_EXACT);
}

/* Each of the values has the bits that its operator has alone, of a spec that else is the list's. */
static void hold_values(const opened *device, const jr_spec *spec, const double *x, const jr_value *values) {
    for (int o = 0; o < spec->op_count; o++) {
        jr_spec alone = *spec;
        jr_value value;
        alone.ops = NULL;
        alone.op_count = 0;
        alone.op = spec->ops[o];
        alone.algorithm = JR_ALGORITHM_AUTO;
        works(jr_reduce_host(device->context, &alone, x, COUNT, &value));
        assert_memory_equal(&values[o].as, &value.as, 8);
    }
}

/* results: of each segment. apart: from an index in one to the same in the next; by keys they count on. */
static void hold(const opened *device, const jr_op *ops, int count, const double *x, const unsigned char *results,
                 uint64_t apart) {
    const jr_spec spec = spec_of(ops, count);
    jr_result_layout layout = JR_INIT(jr_result_layout);
    works(jr_result_layout_of(&spec, &layout));
    for (int s = 0; s < SEGMENTS; s++)
        for (int o = 0; o < count; o++) {
            const jr_spec alone = JR_INIT(jr_spec, .op = ops[o], .type = JR_F64, .accuracy = JR_ACCURACY_EXACT);
            jr_value value;
            works(jr_reduce_host(device->context, &alone, x + (size_t)s * LENGTH, LENGTH, &value));
            if (ops[o] == JR_OP_ARGMIN) value.as.u64 += (uint64_t)s * apart;
            assert_memory_equal(results + (size_t)s * layout.bytes + layout.offsets[o], &value.as, 8);
        }
}

static void hold_layouts(const opened *device, const jr_op *ops, int count) {
    static double x[COUNT];
    static uint64_t offsets[SEGMENTS + 1];
    static int32_t keys[COUNT], run_keys[COUNT];
    static unsigned char results[COUNT * (JR_OPS_MAX + 1) * 16];
    uint64_t runs = 0;
    const void *const data[] = {x};
    const jr_segment_layout layouts[] = {JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_EQUAL, .length = LENGTH),
                                         JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_OFFSETS),
                                         JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_KEYS, .key_type = JR_I32)};
    const jr_spec spec = spec_of(ops, count);
    fill(x, offsets, keys);
    for (int l = 0; l < 3; l++) {
        const bool keyed = layouts[l].kind == JR_SEGMENTS_KEYS;
        const jr_segments segments = JR_INIT(jr_segments, .count = SEGMENTS, .offsets = l == 1 ? offsets : NULL,
                                             .keys = keyed ? keys : NULL, .elements = keyed ? COUNT : 0,
                                             .run_keys = keyed ? run_keys : NULL, .run_count = keyed ? &runs : NULL);
        memset(results, 0x7b, sizeof results);
        works(jr_reduce_host_segments(device->context, &spec, &layouts[l], data, &segments, results));
        hold(device, ops, count, x, results, keyed ? LENGTH : 0);
    }
    assert_int_equal(runs, SEGMENTS);
}

TEST(lists_of_exact_sums_compile_and_have_the_bits_of_each_alone) {
    hold_layouts(*state, list, OPS);
    hold_layouts(*state, with_an_index, 4);
}

/* By key, a thread had as many sums as loads in flight, all unrolled. */
TEST(by_key_the_unroll_factor_changes_no_bits) {
    static const jr_op three[] = {JR_OP_VAR, JR_OP_ARGMIN, JR_OP_SUM};
    static const int unrolls[] = {1, 5, JR_UNROLL_MAX};
    static double x[COUNT];
    static uint64_t offsets[SEGMENTS + 1];
    static int32_t keys[COUNT], run_keys[COUNT];
    static unsigned char results[COUNT * (JR_OPS_MAX + 1) * 16];
    const opened *device = *state;
    uint64_t runs = 0;
    const void *const data[] = {x};
    const jr_segment_layout layout = JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_KEYS, .key_type = JR_I32);
    const jr_segments segments = JR_INIT(jr_segments, .count = SEGMENTS, .keys = keys, .elements = COUNT,
                                         .run_keys = run_keys, .run_count = &runs);
    fill(x, offsets, keys);
    for (size_t u = 0; u < sizeof unrolls / sizeof *unrolls; u++) {
        jr_spec spec = spec_of(three, 3);
        spec.unroll = unrolls[u];
        memset(results, 0x7b, sizeof results);
        works(jr_reduce_host_segments(device->context, &spec, &layout, data, &segments, results));
        assert_int_equal(runs, SEGMENTS);
        hold(device, three, 3, x, results, LENGTH); /* indexes count on */
    }
}

/* A variance of doubles by key took NVRTC 221 seconds of CPU time for a GPU, at an unroll factor of 16; now 2. */
TEST(by_key_exact_sums_compile_at_every_unroll_factor) {
    static const char *const architectures[] = {"sm_90"};
    const jr_pack_options how = JR_INIT(jr_pack_options, .architectures = architectures, .architecture_count = 1);
    const jr_options options = JR_INIT(jr_options, .cache_dir = "");
    const jr_segment_layout layout = JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_KEYS, .key_type = JR_I32);
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_VAR, .type = JR_F64, .accuracy = JR_ACCURACY_EXACT,
                                 .unroll = JR_UNROLL_MAX, .capacity = 1 << 20);
    jr_pack *pack = NULL;
    works(jr_pack_create(&options, &how, &pack));
    works(jr_pack_add_segments(pack, &spec, &layout));
    jr_pack_destroy(pack);
}

/* NVRTC 12.0 lost copies of sums in rows, which has two side by side. */
TEST(every_algorithm_has_the_bits_of_each_alone) {
    static const jr_op two[] = {JR_OP_SUMSQ, JR_OP_VAR}, four[] = {JR_OP_NORM1, JR_OP_MIN, JR_OP_SUM, JR_OP_ARGMAX};
    static const jr_algorithm algorithms[] = {JR_ALGORITHM_ROWS,     JR_ALGORITHM_SINGLE_PASS,
                                              JR_ALGORITHM_TWO_PASS, JR_ALGORITHM_TOURNAMENT,
                                              JR_ALGORITHM_STRIDED,  JR_ALGORITHM_ONE_BLOCK};
    static double x[COUNT];
    static uint64_t offsets[SEGMENTS + 1];
    static int32_t keys[COUNT];
    const opened *device = *state;
    const void *const data[] = {x};
    fill(x, offsets, keys);
    for (size_t a = 0; a < sizeof algorithms / sizeof *algorithms; a++)
        for (int l = 0; l < 2; l++) {
            jr_spec spec = l ? spec_of(four, 4) : spec_of(two, 2);
            jr_value values[JR_OPS_MAX];
            spec.algorithm = algorithms[a];
            works(jr_reduce_host_arrays(device->context, &spec, data, COUNT, values));
            hold_values(device, &spec, x, values);
        }
}

TEST(what_is_left_out_is_left_out_of_all) {
    static double x[COUNT];
    static uint64_t offsets[SEGMENTS + 1];
    static int32_t keys[COUNT];
    const opened *device = *state;
    fill(x, offsets, keys);
    for (int i = 5; i < COUNT; i += 17) x[i] = NAN;
    for (int how = 0; how < 2; how++) {
        jr_spec spec = spec_of(list, OPS);
        jr_value values[JR_OPS_MAX];
        const void *const data[] = {x};
        if (how == 0) spec.nan = JR_NAN_IGNORE;
        if (how == 1) spec.where = "x > -1e-3";
        works(jr_reduce_host_arrays(device->context, &spec, data, COUNT, values));
        hold_values(device, &spec, x, values);
    }
}

RUN_TESTS(open_context, close_context)
