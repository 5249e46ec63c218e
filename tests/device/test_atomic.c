/* atomic: blocks combine into one total by the native atomic of the operator, by compare and swap, or under a lock. */
#include <float.h>
#include <stdlib.h>
#include <string.h>

#include "support/cases/ordered_case.h"
#include "support/fixtures/plan_case.h"
#include "support/oracle/reduce_data.h"
#include "support/oracle/reference.h"

enum { COUNT = 50021, GRID = 97, RUNS = 3 };

static jr_spec atomic_spec(jr_op op, jr_type type) {
    return JR_INIT(jr_spec, .op = op, .type = type, .algorithm = JR_ALGORITHM_ATOMIC, .unroll = 2, .block = 32,
                   .grid = GRID);
}

/* Many blocks, and the same plan again: a total that was not cleared would count twice. */
static void agree(const opened *device, const jr_spec *spec, const void *host, const void *d_in) {
    reference expected;
    jr_plan *plan = plan_held(device, WORK(spec));
    for (int run = 0; run < RUNS; run++) {
        const uint64_t count = COUNT - 1000 * (uint64_t)run;
        reference_reduce(spec, host, count, &expected);
        const jr_value value = plan_value(device, plan, d_in, count);
        reference_assert(&expected, &value, 0, jr_op_name(spec->op));
    }
}

/* Data that rounds nowhere, so that the order of the blocks does not show. */
DEVICE_TEST(every_operator_of_numbers_agrees) {
    static const jr_type types[] = {JR_I32, JR_U32, JR_I64, JR_U64, JR_F32, JR_F64, JR_I8};
    void *host = test_zeros(COUNT, sizeof(uint64_t)), *d_in = device_new(device, COUNT * sizeof(uint64_t));
    uint64_t seed = 3;
    for (size_t t = 0; t < sizeof types / sizeof *types; t++)
        for (int op = JR_OP_SUM; op <= JR_OP_ARGMAX; op++) {
            jr_type result;
            if (!tests_take((int)t + op, 3)) continue;
            const jr_spec spec = atomic_spec((jr_op)op, types[t]);
            if (jr_result_type(spec.op, spec.type, &result) != JR_OK) continue;
            reduce_data_fill(spec.op, spec.type, true, host, COUNT, &seed);
            device_write(device, d_in, host, COUNT * jr_type_size(spec.type));
            agree(device, &spec, host, d_in);
        }
}

/* A native atomic sum of f32 would make zeros of them. */
DEVICE_TEST(subnormals_of_all_blocks_count) {
    static float host[COUNT];
    void *d_in = device_new(device, sizeof host);
    const jr_spec spec = atomic_spec(JR_OP_SUM, JR_F32);
    for (int i = 0; i < COUNT; i++) host[i] = FLT_TRUE_MIN;
    device_write(device, d_in, host, sizeof host);
    agree(device, &spec, host, d_in);
}

/* An accumulator that no atomic takes: mean, deviation and extremes in one. */
DEVICE_TEST(a_list_of_operators_is_combined_under_a_lock) {
    static const jr_op ops[] = {JR_OP_MIN, JR_OP_MAX, JR_OP_MEAN, JR_OP_COUNT_NONZERO, JR_OP_ARGMAX};
    jr_spec spec = atomic_spec(JR_OP_NONE, JR_U32);
    uint32_t *d_in = iota_new(device, COUNT);
    unsigned char *d_out = device_new(device, sizeof(jr_value) * 5), out[sizeof(jr_value) * 5];
    spec.ops = ops;
    spec.op_count = 5;
    jr_plan *plan = plan_held(device, WORK(&spec));
    for (uint32_t run = 0; run < RUNS; run++) {
        const uint32_t count = COUNT - run, first = run;
        uint32_t least, most;
        double mean;
        uint64_t nonzero;
        int64_t index;
        works(jr_work_plan_run(plan, DATA(.in = FROM(d_in + first), .count = count - run, .out = d_out), NULL, NULL));
        device_read(device, out, d_out, jr_plan_result_bytes(plan));
        memcpy(&least, out + jr_plan_result_offset(plan, 0), sizeof least);
        memcpy(&most, out + jr_plan_result_offset(plan, 1), sizeof most);
        memcpy(&mean, out + jr_plan_result_offset(plan, 2), sizeof mean);
        memcpy(&nonzero, out + jr_plan_result_offset(plan, 3), sizeof nonzero);
        memcpy(&index, out + jr_plan_result_offset(plan, 4), sizeof index);
        assert_int_equal(least, first);
        assert_int_equal(most, COUNT - run - 1);
        assert_true(mean == (double)(COUNT - 1) / 2);
        assert_int_equal(nonzero, count - run - (run == 0));
        assert_int_equal(index, count - run - 1);
    }
}

/* An identity that is not of zero bits, in 8 bytes, which compare and swap takes, and in 12, which it does not. */
DEVICE_TEST(structs_begin_at_their_identity) {
    static const jr_structure structures[] = {
        {sizeof(jr_structure), "best", "struct best { int key, at; };\n__device__ best none() { return {1000, -1}; }",
         8, 4},
        {sizeof(jr_structure), "best",
         "struct best { int key, at, third; };\n__device__ best none() { return {1000, -1, 0}; }", 12, 4}};
    static int32_t host[3 * COUNT];
    void *d_in = device_new(device, sizeof host);
    for (int s = 0; s < 2; s++) {
        const int words = 2 + s;
        jr_spec spec = atomic_spec(JR_OP_CUSTOM, JR_STRUCT);
        spec.structure = &structures[s];
        spec.combine = "b.key < a.key ? b : a";
        spec.identity = "none()";
        spec.commutative = 1;
        for (int i = 0; i < words * COUNT; i++) host[i] = i % words == 0 ? 500 : i / words;
        host[40000 * words] = 3;
        device_write(device, d_in, host, sizeof host);
        jr_plan *plan = plan_held(device, WORK(&spec));
        for (int run = 0; run < RUNS; run++) {
            jr_value value = plan_value(device, plan, d_in, COUNT);
            assert_memory_equal(value.as.bytes, ((int32_t[]){3, 40000}), 8);
            value = plan_value(device, plan, d_in, 0);
            assert_memory_equal(value.as.bytes, ((int32_t[]){1000, -1}), 8);
        }
    }
}

RUN_TESTS(open_context, close_context)
