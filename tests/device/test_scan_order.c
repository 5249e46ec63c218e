/* Scans of operators that do not commute, of structs, of expressions and of several inputs. */
#include <stdlib.h>
#include <string.h>

#include "support/cases/scan_case.h"

/* 2x2 matrices modulo a prime: associative, far from commutative, and every factor changes all products after it. */
typedef struct matrix {
    uint32_t a, b, c, d;
} matrix;

enum { PRIME = 32749 }; /* two products of numbers below it fit into 32 bits */

static const jr_structure matrix_structure = {
    .size = sizeof(jr_structure),
    .name = "matrix",
    .source = "struct matrix { unsigned a, b, c, d; };\n"
              "__device__ matrix unit() { matrix m = {1, 0, 0, 1}; return m; }\n"
              "__device__ matrix product(const matrix &x, const matrix &y) {\n"
              "    matrix m = {(x.a * y.a + x.b * y.c) % 32749, (x.a * y.b + x.b * y.d) % 32749,\n"
              "                (x.c * y.a + x.d * y.c) % 32749, (x.c * y.b + x.d * y.d) % 32749};\n"
              "    return m;\n"
              "}\n",
    .bytes = sizeof(matrix),
    .alignment = 4};

static matrix product(matrix x, matrix y) {
    return (matrix){(x.a * y.a + x.b * y.c) % PRIME, (x.a * y.b + x.b * y.d) % PRIME, (x.c * y.a + x.d * y.c) % PRIME,
                    (x.c * y.b + x.d * y.d) % PRIME};
}

static jr_spec matrix_spec(void) {
    return JR_INIT(jr_spec, .op = JR_OP_CUSTOM, .type = JR_STRUCT, .structure = &matrix_structure,
                   .combine = "product(a, b)", .identity = "unit()");
}

static matrix *matrices_new(uint64_t count) {
    matrix *data = test_zeros(count, sizeof *data);
    uint64_t seed = 21;
    for (uint64_t i = 0; i < count; i++)
        data[i] = (matrix){(uint32_t)random_below(&seed, PRIME), (uint32_t)random_below(&seed, PRIME),
                           (uint32_t)random_below(&seed, PRIME), (uint32_t)random_below(&seed, PRIME)};
    return data;
}

static void compare_matrices(const matrix *data, const matrix *results, uint64_t count, jr_work_kind kind) {
    matrix running = {1, 0, 0, 1};
    for (uint64_t i = 0; i < count; i++) {
        const matrix before = running;
        running = product(running, data[i]);
        const matrix wanted = kind == JR_WORK_SCAN_EXCLUSIVE ? before : running;
        if (memcmp(&wanted, &results[i], sizeof wanted) != 0)
            fail_msg("result %llu of %llu is %u %u %u %u instead of %u %u %u %u", (unsigned long long)i,
                     (unsigned long long)count, results[i].a, results[i].b, results[i].c, results[i].d, wanted.a,
                     wanted.b, wanted.c, wanted.d);
    }
}

DEVICE_TEST(matrices_of_many_tiles_are_multiplied_in_order) {
    enum { COUNT = 200003 };
    const jr_spec spec = matrix_spec();
    matrix *data = matrices_new(COUNT), *results = test_zeros(COUNT, sizeof *results);
    works(jr_work_run_host(device->context, WORK(&spec, .kind = JR_WORK_SCAN_INCLUSIVE),
                           DATA(.in = FROM(data), .count = COUNT, .out = results)));
    compare_matrices(data, results, COUNT, JR_WORK_SCAN_INCLUSIVE);
}

DEVICE_TEST(matrices_keep_their_order_under_every_tuning) {
    static const struct {
        int unroll, block, grid;
        jr_algorithm algorithm;
    } rows[] = {{1, 32, 1, JR_ALGORITHM_THREE_PASS},   {1, 1024, 3, JR_ALGORITHM_SINGLE_PASS},
                {2, 64, 7, JR_ALGORITHM_SINGLE_PASS},  {4, 96, 2, JR_ALGORITHM_THREE_PASS},
                {8, 256, 0, JR_ALGORITHM_SINGLE_PASS}, {16, 32, 5, JR_ALGORITHM_SINGLE_PASS},
                {1, 128, 5, JR_ALGORITHM_BULK_COPY},   {4, 320, 0, JR_ALGORITHM_BULK_COPY},
                {2, 128, 0, JR_ALGORITHM_WAVE},        {1, 576, 0, JR_ALGORITHM_WAVE},
                {3, 64, 0, JR_ALGORITHM_ONE_BLOCK}};
    enum { COUNT = 20011 };
    matrix *data = matrices_new(COUNT), *results = test_zeros(COUNT, sizeof *results);
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        const unsigned turn = tests_are_whole() ? i : i / 2;
        const jr_work_kind kind = turn % 2 == 0 ? JR_WORK_SCAN_INCLUSIVE : JR_WORK_SCAN_EXCLUSIVE;
        if (!tests_take((int)i, 2)) continue; /* a sample: each algorithm */
        jr_spec spec = matrix_spec();
        spec.unroll = rows[i].unroll;
        spec.block = rows[i].block;
        spec.grid = rows[i].grid;
        spec.algorithm = rows[i].algorithm;
        jr_plan *plan = scan_plan(device, &spec, kind);
        scan_run(device, plan, (scan_data){data, sizeof *data, COUNT}, (scan_places){4 * i % 16, 8 * i % 16}, results);
        compare_matrices(data, results, COUNT, kind);
        jr_plan_destroy(plan);
    }
}

DEVICE_TEST(the_first_that_is_not_null_stays) {
    enum { COUNT = 100003, FIRST = 65537 };
    const jr_spec spec =
        JR_INIT(jr_spec, .op = JR_OP_CUSTOM, .type = JR_I32, .combine = "a != 0 ? a : b", .identity = "0");
    int32_t *data = test_zeros(COUNT, sizeof *data), *results = test_zeros(COUNT, sizeof *results);
    for (int i = FIRST; i < COUNT; i += 3) data[i] = i;
    works(jr_work_run_host(device->context, WORK(&spec, .kind = JR_WORK_SCAN_INCLUSIVE),
                           DATA(.in = FROM(data), .count = COUNT, .out = results)));
    for (int i = 0; i < COUNT; i++) assert_int_equal(results[i], i < FIRST ? 0 : FIRST);
}

/* x -> m x + k modulo 2^32, and how many: 12 bytes, whose packs of four fill three vectors. */
typedef struct affine {
    uint32_t m, k, count;
} affine;

static const jr_structure affine_structure = {.size = sizeof(jr_structure),
                                              .name = "affine",
                                              .source =
                                                  "struct affine { unsigned m, k, count; };\n"
                                                  "__device__ affine same() { affine f = {1, 0, 0}; return f; }\n"
                                                  "__device__ affine after(const affine &f, const affine &g) {\n"
                                                  "    affine h = {g.m * f.m, g.m * f.k + g.k, f.count + g.count};\n"
                                                  "    return h;\n"
                                                  "}\n",
                                              .bytes = sizeof(affine),
                                              .alignment = 4};

static void try_affine(const opened *device, jr_algorithm algorithm) {
    enum { COUNT = 7001 };
    const jr_spec spec =
        JR_INIT(jr_spec, .op = JR_OP_CUSTOM, .type = JR_STRUCT, .structure = &affine_structure, .algorithm = algorithm,
                .combine = "after(a, b)", .identity = "same()", .block = 128, .unroll = 3);
    affine *data = test_zeros(COUNT, sizeof *data), *results = test_zeros(COUNT, sizeof *results);
    uint64_t seed = 22;
    jr_plan *plan = scan_plan(device, &spec, JR_WORK_SCAN_INCLUSIVE);
    for (int i = 0; i < COUNT; i++)
        data[i] = (affine){(uint32_t)random_bits(&seed) | 1, (uint32_t)random_bits(&seed), 1};
    for (size_t shift = 0; shift < 16; shift += 4) {
        affine running = {1, 0, 0};
        scan_run(device, plan, (scan_data){data, sizeof *data, COUNT}, (scan_places){shift, 12 - shift}, results);
        for (int i = 0; i < COUNT; i++) {
            running = (affine){data[i].m * running.m, data[i].m * running.k + data[i].k, running.count + 1};
            assert_memory_equal(&results[i], &running, sizeof running);
        }
    }
    jr_plan_destroy(plan);
}

TEST(structs_lie_anywhere) {
    try_affine(*state, JR_ALGORITHM_AUTO);
    try_affine(*state, JR_ALGORITHM_BULK_COPY);
    try_affine(*state, JR_ALGORITHM_WAVE);
    try_affine(*state, JR_ALGORITHM_ONE_BLOCK);
}

/* Eight bytes at an odd multiple of four: none of them lies at a 16-byte boundary. */
static void try_pairs(const opened *device, jr_algorithm algorithm) {
    static const jr_structure pair = {.size = sizeof(jr_structure),
                                      .name = "pair",
                                      .source = "struct pair { int sum, last; };\n"
                                                "__device__ pair none() { pair p = {0, 0}; return p; }\n"
                                                "__device__ pair join(const pair &x, const pair &y) {\n"
                                                "    pair p = {x.sum + y.sum, y.last != 0 ? y.last : x.last};\n"
                                                "    return p;\n"
                                                "}\n",
                                      .bytes = 8,
                                      .alignment = 4};
    enum { COUNT = 3001 };
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_CUSTOM, .type = JR_STRUCT, .structure = &pair,
                                 .algorithm = algorithm, .combine = "join(a, b)", .identity = "none()", .block = 128);
    int32_t data[COUNT][2], results[COUNT][2], sum = 0, last = 0;
    jr_plan *plan = scan_plan(device, &spec, JR_WORK_SCAN_EXCLUSIVE);
    for (int i = 0; i < COUNT; i++) data[i][0] = i % 17 - 5, data[i][1] = i % 11 == 3 ? i : 0;
    scan_run(device, plan, (scan_data){data, sizeof *data, COUNT}, (scan_places){4, 4}, results);
    for (int i = 0; i < COUNT; i++) {
        assert_int_equal(results[i][0], sum);
        assert_int_equal(results[i][1], last);
        sum += data[i][0];
        last = data[i][1] != 0 ? data[i][1] : last;
    }
    jr_plan_destroy(plan);
}

TEST(structs_without_a_16_byte_boundary_are_scanned_one_by_one) {
    try_pairs(*state, JR_ALGORITHM_AUTO);
    try_pairs(*state, JR_ALGORITHM_BULK_COPY);
    try_pairs(*state, JR_ALGORITHM_WAVE);
    try_pairs(*state, JR_ALGORITHM_ONE_BLOCK);
}

static void try_left_out(const opened *device, jr_algorithm algorithm) {
    enum { COUNT = 5003 };
    jr_parameter limit = {"limit", {JR_I32, {.i32 = 3}}};
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I16, .algorithm = algorithm, .where = "x > limit",
                                 .finish = "a * 10000 + n", .parameters = &limit, .parameter_count = 1, .block = 128);
    int16_t *data = test_zeros(COUNT, sizeof *data);
    int64_t *results = test_zeros(COUNT, sizeof *results), sum = 0;
    uint64_t seed = 23;
    for (int i = 0; i < COUNT; i++) data[i] = (int16_t)random_below(&seed, 9);
    works(jr_work_run_host(device->context, WORK(&spec, .kind = JR_WORK_SCAN_INCLUSIVE),
                           DATA(.in = FROM(data), .count = COUNT, .out = results)));
    for (int i = 0; i < COUNT; i++) {
        sum += data[i] > 3 ? data[i] : 0;
        assert_int_equal(results[i], sum * 10000 + i + 1);
    }
}

TEST(elements_that_are_left_out_repeat_the_result_before) {
    try_left_out(*state, JR_ALGORITHM_AUTO);
    try_left_out(*state, JR_ALGORITHM_BULK_COPY);
    try_left_out(*state, JR_ALGORITHM_WAVE);
    try_left_out(*state, JR_ALGORITHM_ONE_BLOCK);
}

static void try_inputs(const opened *device, jr_algorithm algorithm) {
    enum { COUNT = 30011 };
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32, .algorithm = algorithm, .input_count = 2,
                                 .more_types = {JR_I8}, .map = "x * y + i", .map_type = JR_I64);
    int32_t *x = test_zeros(COUNT, sizeof *x);
    int8_t *y = test_zeros(COUNT, sizeof *y);
    int64_t *results = test_zeros(COUNT, sizeof *results), sum = 0;
    uint64_t seed = 24;
    for (int i = 0; i < COUNT; i++) {
        x[i] = (int32_t)random_below(&seed, 1000);
        y[i] = (int8_t)random_bits(&seed);
    }
    works(jr_work_run_host(device->context, WORK(&spec, .kind = JR_WORK_SCAN_EXCLUSIVE),
                           DATA(.in = FROM(x, y), .count = COUNT, .out = results)));
    for (int i = 0; i < COUNT; i++) {
        assert_int_equal(results[i], sum);
        sum += x[i] * y[i] + i;
    }
}

TEST(several_inputs_are_read_side_by_side) {
    try_inputs(*state, JR_ALGORITHM_AUTO);
    try_inputs(*state, JR_ALGORITHM_BULK_COPY);
    try_inputs(*state, JR_ALGORITHM_WAVE);
    try_inputs(*state, JR_ALGORITHM_ONE_BLOCK);
}

RUN_TESTS(open_context, close_context)
