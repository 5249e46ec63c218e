/* One rule for every conversion to a result: every accumulator × every result type, by sum, prod, min and max of single
 * elements, and of those that finish gives; and the rest of the operators for some. A sample takes a third of the
 * pairs, other types for each accumulator. */
#include <math.h>
#include <string.h>

#include "support/every/every_row.h"
#include "support/fixtures/open_context.h"
#include "support/oracle/element.h"

static const jr_type accumulators[] = {JR_I32, JR_U32, JR_I64, JR_U64, JR_F32, JR_F64};
enum { ACCUMULATOR_COUNT = 6, NUMBERS_MAX = 64, STRIDE = 16 };

static const double floats[] = {0,
                                -0.0,
                                0.5,
                                -0.5,
                                1,
                                -1,
                                2.75,
                                127.5,
                                128,
                                -128.9,
                                -129,
                                255.5,
                                256,
                                300,
                                449,
                                464,
                                465,
                                2049,
                                2051,
                                32768,
                                -32769,
                                65504,
                                65520,
                                65536,
                                -7e4,
                                61440,
                                1e9,
                                3e9,
                                -3e9,
                                1e15,
                                0x1p63,
                                1e30,
                                -1e30,
                                1e-7,
                                1e-30,
                                0x1p-25,
                                (double)INFINITY,
                                -(double)INFINITY,
                                (double)NAN};
static const int64_t integers[] = {
    0,     1,     -1,       5,        127,       128,       -128,      -129,      255,
    256,   300,   449,      465,      2049,      2051,      32767,     32768,     -32769,
    65535, 65536, 16777217, 33554435, INT32_MAX, INT32_MIN, INT64_MAX, INT64_MIN, (int64_t)1 << 53};

static uint64_t fill(jr_type type, void *data) {
    const uint64_t count = element_is_float(type) ? sizeof floats / sizeof *floats : sizeof integers / sizeof *integers;
    for (uint64_t i = 0; i < count; i++) {
        void *to = (char *)data + i * element_bytes(type);
        if (element_is_float(type))
            element_store_float(type, to, floats[i]);
        else
            element_store_integer(type, to, (uint64_t)integers[i]);
    }
    return count;
}

static void saturate(jr_type type, double x, void *to) {
    const int bits = 8 * (int)element_bytes(type);
    const bool is_signed = element_is_signed(type);
    const double end = ldexp(1, is_signed ? bits - 1 : bits);
    const uint64_t most = is_signed ? ((uint64_t)1 << (bits - 1)) - 1 : UINT64_MAX >> (64 - bits);
    uint64_t got = 0;
    if (x >= end) got = most;
    if (x < 0 && is_signed) got = x <= -end ? most + 1 : (uint64_t)(int64_t)x;
    if (x >= 0 && x < end) got = (uint64_t)x;
    element_store_integer(type, to, got);
}

/* The i-th element as a value of another type, by C's rules and those of the header. */
static void convert(jr_type from, const void *data, uint64_t i, jr_type type, void *to) {
    const uint64_t bits = element_is_float(from) ? 0 : element_integer(from, data, i);
    const double x = element_is_float(from)    ? element_float(from, data, i)
                     : element_is_signed(from) ? (double)(int64_t)bits
                                               : (double)bits;
    if (type == JR_BOOL)
        element_store_integer(type, to, x != 0);
    else if (type == JR_F32 && !element_is_float(from)) { /* not through a double */
        const float single = element_is_signed(from) ? (float)(int64_t)bits : (float)bits;
        memcpy(to, &single, sizeof single);
    } else if (element_is_float(type))
        element_store_float(type, to, x);
    else if (element_is_float(from))
        saturate(type, x, to);
    else
        element_store_integer(type, to, bits);
}

static void assert_same(jr_type type, const void *got, const void *wanted, const char *what, uint64_t i) {
    if (element_is_float(type) && isnan(element_float(type, wanted, 0)) && isnan(element_float(type, got, 0))) return;
    if (memcmp(got, wanted, element_bytes(type)) != 0)
        fail_msg("%s, number %d, as %s", what, (int)i, jr_type_name(type));
}

static void run(const opened *device, const jr_spec *spec, const void *data, uint64_t count, void *results) {
    const jr_segment_layout layout = {.size = sizeof(jr_segment_layout), .kind = JR_SEGMENTS_EQUAL, .length = 1};
    const jr_work_data segments = {.size = sizeof(jr_work_data), .segments = count};
    works(jr_work_run_host(device->context, WORK(spec, .layout = &layout), DATA_OF(segments, &data, results)));
}

TEST(every_accumulator_becomes_every_result) {
    static const jr_op ops[] = {JR_OP_SUM, JR_OP_PROD, JR_OP_MIN, JR_OP_MAX};
    unsigned char data[NUMBERS_MAX * 8], results[NUMBERS_MAX * 4 * STRIDE], wanted[8];
    for (int a = 0; a < ACCUMULATOR_COUNT; a++) {
        const jr_type own = accumulators[a];
        const uint64_t count = fill(own, data);
        for (size_t t = 0; t < EVERY_TYPES; t++) {
            if (!tests_take(a + (int)t, 5)) continue;
            const jr_spec spec = JR_INIT(jr_spec, .ops = ops, .op_count = 4, .unroll = 1, .type = own,
                                         .accumulate = own, .result = every_type[t]);
            run(*state, &spec, data, count, results);
            for (uint64_t i = 0; i < count; i++)
                for (uint64_t o = 0; o < 4; o++) {
                    convert(own, data, i, every_type[t], wanted);
                    assert_same(every_type[t], results + (i * 4 + o) * STRIDE, wanted, jr_type_name(own), i);
                }
        }
    }
}

/* An element of a float becomes what accumulates by the same rule. */
TEST(every_element_becomes_every_accumulator) {
    unsigned char data[NUMBERS_MAX * 8], results[NUMBERS_MAX * 8], wanted[8];
    for (int e = 0; e < ACCUMULATOR_COUNT; e++) {
        const uint64_t count = fill(accumulators[e], data);
        for (int a = 0; a < ACCUMULATOR_COUNT; a++) {
            if (!tests_take(e + a, 4)) continue;
            const jr_spec spec =
                JR_INIT(jr_spec, .op = JR_OP_SUM, .type = accumulators[e], .accumulate = accumulators[a], .unroll = 1);
            run(*state, &spec, data, count, results);
            for (uint64_t i = 0; i < count; i++) {
                convert(accumulators[e], data, i, accumulators[a], wanted);
                assert_same(accumulators[a], results + i * element_bytes(accumulators[a]), wanted,
                            jr_type_name(accumulators[e]), i);
            }
        }
    }
}

/* finish gives a double here; bits, the sizes of numbers and roots their own result. */
TEST(other_operators_and_finish_have_the_rule) {
    static const jr_op bits[] = {JR_OP_AND, JR_OP_OR, JR_OP_XOR}, sizes[] = {JR_OP_NORM1, JR_OP_NORM2, JR_OP_NORMINF};
    unsigned char data[NUMBERS_MAX * 8], results[NUMBERS_MAX * 4 * STRIDE], wanted[8];
    for (size_t t = 0; t < EVERY_TYPES; t++) {
        const jr_spec of_bits =
            JR_INIT(jr_spec, .ops = bits, .op_count = 3, .type = JR_I64, .result = every_type[t], .unroll = 1);
        uint64_t count = fill(JR_I64, data);
        if (tests_take((int)t, 3)) run(*state, &of_bits, data, count, results);
        for (uint64_t i = 0; tests_take((int)t, 3) && i < count * 3; i++) {
            convert(JR_I64, data, i / 3, every_type[t], wanted);
            assert_same(every_type[t], results + i * STRIDE, wanted, "bits", i / 3);
        }
        const jr_spec of_sizes =
            JR_INIT(jr_spec, .ops = sizes, .op_count = 3, .type = JR_F64, .result = every_type[t], .unroll = 1);
        const jr_spec finished = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F64, .result = every_type[t],
                                         .finish = "fabs(a)", .unroll = 1);
        count = fill(JR_F64, data);
        for (int way = 0; way < 2; way++) {
            if (!tests_take((int)t + way + 1, 3)) continue;
            run(*state, way == 0 ? &of_sizes : &finished, data, count, results);
            for (uint64_t i = 0; i < count; i++) {
                const double size = fabs(element_float(JR_F64, data, i));
                convert(JR_F64, &size, 0, every_type[t], wanted);
                for (uint64_t o = 0; way == 0 && o < 3; o++)
                    if (o != 1) assert_same(every_type[t], results + (i * 3 + o) * STRIDE, wanted, "sizes", i);
                if (way == 1)
                    assert_same(every_type[t], results + i * element_bytes(every_type[t]), wanted, "finish", i);
            }
        }
    }
}

RUN_TESTS(open_context, close_context)
