/* The fixed tree: the same bits by every algorithm, tuning, address and cut, and those of a reference that folds the
 * tree as it is defined: the first 2^k elements, the greatest power of two below n, and then the rest. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/fixtures/plan_case.h"
#include "support/oracle/tree_case.h"

enum { LARGE = 70001, ROOM = LARGE + 16 };

/* Around warps, rows, tiles and chunks, at every address. */
static void every_count_and_address_gives_the_tree(const opened *device, jr_plan *plan, const double *x,
                                                   const float *single, float *d_in) {
    static const uint64_t counts[] = {1, 2, 3, 31, 32, 33, 127, 128, 129, 1000, 1023, 1024, 1025, 8191, 8193, LARGE};
    for (unsigned shift = 0; shift < 4; shift++) {
        device_write(device, d_in + shift, single, LARGE * sizeof *single);
        for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
            const jr_value value = plan_value(device, plan, d_in + shift, counts[c]);
            tree_same_f32(&value, tree_of(x, counts[c], tree_add_f32));
        }
    }
}

TEST(every_algorithm_and_tuning_gives_the_tree) {
    static const jr_algorithm algorithms[] = {JR_ALGORITHM_SINGLE_PASS, JR_ALGORITHM_TWO_PASS, JR_ALGORITHM_ONE_BLOCK};
    static const struct {
        int unroll, block, grid;
    } tunings[] = {{0, 0, 0}, {1, 32, 3}, {2, 96, 0}, {3, 256, 7}, {4, 1024, 2}, {8, 128, 0}, {16, 64, 5}};
    const opened *device = *state;
    double *x = tree_numbers_new(LARGE, 1);
    float *single = tree_singles_new(x, LARGE), *d_in = device_new(device, ROOM * sizeof *d_in);
    for (uint64_t i = 0; i < LARGE; i++) x[i] = (double)single[i];
    for (size_t a = 0; a < sizeof algorithms / sizeof *algorithms; a++)
        for (size_t t = 0; t < sizeof tunings / sizeof *tunings; t++) {
            jr_spec spec = tree_spec(JR_OP_SUM, JR_F32);
            spec.algorithm = algorithms[a];
            spec.unroll = tunings[t].unroll;
            spec.block = tunings[t].block;
            spec.grid = algorithms[a] == JR_ALGORITHM_ONE_BLOCK ? 0 : tunings[t].grid;
            jr_plan *plan = plan_held(device, WORK(&spec));
            every_count_and_address_gives_the_tree(device, plan, x, single, d_in);
        }
}

/* More chunks than a block takes at once, each of more tiles than a block folds between two barriers: blocks of a warp,
 * tiles of a row. The last chunk has one of its tiles, and that in part. */
DEVICE_TEST(many_chunks_of_many_tiles_give_the_tree) {
    enum { TILE = 64, TILES = 1024 * 32, COUNT = TILES * TILE + 64 * TILE + 5 };
    double *x = tree_numbers_new(COUNT, 8), *d_in = device_new(device, COUNT * sizeof *d_in);
    jr_spec spec = tree_spec(JR_OP_SUM, JR_F64);
    spec.algorithm = JR_ALGORITHM_SINGLE_PASS;
    spec.block = 32;
    spec.unroll = 1;
    jr_plan *plan = plan_held(device, WORK(&spec));
    device_write(device, d_in, x, COUNT * sizeof *x);
    static const uint64_t counts[] = {COUNT, COUNT - 5, TILES * TILE, 1024 * TILE + 1};
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
        const jr_value value = plan_value(device, plan, d_in, counts[c]);
        tree_same_f64(&value, tree_of(x, counts[c], tree_add_f64));
    }
}

/* Elements of every width, at every address; the values are those of the narrow type. */
TEST(elements_of_every_width_give_the_tree) {
    static const jr_type types[] = {JR_F64, JR_F16, JR_BF16, JR_E4M3, JR_E5M2};
    const opened *device = *state;
    enum { COUNT = 5003 };
    double *x = tree_numbers_new(COUNT, 2);
    unsigned char *raw = test_bytes((COUNT + 16) * sizeof(double)),
                  *d_in = device_new(device, (COUNT + 16) * sizeof(double));
    for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
        const size_t bytes = jr_type_size(types[t]);
        const jr_spec spec = tree_spec(JR_OP_SUM, types[t]);
        double *narrow = test_bytes(COUNT * sizeof *narrow);
        for (int i = 0; i < COUNT; i++) {
            jr_value value;
            works(jr_value_of_number(types[t], types[t] == JR_F64 ? x[i] : x[i] / 64, &value));
            memcpy(raw + (size_t)i * bytes, value.as.bytes, bytes);
            works(jr_value_number(&value, &narrow[i]));
        }
        jr_plan *plan = plan_held(device, WORK(&spec));
        for (size_t shift = 0; shift < 16 / bytes; shift++) {
            device_write(device, d_in + shift * bytes, raw, COUNT * bytes);
            const void *const arrays[] = {d_in + shift * bytes};
            jr_value value, number;
            works(jr_plan_value(plan, arrays, COUNT, NULL, &value));
            if (types[t] == JR_F64) {
                tree_same_f64(&value, tree_of(narrow, COUNT, tree_add_f64));
                continue;
            }
            works(jr_value_of_number(value.type, tree_of(narrow, COUNT, tree_add_f32), &number));
            assert_memory_equal(value.as.bytes, number.as.bytes, jr_type_size(value.type));
        }
    }
}

/* A skipped element is the identity; two inputs have different alignments; an initial value precedes everything. */
DEVICE_TEST(maps_selections_inputs_and_initial_values_keep_the_shape) {
    enum { COUNT = 9001 };
    double *x = tree_numbers_new(COUNT, 3), *y = tree_numbers_new(COUNT, 4),
           *lifted = test_bytes(COUNT * sizeof *lifted);
    float *single = tree_singles_new(x, COUNT), *other = tree_singles_new(y, COUNT);
    float *d_x = device_new(device, ROOM * sizeof *d_x), *d_y = device_new(device, ROOM * sizeof *d_y);
    jr_spec spec = tree_spec(JR_OP_SUM, JR_F32);
    const jr_value initial = {.type = JR_F32, .as.f32 = 123.456F};
    spec.input_count = 2;
    spec.map = "x * y";
    spec.where = "x > 0";
    spec.initial = &initial;
    for (int i = 0; i < COUNT; i++) lifted[i] = single[i] > 0 ? (double)(single[i] * other[i]) : -0.0;
    const double wanted = tree_add_f32((double)initial.as.f32, tree_of(lifted, COUNT, tree_add_f32));
    jr_plan *plan = plan_held(device, WORK(&spec));
    for (unsigned shift = 0; shift < 16; shift++) {
        const void *const arrays[] = {d_x + shift % 4, d_y + shift / 4};
        jr_value value;
        device_write(device, d_x + shift % 4, single, COUNT * sizeof *single);
        device_write(device, d_y + shift / 4, other, COUNT * sizeof *other);
        works(jr_plan_value(plan, arrays, COUNT, NULL, &value));
        tree_same_f32(&value, wanted);
    }
}

/* In order, though it need not be associative, and without the contraction of its product and its sum. */
DEVICE_TEST(an_operator_of_the_callers_is_folded_in_order_and_not_contracted) {
    enum { COUNT = 6007 };
    double *x = tree_numbers_new(COUNT, 5);
    float *single = tree_singles_new(x, COUNT);
    for (int i = 0; i < COUNT; i++) x[i] = (double)single[i];
    for (int commutative = 0; commutative < 2; commutative++)
        for (int a = 1; a <= 3; a++) {
            jr_spec spec = tree_spec(JR_OP_CUSTOM, JR_F32);
            jr_value value;
            spec.combine = "a + b * 0.3f";
            spec.identity = "0";
            spec.commutative = commutative;
            spec.algorithm = (jr_algorithm)a;
            works(jr_reduce_host(device->context, &spec, single, COUNT, &value));
            tree_same_f32(&value, tree_of(x, COUNT, tree_blend_f32));
        }
}

DEVICE_TEST(lists_products_and_means_keep_the_shape) {
    enum { COUNT = 777 };
    double *x = tree_numbers_new(COUNT, 6);
    float *single = test_bytes(COUNT * sizeof *single);
    const jr_op ops[] = {JR_OP_SUM, JR_OP_PROD, JR_OP_MAX, JR_OP_MEAN};
    jr_spec spec = JR_INIT(jr_spec, .ops = ops, .op_count = 4, .type = JR_F32, .accuracy = JR_ACCURACY_REPRODUCIBLE);
    jr_value values[4];
    float most = -INFINITY;
    for (int i = 0; i < COUNT; i++) {
        single[i] = (float)(x[i] < 0 ? -1 - fabs(x[i]) / 1e6 : 1 + x[i] / 1e6);
        x[i] = (double)single[i];
        most = single[i] > most ? single[i] : most;
    }
    works(jr_work_run_host(device->context, WORK(&spec), DATA(.in = FROM(single), .count = COUNT, .values = values)));
    tree_same_f32(&values[0], tree_of(x, COUNT, tree_add_f32));
    tree_same_f32(&values[1], tree_of(x, COUNT, tree_multiply_f32));
    tree_same_f32(&values[2], (double)most);
    tree_same_f32(&values[3], tree_of(x, COUNT, tree_add_f64) / COUNT);
}

/* Parts of host memory, short launches, and a second run in what the first one left. */
DEVICE_TEST(parts_give_the_tree_of_the_whole) {
    enum { COUNT = 300007 };
    double *x = tree_numbers_new(COUNT, 7);
    float *single = tree_singles_new(x, COUNT), *d_in = device_new(device, COUNT * sizeof *d_in);
    for (int i = 0; i < COUNT; i++) x[i] = (double)single[i];
    const double wanted = tree_of(x, COUNT, tree_add_f32);
    static const uint64_t bytes[] = {0, 3 * 4096, 65536, 100000, 1 << 20};
    jr_spec spec = tree_spec(JR_OP_SUM, JR_F32);
    jr_value value;
    for (size_t b = 0; b < sizeof bytes / sizeof *bytes; b++) {
        jr_stats stats = JR_INIT(jr_stats);
        spec.device_bytes = bytes[b];
        works(jr_reduce_host(device->context, &spec, single, COUNT, &value));
        tree_same_f32(&value, wanted);
        works(jr_context_stats(device->context, &stats));
        assert_true(bytes[b] == 0 ? stats.parts <= 1 : stats.parts > 1);
    }
    spec.device_bytes = 0;
    spec.max_launch_ms = 1e-6;
    spec.capacity = COUNT;
    jr_plan *plan = plan_held(device, WORK(&spec));
    device_write(device, d_in, single, COUNT * sizeof *single);
    for (int round = 0; round < 2; round++) {
        value = plan_value(device, plan, d_in, COUNT);
        tree_same_f32(&value, wanted);
    }
}

DEVICE_TEST(nothing_and_zeros_are_as_of_other_sums) {
    const float zeros[] = {-0.0F, -0.0F, -0.0F};
    jr_spec spec = tree_spec(JR_OP_SUM, JR_F32);
    jr_value value;
    works(jr_reduce_host(device->context, &spec, zeros, 3, &value));
    tree_same_f32(&value, -0.0);
    works(jr_reduce_host(device->context, &spec, NULL, 0, &value));
    tree_same_f32(&value, 0.0);
    spec.op = JR_OP_MEAN;
    works(jr_reduce_host(device->context, &spec, NULL, 0, &value));
    assert_true(isnan(value.as.f32));
}

/* What has one value in every order goes by every algorithm. */
DEVICE_TEST(what_has_one_value_runs_as_usual) {
    const int32_t data[] = {5, -7, 9};
    jr_spec spec = tree_spec(JR_OP_SUM, JR_I32);
    jr_value value;
    spec.algorithm = JR_ALGORITHM_ATOMIC;
    works(jr_reduce_host(device->context, &spec, data, 3, &value));
    assert_int_equal(value.as.i64, 7);
    int64_t sums[3];
    spec.algorithm = JR_ALGORITHM_AUTO;
    works(jr_work_run_host(device->context, WORK(&spec, .kind = JR_WORK_SCAN_INCLUSIVE),
                           DATA(.in = FROM(data), .count = 3, .out = sums)));
    assert_true(sums[0] == 5 && sums[1] == -2 && sums[2] == 7);
}

DEVICE_TEST(what_has_no_fixed_tree_is_refused_with_a_reason) {
    const float data[] = {1, 2};
    float out[2] = {7, 7};
    const jr_segment_layout keys = JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_KEYS, .key_type = JR_I32);
    jr_spec spec = tree_spec(JR_OP_SUM, JR_F32);
    jr_plan *plan = NULL;
    jr_value value = {.type = JR_F32, .as.f32 = 7};
    fails(jr_work_run_host(device->context, WORK(&spec, .kind = JR_WORK_SCAN_INCLUSIVE),
                           DATA(.in = FROM(data), .count = 2, .out = out)),
          JR_ERROR_NOT_APPLICABLE, "a scan has no");
    fails(jr_work_plan_create(device->context, WORK(&spec, .kind = JR_WORK_STATE), &plan), JR_ERROR_NOT_APPLICABLE,
          "a state");
    fails(jr_work_plan_create(device->context, WORK(&spec, .kind = JR_WORK_MERGE), &plan), JR_ERROR_NOT_APPLICABLE,
          "states that are merged");
    fails(jr_work_plan_create(device->context, WORK(&spec, .layout = &keys), &plan), JR_ERROR_NOT_APPLICABLE,
          "segments by keys");
    spec.algorithm = JR_ALGORITHM_ROWS;
    fails(jr_reduce_host(device->context, &spec, data, 2, &value), JR_ERROR_NOT_APPLICABLE, "no fixed tree");
    assert_true(plan == NULL && value.as.f32 == 7 && out[0] == 7);
}

RUN_TESTS(open_context, close_context)
