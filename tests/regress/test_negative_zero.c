/* The sum of -0 alone was +0 except by `strided`, and initial = -0 was lost. The rule is IEEE 754's: -0 and -0 is -0,
 * of nothing the sum is +0. */
#include <math.h>
#include <string.h>

#include "support/fixtures/plan_case.h"
#include "support/oracle/element.h"

static const jr_type types[] = {JR_F16, JR_BF16, JR_F32, JR_F64};
enum { TYPE_COUNT = sizeof types / sizeof *types, COUNT_MAX = 5000 };

static void fill(jr_type type, void *data, uint64_t count, double number) {
    for (uint64_t i = 0; i < count; i++) element_store_float(type, (char *)data + i * element_bytes(type), number);
}

static void assert_zero(const jr_value *value, bool negative, const char *what, jr_type type) {
    const double number = element_float(value->type, &value->as, 0);
    if (number != 0 || !signbit(number) == negative)
        fail_msg("%s of %s: %g, not %s", what, jr_type_name(type), number, negative ? "-0" : "+0");
}

DEVICE_TEST(sums_of_minus_zeros_are_minus_zero_by_every_algorithm) {
    static const uint64_t counts[] = {1, 2, 31, COUNT_MAX};
    static double data[COUNT_MAX];
    for (int t = 0; t < TYPE_COUNT; t++) {
        FOR_EACH_ALGORITHM(a) {
            if (!tests_take((int)a + t, 4)) continue; /* a sample: each algorithm with one of the types */
            for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
                const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = types[t], .algorithm = a, .unroll = 2);
                const jr_spec wide = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = types[t], .algorithm = a, .unroll = 2,
                                             .accumulate = JR_F64);
                jr_value value;
                fill(types[t], data, counts[c], -0.0);
                const bool both = tests_take((int)a, 2);
                works(jr_reduce_host(device->context, &spec, data, counts[c], &value));
                assert_zero(&value, true, jr_algorithm_name(a), types[t]);
                if (both) works(jr_reduce_host(device->context, &wide, data, counts[c], &value));
                assert_zero(&value, true, jr_algorithm_name(a), types[t]);
                fill(types[t], data, 1, 0.0);
                if (both) works(jr_reduce_host(device->context, &wide, data, counts[c], &value));
                assert_zero(&value, !both, jr_algorithm_name(a), types[t]);
                works(jr_reduce_host(device->context, &spec, data, counts[c], &value));
                assert_zero(&value, false, jr_algorithm_name(a), types[t]);
            }
        }
    }
}

/* A workspace whose total was a sum of f64 serves the next run. */
DEVICE_TEST(a_plan_forgets_the_run_before) {
    static double data[COUNT_MAX];
    void *d_in = device_new(device, sizeof data);
    const jr_spec spec = {.size = sizeof(jr_spec), .op = JR_OP_SUM, .type = JR_F64, .algorithm = JR_ALGORITHM_ATOMIC};
    jr_plan *plan = plan_held(device, WORK(&spec));
    for (int run = 0; run < 4; run++) {
        fill(JR_F64, data, COUNT_MAX, run % 2 == 0 ? -0.0 : 1.5);
        device_write(device, d_in, data, sizeof data);
        const jr_value value = plan_value(device, plan, d_in, COUNT_MAX);
        if (run % 2 == 0) assert_zero(&value, true, "a run", JR_F64);
        if (run % 2 == 1) assert_true(value.as.f64 == 1.5 * COUNT_MAX);
    }
}

DEVICE_TEST(the_initial_value_keeps_its_sign) {
    const double minus[2] = {-0.0, -0.0};
    for (int t = 0; t < TYPE_COUNT; t++) {
        jr_value initial, value;
        jr_spec spec = {.size = sizeof(jr_spec), .op = JR_OP_SUM, .type = types[t], .initial = &initial};
        unsigned char data[16];
        fill(types[t], data, 2, minus[0]);
        works(jr_value_of_number(types[t] == JR_F64 ? JR_F64 : JR_F32, -0.0, &initial));
        works(jr_reduce_host(device->context, &spec, data, 0, &value));
        assert_zero(&value, true, "initial -0 and nothing", types[t]);
        works(jr_reduce_host(device->context, &spec, data, 2, &value));
        assert_zero(&value, true, "initial -0", types[t]);
        spec.where = "x > 1";
        works(jr_reduce_host(device->context, &spec, data, 2, &value));
        assert_zero(&value, true, "initial -0 and nothing kept", types[t]);
        initial = (jr_value){.type = initial.type};
        works(jr_reduce_host(device->context, &spec, data, 2, &value));
        assert_zero(&value, false, "initial +0", types[t]);
    }
}

/* The index of a zero among zeros of the other sign, all in one warp, or far from each other. */
DEVICE_TEST(an_index_takes_zeros_of_either_sign_for_equal) {
    static const uint64_t others[] = {1, 31, 33, COUNT_MAX - 1};
    static double data[COUNT_MAX];
    for (int t = 0; t < TYPE_COUNT; t++)
        for (size_t o = 0; o < sizeof others / sizeof *others; o++) FOR_EACH_ALGORITHM(a) {
                const jr_op op = o % 2 == 0 ? JR_OP_ARGMIN : JR_OP_ARGMAX;
                if (!tests_take((int)a + 4 * t + (int)o, 16)) continue; /* a sample: each algorithm once */
                const double first = op == JR_OP_ARGMIN ? 0.0 : -0.0;   /* the one that min and max do not take */
                const jr_spec spec = {.size = sizeof(jr_spec), .op = op, .type = types[t], .algorithm = a, .unroll = 2};
                jr_value value;
                fill(types[t], data, COUNT_MAX, first);
                element_store_float(types[t], (char *)data + others[o] * element_bytes(types[t]), -first);
                works(jr_reduce_host(device->context, &spec, data, COUNT_MAX, &value));
                if (value.as.i64 != 0)
                    fail_msg("%s of %s by %s: %lld", jr_op_name(op), jr_type_name(types[t]), jr_algorithm_name(a),
                             (long long)value.as.i64);
            }
}

DEVICE_TEST(the_sum_of_nothing_is_plus_zero) {
    static const jr_op ops[] = {JR_OP_SUM, JR_OP_NORM1, JR_OP_NORM2, JR_OP_SUMSQ};
    for (int t = 0; t < TYPE_COUNT; t++)
        for (size_t o = 0; o < sizeof ops / sizeof *ops; o++)
            for (int way = 0; way < 3; way++) {
                const jr_spec spec =
                    JR_INIT(jr_spec, .op = ops[o], .type = types[t], .unroll = 1, .where = way == 1 ? "x > 1" : NULL,
                            .nan = way == 2 ? JR_NAN_IGNORE : JR_NAN_PROPAGATE);
                unsigned char data[16];
                jr_value value;
                if (!tests_take(t + 3 * (int)o, 4) || !tests_take(way + 2 * t, 3)) continue;
                fill(types[t], data, 2, way == 2 ? (double)NAN : -0.0);
                works(jr_reduce_host(device->context, &spec, data, way == 0 ? 0 : 2, &value));
                assert_zero(&value, false, jr_op_name(ops[o]), types[t]);
            }
}

/* Their factors were multiplied as doubles, of which -2 times 0 is -0. */
DEVICE_TEST(a_product_of_integers_is_never_minus_zero) {
    static const jr_type integers[] = {JR_I8, JR_I32, JR_I64, JR_U16};
    for (size_t t = 0; t < sizeof integers / sizeof *integers; t++)
        for (int exact = 0; exact < 2; exact++) {
            const int64_t x = integers[t] == JR_U16 ? 0 : -2, y = 0;
            const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_DOT, .type = integers[t],
                                         .accuracy = exact ? JR_ACCURACY_EXACT : JR_ACCURACY_FAST);
            jr_value value;
            works(
                jr_work_run_host(device->context, WORK(&spec), DATA(.in = FROM(&x, &y), .count = 1, .values = &value)));
            assert_zero(&value, false, exact ? "exact dot" : "dot", integers[t]);
        }
}

/* The host says with each run whether it is of nothing. */
DEVICE_TEST(each_run_of_a_plan_is_told_from_nothing) {
    static const jr_op ops[] = {JR_OP_SUM, JR_OP_DOT};
    static double data[COUNT_MAX];
    void *d_in = device_new(device, sizeof data);
    for (int t = 0; t < TYPE_COUNT; t++) {
        fill(types[t], data, COUNT_MAX, -0.0);
        device_write(device, d_in, data, sizeof data);
        FOR_EACH_ALGORITHM(a) {
            if (!tests_take((int)a + t, 3)) continue;
            for (int unusual = 0; unusual < 2; unusual++) {
                if (!tests_take(unusual + (int)a, 2)) continue;
                const jr_spec spec =
                    JR_INIT(jr_spec, .op = JR_OP_SUM, .type = types[t], .algorithm = a, .block = unusual ? 96 : 0,
                            .grid = unusual && a != JR_ALGORITHM_ONE_BLOCK ? 3 : 0, .capacity = COUNT_MAX);
                jr_plan *plan = plan_held(device, WORK(&spec));
                for (int run = 0; run < 4; run++) {
                    const jr_value value = plan_value(device, plan, d_in, run % 2 == 0 ? 0 : COUNT_MAX);
                    assert_zero(&value, run % 2 != 0, jr_algorithm_name(a), types[t]);
                }
            }
        }
    }
    for (int t = 0; t < TYPE_COUNT; t++)
        for (size_t o = 0; o < sizeof ops / sizeof *ops; o++) {
            const jr_spec spec = JR_INIT(jr_spec, .op = ops[o], .type = types[t], .finish = "1 / (a * (n + 1))");
            if (!tests_take(t + (int)o, 2)) continue;
            const void *arrays[] = {data, data};
            jr_value value;
            works(jr_work_run_host(device->context, WORK(&spec), DATA(.in = arrays, .count = 0, .values = &value)));
            assert_true(element_float(value.type, &value.as, 0) == INFINITY);
        }
}

/* A list's sum shares the call with a variance, whose divisor it must not touch. */
DEVICE_TEST(a_sum_beside_a_variance_keeps_both) {
    static const jr_op ops[] = {JR_OP_SUM, JR_OP_VAR, JR_OP_MEAN};
    for (int t = 0; t < TYPE_COUNT; t++) {
        const jr_spec spec = {.size = sizeof(jr_spec), .ops = ops, .op_count = 3, .type = types[t], .ddof = 3};
        unsigned char data[4 * 8];
        const void *arrays[] = {data};
        jr_value values[3];
        fill(types[t], data, 4, -0.0);
        works(jr_work_run_host(device->context, WORK(&spec), DATA(.in = arrays, .count = 4, .values = values)));
        assert_zero(&values[0], true, "sum", types[t]);
        assert_zero(&values[2], true, "mean", types[t]);
        fill(types[t], data, 2, 2);
        works(jr_work_run_host(device->context, WORK(&spec), DATA(.in = arrays, .count = 4, .values = values)));
        assert_true(element_float(values[0].type, &values[0].as, 0) == 4);
        assert_true(element_float(values[1].type, &values[1].as, 0) == 4); /* 4 / (4 - 3) */
        works(jr_work_run_host(device->context, WORK(&spec), DATA(.in = arrays, .count = 0, .values = values)));
        assert_zero(&values[0], false, "sum of nothing", types[t]);
    }
}

/* Kept -0 is -0, also among skipped elements. */
DEVICE_TEST(a_selection_keeps_the_sign) {
    for (int t = 0; t < TYPE_COUNT; t++) {
        const jr_spec spec = {.size = sizeof(jr_spec), .op = JR_OP_SUM, .type = types[t], .where = "x == 0"};
        unsigned char data[3 * 8];
        jr_value value;
        fill(types[t], data, 3, -0.0);
        element_store_float(types[t], data + element_bytes(types[t]), 7);
        works(jr_reduce_host(device->context, &spec, data, 3, &value));
        assert_zero(&value, true, "sum of those kept", types[t]);
    }
}

DEVICE_TEST(segments_columns_lists_and_other_sums_have_the_rule) {
    static const jr_op list[] = {JR_OP_SUM, JR_OP_MEAN}, others[] = {JR_OP_MEAN, JR_OP_DOT};
    static double data[COUNT_MAX];
    for (int t = 0; t < TYPE_COUNT; t++) {
        const jr_spec sum = {.size = sizeof(jr_spec), .op = JR_OP_SUM, .type = types[t], .result = types[t]};
        const jr_spec both = {.size = sizeof(jr_spec), .ops = list, .op_count = 2, .type = types[t]};
        const void *arrays[] = {data, data};
        static const uint64_t lengths[] = {3, 40, 1250};
        double results[COUNT_MAX];
        jr_value values[2];
        fill(types[t], data, COUNT_MAX, -0.0);
        for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++)
            for (int axis = 0; axis < 2; axis++) {
                if (!tests_take(t + (int)l + axis, 2)) continue;
                const uint64_t shape[2] = {axis == 0 ? lengths[l] : 4, axis == 0 ? 4 : lengths[l]};
                const jr_axis along = {.size = sizeof(jr_axis), .shape = shape, .dimensions = 2, .axis = axis};
                works(
                    jr_work_run_host(device->context, WORK(&sum, .axis = &along), DATA(.in = arrays, .out = results)));
                for (uint64_t s = 0; s < 4; s++) assert_true(signbit(element_float(types[t], results, s)));
            }
        works(jr_work_run_host(device->context, WORK(&both), DATA(.in = arrays, .count = 100, .values = values)));
        for (int i = 0; i < 2; i++) assert_zero(&values[i], true, jr_op_name(list[i]), types[t]);
        for (size_t o = 0; o < sizeof others / sizeof *others; o++) {
            const jr_spec spec = {.size = sizeof(jr_spec), .op = others[o], .type = types[t]};
            static double ones[100];
            if (!tests_take(t + (int)o, 2)) continue;
            const void *two[] = {data, ones};
            fill(types[t], ones, 100, 1);
            works(jr_work_run_host(device->context, WORK(&spec), DATA(.in = two, .count = 100, .values = values)));
            assert_zero(&values[0], true, jr_op_name(others[o]), types[t]);
        }
    }
}

DEVICE_TEST(each_prefix_of_a_scan_has_the_rule) {
    static double data[COUNT_MAX];
    double results[COUNT_MAX];
    for (int t = 0; t < TYPE_COUNT; t++)
        for (int exclusive = 0; exclusive < 2; exclusive++) {
            const jr_spec spec = {.size = sizeof(jr_spec), .op = JR_OP_SUM, .type = types[t], .result = types[t]};
            if (!tests_take(t + exclusive, 2)) continue;
            fill(types[t], data, COUNT_MAX, -0.0);
            works(jr_work_run_host(device->context,
                                   WORK(&spec, .kind = exclusive ? JR_WORK_SCAN_EXCLUSIVE : JR_WORK_SCAN_INCLUSIVE),
                                   DATA(.in = FROM(data), .count = COUNT_MAX, .out = results)));
            for (uint64_t i = 0; i < COUNT_MAX; i++) {
                const double got = element_float(types[t], results, i);
                assert_true(got == 0 && !signbit(got) == (exclusive && i == 0));
            }
        }
}

RUN_TESTS(open_context, close_context)
