/* Lists of exact sums, and states that are large. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/fixtures/open_context.h"

/* Lists of exact sums were not compiled within the limit: seven operators over f64 took 23 seconds flat, and by keys
 * and offsets longer than the 30 that they are given. Each result of a list has the bits that its operator has alone.
 */
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

#define ALONE(operator)                                                                                                \
    JR_INIT(jr_spec, .op = (operator), .type = JR_F64, .accuracy = JR_ACCURACY_EXACT,                                  \
            .algorithm = JR_ALGORITHM_ONE_BLOCK)

static jr_spec spec_of(const jr_op *ops, int count) {
    return JR_INIT(jr_spec, .ops = ops, .op_count = count, .type = JR_F64, .accuracy = JR_ACCURACY_EXACT);
}

/* Each of the values has the bits that its operator has alone, of a spec that else is the list's. One block compiles
 * such a sum in a fifth of the time that others take. */
static void hold_values(const opened *device, const jr_spec *spec, const double *x, const jr_value *values,
                        int one_in) {
    for (int o = 0; o < spec->op_count; o++) {
        if (!tests_take(o, one_in)) continue;
        jr_spec alone = *spec;
        jr_value value;
        alone.ops = NULL;
        alone.op_count = 0;
        alone.op = spec->ops[o];
        alone.algorithm = JR_ALGORITHM_ONE_BLOCK;
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
            jr_value value;
            works(jr_reduce_host(device->context, &ALONE(ops[o]), x + (size_t)s * LENGTH, LENGTH, &value));
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
    jr_spec spec = spec_of(ops, count);
    fill(x, offsets, keys);
    for (int l = 0; l < 3; l++) { /* a sample: the long list by keys, the short one by the others */
        if (!tests_are_whole() && (l == 2) != (count == OPS)) continue;
        spec.unroll = tests_are_whole() || l == 2 ? 0 : 1; /* which compiles in a third of the time */
        const bool keyed = layouts[l].kind == JR_SEGMENTS_KEYS;
        const jr_work_data segments =
            JR_INIT(jr_work_data, .segments = SEGMENTS, .offsets = l == 1 ? offsets : NULL, .keys = keyed ? keys : NULL,
                    .count = keyed ? COUNT : 0, .run_keys = keyed ? run_keys : NULL, .run_count = keyed ? &runs : NULL);
        memset(results, 0x7b, sizeof results);
        works(jr_work_run_host(device->context, WORK(&spec, .layout = &layouts[l]), DATA_OF(segments, data, results)));
        hold(device, ops, count, x, results, keyed ? LENGTH : 0);
    }
    assert_int_equal(runs, tests_are_whole() || count == OPS ? SEGMENTS : 0);
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
    const jr_work_data segments = JR_INIT(jr_work_data, .segments = SEGMENTS, .keys = keys, .count = COUNT,
                                          .run_keys = run_keys, .run_count = &runs);
    fill(x, offsets, keys);
    for (size_t u = 0; u < sizeof unrolls / sizeof *unrolls; u++) {
        if (!tests_take((int)u + 1, 3)) continue;
        jr_spec spec = spec_of(three, 3);
        spec.unroll = unrolls[u];
        memset(results, 0x7b, sizeof results);
        works(jr_work_run_host(device->context, WORK(&spec, .layout = &layout), DATA_OF(segments, data, results)));
        assert_int_equal(runs, SEGMENTS);
        hold(device, three, 3, x, results, LENGTH); /* indexes count on */
    }
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
        for (size_t l = 0; l < 2; l++) { /* a sample: each with one of the lists, rows with both */
            jr_spec spec = l ? spec_of(four, 4) : spec_of(two, 2);
            if (!tests_are_whole() && a > 0 && a % 2 == l) continue;
            jr_value values[JR_OPS_MAX];
            spec.algorithm = algorithms[a];
            spec.unroll = tests_are_whole() || a == 0 ? 0 : 2; /* the least that strided takes */
            works(jr_work_run_host(device->context, WORK(&spec), DATA(.in = data, .count = COUNT, .values = values)));
            hold_values(device, &spec, x, values, 1);
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
        jr_spec spec = tests_are_whole() ? spec_of(list, OPS) : spec_of(with_an_index, 4);
        jr_value values[JR_OPS_MAX];
        const void *const data[] = {x};
        if (how == 0) spec.nan = JR_NAN_IGNORE;
        if (how == 1) spec.where = "x > -1e-3";
        if (!tests_are_whole()) spec.algorithm = JR_ALGORITHM_TWO_PASS; /* which compiles in half of the time */
        works(jr_work_run_host(device->context, WORK(&spec), DATA(.in = data, .count = COUNT, .values = values)));
        hold_values(device, &spec, x, values, 2);
    }
}

/* Parts of exact lists are at multiples of 4 bytes in local memory, and were read as if at multiples of 8, which ends
 * the kernel: sum, mean, norm1, max of f64, and argmin or argmax after an exact sum. */
enum { DIMENSIONS = 3, FOUR = 4, RESULTS_MAX = 15, RESULT_BYTES_MAX = 256 };

static const uint64_t shape[DIMENSIONS] = {1, 3, 5};
static const double extremes[15] = {1e308, 1e308, 1, -1e308, -1e308, 1e-300, 2, 3, 3, -7, 0.5, 0, 1e16, 1, -1e16};

static void list_is_as_each_alone(const opened *device, const jr_op *ops, int axis) {
    const jr_axis along = JR_INIT(jr_axis, .shape = shape, .dimensions = DIMENSIONS, .axis = axis);
    const size_t results = 15 / shape[axis];
    const void *const arrays[] = {extremes};
    const jr_spec all_ops =
        JR_INIT(jr_spec, .ops = ops, .op_count = FOUR, .type = JR_F64, .accuracy = JR_ACCURACY_EXACT);
    unsigned char all[RESULTS_MAX * RESULT_BYTES_MAX];
    const uint64_t length = shape[axis], inner = axis == 1 ? shape[2] : 1;
    jr_result_layout layout = JR_INIT(jr_result_layout);
    works(jr_result_layout_of(&all_ops, &layout));
    assert_true(layout.bytes <= RESULT_BYTES_MAX);
    works(jr_work_run_host(device->context, WORK(&all_ops, .axis = &along), DATA(.in = arrays, .out = all)));
    for (size_t r = 0; r < results; r++)
        for (int i = 0; i < FOUR; i++) {
            double column[DIMENSIONS + FOUR];
            jr_value alone;
            for (uint64_t k = 0; k < length; k++)
                column[k] = extremes[r / inner * inner * length + k * inner + r % inner];
            works(jr_reduce_host(device->context, &ALONE(ops[i]), column, length, &alone));
            assert_memory_equal(all + r * layout.bytes + layout.offsets[i], &alone.as, 8);
        }
}

TEST(an_exact_list_gives_what_each_of_its_operators_gives) {
    static const jr_op lists[][FOUR] = {{JR_OP_SUM, JR_OP_MEAN, JR_OP_NORM1, JR_OP_MAX},
                                        {JR_OP_SUMSQ, JR_OP_ARGMAX, JR_OP_NORM2, JR_OP_ARGMIN},
                                        {JR_OP_SUM, JR_OP_COUNT_NONZERO, JR_OP_VAR, JR_OP_NORMINF}};
    for (size_t l = 0; l < sizeof lists / sizeof *lists; l++)
        for (int axis = 0; axis < DIMENSIONS; axis++)
            if (tests_take((int)l + axis, 3)) list_is_as_each_alone(*state, lists[l], axis);
}

/* Accumulators of several operators at once were padded: blocks copied bytes that nobody had written. */
DEVICE_TEST(lists_of_operators_of_different_sizes_copy_no_padding) {
    static const jr_op lists[][3] = {{JR_OP_LOGSUMEXP, JR_OP_NORM2, JR_OP_SUMSQ},
                                     {JR_OP_MEAN, JR_OP_MIN, JR_OP_STD},
                                     {JR_OP_SUM, JR_OP_ARGMIN, JR_OP_MEAN}};
    const float data[3] = {1, 2, 3};
    const void *arrays[] = {data};
    for (size_t l = 0; l < sizeof lists / sizeof *lists; l++)
        for (jr_algorithm a = JR_ALGORITHM_SINGLE_PASS; a <= JR_ALGORITHM_ONE_BLOCK; a = (jr_algorithm)(a + 1)) {
            if (!tests_take((int)l + (int)a, 3)) continue; /* a sample: each algorithm with one of the lists */
            const jr_spec all =
                JR_INIT(jr_spec, .ops = lists[l], .op_count = 3, .type = JR_F32, .algorithm = a, .where = "x > 0");
            jr_value values[3], alone;
            works(jr_work_run_host(device->context, WORK(&all), DATA(.in = arrays, .count = 3, .values = values)));
            for (int i = 0; i < 3; i++) {
                const jr_spec one = JR_INIT(jr_spec, .op = lists[l][i], .type = JR_F32, .algorithm = a);
                if (!tests_take((int)a + i, 3)) continue;
                works(jr_reduce_host(device->context, &one, data, 3, &alone));
                assert_int_equal(values[i].type, alone.type);
                assert_memory_equal(&values[i].as, &alone.as, jr_type_size(alone.type));
            }
        }
}

/* A state of exact variances of f64 has 828 bytes: parts of host memory were folded into a place on the stack that had
 * room for results alone. */
static const jr_spec large = {.size = sizeof(jr_spec), .op = JR_OP_VAR, .type = JR_F64, .accuracy = JR_ACCURACY_EXACT};
static const double four_numbers[] = {1, 2, 4, 5};
static const void *const four[] = {four_numbers};

/* Compiling this takes seconds, and where much else runs more than the usual limit. */
static int open_patiently(void **state) {
    jr_context *context = NULL;
    works(jr_context_open(&JR_INIT(jr_options, .compile_limit_ms = 600000), &context));
    *state = context;
    return 0;
}

static int close_it(void **state) {
    jr_context_close(*state);
    return 0;
}

TEST_BETWEEN(kept_states_have_room_for_the_largest_ones, open_patiently, close_it) {
    unsigned char kept[1024];
    const void *const states[] = {kept};
    jr_value value;
    works(jr_work_run_host(*state, &JR_INIT(jr_work, .spec = &large, .kind = JR_WORK_STATE),
                           &JR_INIT(jr_work_data, .in = four, .count = 4, .out = kept)));
    works(jr_work_run_host(*state, &JR_INIT(jr_work, .spec = &large, .kind = JR_WORK_MERGE),
                           &JR_INIT(jr_work_data, .in = states, .states = 1, .count = 4, .values = &value)));
    assert_true(value.as.f64 == 2.5);
}

TEST_BETWEEN(groups_have_room_for_the_largest_states, open_patiently, close_it) {
    jr_context *const contexts[] = {*state, *state};
    jr_group *group = NULL;
    jr_value value;
    works(jr_group_open(&JR_INIT(jr_group_options, .contexts = contexts, .context_count = 2), &group));
    works(jr_work_group_host(group, WORK(&large), DATA(.in = four, .count = 4, .values = &value)));
    assert_true(value.as.f64 == 2.5);
    jr_group_close(group);
}

RUN_TESTS(open_context, close_context)
