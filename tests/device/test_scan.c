/* Scans: values of every operator, type, tuning and alignment against one element after the other. */
#include <stdlib.h>
#include <string.h>

#include "support/cases/scan_case.h"

/* One scan and how it is compared. */
typedef struct scan_request {
    jr_spec spec;
    jr_work_kind kind;
    uint64_t count;
    scan_places places;
} scan_request;

static void compare(const scan_request *request, jr_type result, const void *data, const void *results) {
    const jr_spec *spec = &request->spec;
    scan_oracle oracle = {.op = spec->op, .type = spec->type};
    if (spec->initial != NULL) oracle.taken = true, oracle.running = scan_read(result, &spec->initial->as, 0);
    for (uint64_t i = 0; i < request->count; i++) {
        const int64_t before = scan_oracle_result(&oracle);
        scan_oracle_take(&oracle, scan_read(spec->type, data, i));
        const int64_t wanted = request->kind == JR_WORK_SCAN_EXCLUSIVE ? before : scan_oracle_result(&oracle);
        const int64_t got = scan_read(result, results, i);
        if (got != wanted)
            fail_msg("%s scan of %s over %llu %s, block %d, unroll %d, grid %d, shifts %zu and %zu: result %llu is "
                     "%lld instead of %lld",
                     request->kind == JR_WORK_SCAN_EXCLUSIVE ? "exclusive" : "inclusive", jr_op_name(spec->op),
                     (unsigned long long)request->count, jr_type_name(spec->type), spec->block, spec->unroll,
                     spec->grid, request->places.in_shift, request->places.out_shift, (unsigned long long)i,
                     (long long)got, (long long)wanted);
    }
}

static void scan_and_compare(const opened *device, jr_plan *plan, const scan_request *request, uint64_t *seed) {
    const jr_spec *spec = &request->spec;
    const size_t bytes = jr_type_size(spec->type), result_bytes = jr_plan_result_bytes(plan);
    void *data = test_bytes(request->count * bytes + 1), *results = test_bytes(request->count * result_bytes + 1);
    scan_fill(spec->op, spec->type, data, request->count, seed);
    scan_run(device, plan, (scan_data){data, bytes, request->count}, request->places, results);
    compare(request, jr_plan_result_type(plan), data, results);
}

static bool takes(jr_op op, jr_type type) {
    jr_type result;
    return jr_result_type(op, type, &result) == JR_OK;
}

static const jr_algorithm algorithms[] = {JR_ALGORITHM_SINGLE_PASS, JR_ALGORITHM_THREE_PASS, JR_ALGORITHM_BULK_COPY,
                                          JR_ALGORITHM_WAVE, JR_ALGORITHM_ONE_BLOCK};
enum { ALGORITHMS = sizeof algorithms / sizeof *algorithms };

/* Every operator over four of the types, of the sample over one. */
DEVICE_TEST(every_operator_scans_as_one_element_after_the_other) {
    static const jr_op ops[] = {JR_OP_SUM, JR_OP_PROD, JR_OP_MIN, JR_OP_MAX,           JR_OP_AND,    JR_OP_OR,
                                JR_OP_XOR, JR_OP_ANY,  JR_OP_ALL, JR_OP_COUNT_NONZERO, JR_OP_ARGMIN, JR_OP_ARGMAX};
    enum { OPS = sizeof ops / sizeof *ops, EACH = 4 };
    uint64_t seed = 11;
    int scans = 0;
    for (unsigned o = 0; o < OPS; o++) {
        for (unsigned t = 0; t < EACH; t++) {
            if (!tests_take((int)(o / 2 + t), 4)) continue;
            const bool index = ops[o] == JR_OP_ARGMIN || ops[o] == JR_OP_ARGMAX;
            const bool extremum = ops[o] == JR_OP_MIN || ops[o] == JR_OP_MAX;
            const jr_type type = (jr_type)(JR_I32 + (o * 5 + t * 3) % JR_BOOL);
            scan_request request = {
                .spec = {.size = sizeof(jr_spec), .op = ops[o], .type = type, .block = 128, .unroll = 2},
                .kind = index || extremum || t % 2 == 0 ? JR_WORK_SCAN_INCLUSIVE : JR_WORK_SCAN_EXCLUSIVE,
                .count = 5003};
            request.spec.algorithm = algorithms[(o + t) % ALGORITHMS];
            if (t % 2 == 0 && (o + t) % ALGORITHMS < 3) request.spec.grid = 3; /* which the others do not take */
            if (!takes(ops[o], type)) continue;
            jr_plan *plan = scan_plan(device, &request.spec, request.kind);
            scan_and_compare(device, plan, &request, &seed);
            request.count = 77;
            scan_and_compare(device, plan, &request, &seed);
            jr_plan_destroy(plan);
            scans++;
        }
    }
    assert_true(scans > (tests_are_whole() ? OPS * 3 : OPS / 2));
}

DEVICE_TEST(the_initial_value_comes_first) {
    const jr_value three = {JR_I8, {.i8 = 3}}, minus = {JR_F32, {.f32 = -100}}, most = {JR_U16, {.u16 = 4}};
    const scan_request requests[] = {
        {.spec = {.size = sizeof(jr_spec), .op = JR_OP_MIN, .type = JR_I8, .initial = &three},
         .kind = JR_WORK_SCAN_EXCLUSIVE,
         .count = 3000},
        {.spec = {.size = sizeof(jr_spec), .op = JR_OP_SUM, .type = JR_F16, .initial = &minus},
         .kind = JR_WORK_SCAN_EXCLUSIVE,
         .count = 70000},
        {.spec = {.size = sizeof(jr_spec), .op = JR_OP_SUM, .type = JR_F32, .initial = &minus},
         .kind = JR_WORK_SCAN_INCLUSIVE,
         .count = 70000},
        {.spec = {.size = sizeof(jr_spec), .op = JR_OP_MAX, .type = JR_U16, .initial = &most},
         .kind = JR_WORK_SCAN_EXCLUSIVE,
         .count = 5},
    };
    uint64_t seed = 12;
    for (size_t i = 0; i < ALGORITHMS * (sizeof requests / sizeof *requests); i++) {
        scan_request request = requests[i / ALGORITHMS];
        if (!tests_take((int)i, 4)) continue;
        request.spec.algorithm = algorithms[i % ALGORITHMS];
        jr_plan *plan = scan_plan(device, &request.spec, request.kind);
        scan_and_compare(device, plan, &request, &seed);
        jr_plan_destroy(plan);
    }
}

/* Elements from one to beyond several tiles in every row, and one off each edge. */
static void try_counts(const opened *device, scan_request *request, unsigned round, uint64_t *seed) {
    const jr_spec *spec = &request->spec;
    const size_t bytes = jr_type_size(spec->type);
    const uint64_t threads = (uint64_t)(spec->algorithm == JR_ALGORITHM_BULK_COPY ? spec->block / 2 - 32
                                        : spec->algorithm == JR_ALGORITHM_WAVE    ? spec->block - 64
                                                                                  : spec->block);
    const uint64_t pack = 16 / bytes, tile = pack * threads * (uint64_t)spec->unroll;
    const uint64_t edges[] = {1, pack, 32 * pack, 32 * pack * (uint64_t)spec->unroll, tile, 2 * tile, 7 * tile};
    jr_plan *plan = scan_plan(device, spec, request->kind);
    const size_t result_bytes = jr_plan_result_bytes(plan);
    for (unsigned e = 0; e < sizeof edges / sizeof *edges; e++) {
        for (unsigned k = 0; k < 3; k++) {
            request->count = edges[e] - 1 + k;
            request->places.in_shift = bytes * ((e + k + round) % (pack + 1));
            request->places.out_shift = result_bytes * ((e + 2 * k + round) % 5);
            scan_and_compare(device, plan, request, seed);
        }
    }
    jr_plan_destroy(plan);
}

DEVICE_TEST(every_tuning_count_and_alignment_gives_the_same) {
    static const struct {
        int unroll, block, grid;
        jr_op op;
        jr_type type;
    } rows[] = {{1, 32, 0, JR_OP_SUM, JR_I32},   {2, 32, 2, JR_OP_MAX, JR_U8},    {3, 96, 5, JR_OP_SUM, JR_F32},
                {4, 512, 0, JR_OP_SUM, JR_U32},  {5, 160, 3, JR_OP_SUM, JR_I8},   {6, 64, 9, JR_OP_SUM, JR_F64},
                {7, 1024, 0, JR_OP_ANY, JR_F32}, {8, 256, 1, JR_OP_SUM, JR_BF16}, {16, 32, 4, JR_OP_XOR, JR_U16},
                {16, 1024, 0, JR_OP_SUM, JR_F32}};
    uint64_t seed = 13;
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        scan_request request = {.spec = {.size = sizeof(jr_spec),
                                         .op = rows[i].op,
                                         .type = rows[i].type,
                                         .unroll = rows[i].unroll,
                                         .block = rows[i].block,
                                         .grid = rows[i].grid},
                                .kind = i % 3 == 1 && rows[i].op != JR_OP_MAX ? JR_WORK_SCAN_EXCLUSIVE
                                                                              : JR_WORK_SCAN_INCLUSIVE};
        if (tests_take((int)i, 4)) try_counts(device, &request, i, &seed);
        request.spec.algorithm = JR_ALGORITHM_THREE_PASS;
        if (tests_take((int)i + 2, 4)) try_counts(device, &request, i, &seed);
    }
}

/* Rings and waves get many small tiles, a few large ones, and an odd number of warps; rings also one block for all
 * tiles. */
DEVICE_TEST(every_form_count_and_alignment_gives_the_same) {
    static const struct {
        jr_algorithm algorithm;
        int unroll, block, grid;
        jr_op op;
        jr_type type;
    } rows[] = {{JR_ALGORITHM_BULK_COPY, 1, 128, 0, JR_OP_SUM, JR_I32},
                {JR_ALGORITHM_BULK_COPY, 2, 160, 2, JR_OP_MAX, JR_U8},
                {JR_ALGORITHM_BULK_COPY, 3, 192, 5, JR_OP_SUM, JR_F32},
                {JR_ALGORITHM_BULK_COPY, 7, 448, 0, JR_OP_SUM, JR_U32},
                {JR_ALGORITHM_BULK_COPY, 5, 256, 3, JR_OP_SUM, JR_I8},
                {JR_ALGORITHM_BULK_COPY, 4, 128, 1, JR_OP_SUM, JR_F64},
                {JR_ALGORITHM_BULK_COPY, 3, 1024, 0, JR_OP_ANY, JR_F32},
                {JR_ALGORITHM_BULK_COPY, 7, 448, 1, JR_OP_XOR, JR_U16},
                {JR_ALGORITHM_BULK_COPY, 16, 128, 4, JR_OP_SUM, JR_BF16},
                {JR_ALGORITHM_WAVE, 1, 96, 0, JR_OP_SUM, JR_F32},
                {JR_ALGORITHM_WAVE, 2, 576, 0, JR_OP_SUM, JR_I32},
                {JR_ALGORITHM_WAVE, 1, 160, 0, JR_OP_MAX, JR_U8},
                {JR_ALGORITHM_WAVE, 4, 576, 0, JR_OP_SUM, JR_F64},
                {JR_ALGORITHM_WAVE, 3, 1024, 0, JR_OP_SUM, JR_I8},
                {JR_ALGORITHM_WAVE, 5, 128, 0, JR_OP_AND, JR_U16},
                {JR_ALGORITHM_ONE_BLOCK, 2, 512, 0, JR_OP_SUM, JR_F32},
                {JR_ALGORITHM_ONE_BLOCK, 3, 96, 1, JR_OP_SUM, JR_I8}};
    uint64_t seed = 18;
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (!tests_take((int)i, 3)) continue;
        scan_request request = {.spec = {.size = sizeof(jr_spec),
                                         .op = rows[i].op,
                                         .type = rows[i].type,
                                         .algorithm = rows[i].algorithm,
                                         .unroll = rows[i].unroll,
                                         .block = rows[i].block,
                                         .grid = rows[i].grid},
                                .kind = i % 3 == 0 ? JR_WORK_SCAN_EXCLUSIVE : JR_WORK_SCAN_INCLUSIVE};
        try_counts(device, &request, i, &seed);
    }
}

RUN_TESTS(open_context, close_context)
