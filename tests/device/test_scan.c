/* Scans: values of every operator, type, tuning and alignment against one element after the other. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/scan_case.h"

/* One scan and how it is compared. */
typedef struct scan_request {
    jr_spec spec;
    jr_scan_kind kind;
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
        const int64_t wanted = request->kind == JR_SCAN_EXCLUSIVE ? before : scan_oracle_result(&oracle);
        const int64_t got = scan_read(result, results, i);
        if (got != wanted)
            fail_msg("%s scan of %s over %llu %s, block %d, unroll %d, grid %d, shifts %zu and %zu: result %llu is "
                     "%lld instead of %lld",
                     request->kind == JR_SCAN_EXCLUSIVE ? "exclusive" : "inclusive", jr_op_name(spec->op),
                     (unsigned long long)request->count, jr_type_name(spec->type), spec->block, spec->unroll,
                     spec->grid, request->places.in_shift, request->places.out_shift, (unsigned long long)i,
                     (long long)got, (long long)wanted);
    }
}

static void scan_and_compare(const opened *device, jr_plan *plan, const scan_request *request, uint64_t *seed) {
    const jr_spec *spec = &request->spec;
    const size_t bytes = jr_type_size(spec->type), result_bytes = jr_plan_result_bytes(plan);
    void *data = malloc(request->count * bytes + 1), *results = malloc(request->count * result_bytes + 1);
    assert_non_null(data);
    assert_non_null(results);
    scan_fill(spec->op, spec->type, data, request->count, seed);
    scan_run(device, plan, (scan_data){data, bytes, request->count}, request->places, results);
    compare(request, jr_plan_result_type(plan), data, results);
    free(data);
    free(results);
}

static bool takes(jr_op op, jr_type type) {
    jr_type result;
    return jr_result_type(op, type, &result) == JR_OK;
}

/* Every operator over five of the types in each kind, so that every type meets every third operator. */
static void every_operator_scans_as_one_element_after_the_other(void **state) {
    const opened *device = *state;
    static const jr_op ops[] = {JR_OP_SUM, JR_OP_PROD, JR_OP_MIN, JR_OP_MAX,           JR_OP_AND,    JR_OP_OR,
                                JR_OP_XOR, JR_OP_ANY,  JR_OP_ALL, JR_OP_COUNT_NONZERO, JR_OP_ARGMIN, JR_OP_ARGMAX};
    enum { OPS = sizeof ops / sizeof *ops, EACH = 4 };
    uint64_t seed = 11;
    int scans = 0;
    for (unsigned o = 0; o < OPS; o++) {
        for (unsigned t = 0; t < EACH; t++) {
            const bool index = ops[o] == JR_OP_ARGMIN || ops[o] == JR_OP_ARGMAX;
            const bool extremum = ops[o] == JR_OP_MIN || ops[o] == JR_OP_MAX;
            const jr_type type = (jr_type)(JR_I32 + (o * 5 + t * 3) % JR_BOOL);
            scan_request request = {
                .spec = {.size = sizeof(jr_spec), .op = ops[o], .type = type, .block = 64, .unroll = 2, .grid = 3},
                .kind = index || extremum || t % 2 == 0 ? JR_SCAN_INCLUSIVE : JR_SCAN_EXCLUSIVE,
                .count = 5003};
            request.spec.algorithm = (o + t) % 2 == 0 ? JR_ALGORITHM_SINGLE_PASS : JR_ALGORITHM_THREE_PASS;
            if (!takes(ops[o], type)) continue;
            jr_plan *plan = scan_plan(device, &request.spec, request.kind);
            scan_and_compare(device, plan, &request, &seed);
            request.count = 77;
            scan_and_compare(device, plan, &request, &seed);
            jr_plan_destroy(plan);
            scans++;
        }
    }
    assert_true(scans > OPS * 3);
}

static void the_initial_value_comes_first(void **state) {
    const opened *device = *state;
    const jr_value three = {JR_I8, {.i8 = 3}}, minus = {JR_F32, {.f32 = -100}}, most = {JR_U16, {.u16 = 4}};
    const scan_request requests[] = {
        {.spec = {.size = sizeof(jr_spec), .op = JR_OP_MIN, .type = JR_I8, .initial = &three},
         .kind = JR_SCAN_EXCLUSIVE,
         .count = 3000},
        {.spec = {.size = sizeof(jr_spec), .op = JR_OP_SUM, .type = JR_F16, .initial = &minus},
         .kind = JR_SCAN_EXCLUSIVE,
         .count = 70000},
        {.spec = {.size = sizeof(jr_spec), .op = JR_OP_SUM, .type = JR_F32, .initial = &minus},
         .kind = JR_SCAN_INCLUSIVE,
         .count = 70000},
        {.spec = {.size = sizeof(jr_spec), .op = JR_OP_MAX, .type = JR_U16, .initial = &most},
         .kind = JR_SCAN_EXCLUSIVE,
         .count = 5},
    };
    uint64_t seed = 12;
    for (size_t i = 0; i < sizeof requests / sizeof *requests; i++) {
        jr_plan *plan = scan_plan(device, &requests[i].spec, requests[i].kind);
        scan_and_compare(device, plan, &requests[i], &seed);
        jr_plan_destroy(plan);
    }
}

/* Elements from one to beyond several tiles in every row, and one off each edge. */
static void try_counts(const opened *device, scan_request *request, unsigned round, uint64_t *seed) {
    const jr_spec *spec = &request->spec;
    const size_t bytes = jr_type_size(spec->type);
    const uint64_t pack = 16 / bytes, tile = pack * (uint64_t)spec->block * (uint64_t)spec->unroll;
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

static void every_tuning_count_and_alignment_gives_the_same(void **state) {
    const opened *device = *state;
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
                                .kind = i % 3 == 1 && rows[i].op != JR_OP_MAX ? JR_SCAN_EXCLUSIVE : JR_SCAN_INCLUSIVE};
        try_counts(device, &request, i, &seed);
        request.spec.algorithm = JR_ALGORITHM_THREE_PASS;
        try_counts(device, &request, i, &seed);
    }
}

static void integer_sums_wrap_around(void **state) {
    const opened *device = *state;
    enum { COUNT = 40001 };
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_U64);
    uint64_t *data = calloc(COUNT, sizeof *data), *results = calloc(COUNT, sizeof *results), seed = 14, sum = 0;
    assert_non_null(data);
    assert_non_null(results);
    for (int i = 0; i < COUNT; i++) data[i] = random_bits(&seed);
    works(jr_scan_host(device->context, &spec, JR_SCAN_INCLUSIVE, data, COUNT, results));
    for (int i = 0; i < COUNT; i++) assert_int_equal(results[i], sum += data[i]);
    free(data);
    free(results);
}

enum { BOUND_COUNT = 200003, BOUND_BLOCK = 128, BOUND_UNROLL = 4, BOUND_GRID = 8 };

/* README's bounds. */
static void check_bound(const opened *device, jr_algorithm algorithm, double depth) {
    enum { COUNT = BOUND_COUNT };
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F32, .algorithm = algorithm, .block = BOUND_BLOCK,
                                 .unroll = BOUND_UNROLL, .grid = BOUND_GRID);
    float *data = calloc(COUNT, sizeof *data), *results = calloc(COUNT, sizeof *results);
    uint64_t seed = 15;
    long double sum = 0, magnitude = 0;
    assert_non_null(data);
    assert_non_null(results);
    for (int i = 0; i < COUNT; i++)
        data[i] = (float)ldexp((double)random_below(&seed, 1 << 24) - (1 << 23), (int)random_below(&seed, 30) - 15);
    works(jr_scan_host(device->context, &spec, JR_SCAN_INCLUSIVE, data, COUNT, results));
    for (int i = 0; i < COUNT; i++) {
        sum += (long double)data[i];
        magnitude += fabsl((long double)data[i]);
        if (fabsl((long double)results[i] - sum) > (long double)depth * 0x1p-24L * magnitude)
            fail_msg("result %d is %.9g instead of %.12Lg", i, (double)results[i], sum);
    }
    free(data);
    free(results);
}

/* three_pass: an element's way into a row's sum, through the rows' sums, and with the carry to a result. single_pass:
 * into a tile's total, through the totals of a group, through the groups, and to a result. */
static void float_sums_stay_within_their_bounds(void **state) {
    const double tiles = ceil(BOUND_COUNT / (4.0 * BOUND_BLOCK * BOUND_UNROLL)), both = 4 + 2 * BOUND_UNROLL + 29;
    check_bound(*state, JR_ALGORITHM_THREE_PASS, both + 2 * ceil(tiles / BOUND_GRID) + 1);
    check_bound(*state, JR_ALGORITHM_SINGLE_PASS, both + ceil(tiles / BOUND_BLOCK));
}

static void two_runs_give_equal_bits(void **state) {
    const opened *device = *state;
    enum { COUNT = 100003 };
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F32);
    float *data = calloc(COUNT, sizeof *data), *results[2];
    uint64_t seed = 16;
    assert_non_null(data);
    for (int i = 0; i < COUNT; i++) data[i] = (float)random_below(&seed, 1000003) * 0.001f;
    for (int r = 0; r < 2; r++) {
        results[r] = calloc(COUNT, sizeof *data);
        assert_non_null(results[r]);
        works(jr_scan_host(device->context, &spec, JR_SCAN_INCLUSIVE, data, COUNT, results[r]));
    }
    assert_memory_equal(results[0], results[1], COUNT * sizeof *data);
    free(data);
    free(results[0]);
    free(results[1]);
}

static void nan_goes_on_from_where_it_stands(void **state) {
    const opened *device = *state;
    enum { COUNT = 9001, PLACE = 4711 };
    jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_MIN, .type = JR_F32, .block = 64, .grid = 4);
    float *data = calloc(COUNT, sizeof *data), *results = calloc(COUNT, sizeof *results);
    int64_t *indexes = calloc(COUNT, sizeof *indexes);
    assert_non_null(data);
    assert_non_null(results);
    assert_non_null(indexes);
    for (int i = 0; i < COUNT; i++) data[i] = (float)(COUNT - i);
    data[PLACE] = NAN;
    works(jr_scan_host(device->context, &spec, JR_SCAN_INCLUSIVE, data, COUNT, results));
    for (int i = 0; i < COUNT; i++) assert_true(i < PLACE ? results[i] == data[i] : isnan(results[i]));
    spec.nan = JR_NAN_IGNORE;
    works(jr_scan_host(device->context, &spec, JR_SCAN_INCLUSIVE, data, COUNT, results));
    for (int i = 0; i < COUNT; i++) assert_true(results[i] == data[i == PLACE ? i - 1 : i]);
    spec.nan = JR_NAN_PROPAGATE;
    spec.op = JR_OP_ARGMIN;
    works(jr_scan_host(device->context, &spec, JR_SCAN_INCLUSIVE, data, COUNT, indexes));
    for (int i = 0; i < COUNT; i++) assert_int_equal(indexes[i], i < PLACE ? i : PLACE);
    free(data);
    free(results);
    free(indexes);
}

/* Integers within a double's reach: the mean is one exact division. */
static void the_mean_is_of_the_elements_so_far(void **state) {
    const opened *device = *state;
    enum { COUNT = 6007 };
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_MEAN, .type = JR_I32, .block = 96, .grid = 2);
    int32_t *data = calloc(COUNT, sizeof *data);
    double *results = calloc(COUNT, sizeof *results);
    uint64_t seed = 17;
    int64_t sum = 0;
    assert_non_null(data);
    assert_non_null(results);
    for (int i = 0; i < COUNT; i++) data[i] = (int32_t)random_bits(&seed);
    works(jr_scan_host(device->context, &spec, JR_SCAN_EXCLUSIVE, data, COUNT, results));
    for (int i = 0; i < COUNT; i++) {
        assert_true(i == 0 ? isnan(results[i]) : results[i] == (double)sum / i);
        sum += data[i];
    }
    free(data);
    free(results);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_operator_scans_as_one_element_after_the_other),
        cmocka_unit_test(the_initial_value_comes_first),
        cmocka_unit_test(every_tuning_count_and_alignment_gives_the_same),
        cmocka_unit_test(integer_sums_wrap_around),
        cmocka_unit_test(float_sums_stay_within_their_bounds),
        cmocka_unit_test(two_runs_give_equal_bits),
        cmocka_unit_test(nan_goes_on_from_where_it_stands),
        cmocka_unit_test(the_mean_is_of_the_elements_so_far),
    };
    return cmocka_run_group_tests(tests, open_context, close_context);
}
