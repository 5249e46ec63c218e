/* Exact sums of many small cases, of tiles, and of more elements than a tile. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/fixtures/open_context.h"
#include "support/fixtures/plan_case.h"
#include "support/oracle/exact_cases.h"

/* A million small cases of chance, of every operator and type, held against integers of thousands of bits: every result
 * is the nearest float. A sample of them, unless JR_TESTS=whole. */
enum { WHOLE = 1000000, SAMPLE = 4000, FLAT_EVERY = 50 };

static const jr_op ops[] = {JR_OP_SUM,   JR_OP_MEAN, JR_OP_NORM1, JR_OP_SUMSQ,
                            JR_OP_NORM2, JR_OP_DOT,  JR_OP_VAR,   JR_OP_STD};
static const jr_type types[] = {JR_F32, JR_F64, JR_F16, JR_BF16};
enum { OPS = sizeof ops / sizeof *ops, TYPES = sizeof types / sizeof *types };

static void hold(const exact_cases *cases, uint64_t which, const jr_spec *spec, uint64_t got, const char *how) {
    if (exact_case_holds(cases, which, spec, got)) return;
    print_error("%s of %s to %s %s is %#llx of x, y:\n", jr_op_name(spec->op), jr_type_name(spec->type),
                jr_type_name(spec->result), how, (unsigned long long)got);
    for (uint64_t i = cases->offsets[which]; i < cases->offsets[which + 1]; i++)
        print_error("  %#llx %#llx\n", (unsigned long long)exact_element(cases->format, cases->x, i),
                    (unsigned long long)exact_element(cases->format, cases->y, i));
    fail_msg("that is not the nearest one");
}

static void hold_segments(const opened *device, const jr_spec *spec, const exact_cases *cases) {
    void *results = exact_cases_results(device, spec, cases);
    for (uint64_t c = 0; c < cases->count; c++)
        hold(cases, c, spec, exact_element(exact_format_of(spec->result), results, c), "by segments");
}

/* Some cases, each by a run of its own. */
static void hold_flat(const opened *device, jr_spec spec, const exact_cases *cases) {
    const size_t size = jr_type_size(spec.type);
    char *d_x = device_new(device, EXACT_CASE_MAX * size), *d_y = device_new(device, EXACT_CASE_MAX * size);
    uint64_t *d_out = device_new(device, sizeof *d_out), got = 0;
    spec.block = 128;
    spec.grid = 1;
    jr_plan *plan = plan_held(device, WORK(&spec));
    for (uint64_t c = 0; c < cases->count; c += FLAT_EVERY) {
        const uint64_t count = cases->offsets[c + 1] - cases->offsets[c];
        const void *const arrays[] = {d_x, d_y};
        device_write(device, d_x, (const char *)cases->x + cases->offsets[c] * size, count * size);
        device_write(device, d_y, (const char *)cases->y + cases->offsets[c] * size, count * size);
        works(jr_work_plan_run(plan, DATA(.in = arrays, .count = count, .out = d_out), NULL, NULL));
        device_read(device, &got, d_out, jr_type_size(spec.result));
        hold(cases, c, &spec, got, "by itself");
    }
}

/* The sample: each operator over one type. */
static bool is_wanted(int o, int t) {
    return tests_are_whole() || o % TYPES == t;
}

/* Into its own type and, of the whole, into another one. */
DEVICE_TEST(every_small_case_is_rounded_once) {
    const bool whole = tests_are_whole();
    const int results = whole ? 2 : 1;
    const uint64_t each = (whole ? WHOLE : SAMPLE) / (uint64_t)(OPS * TYPES * results);
    uint64_t seed = 20, done = 0;
    for (int i = 0; i < OPS * TYPES * results; i++) {
        const int o = i % OPS, t = i / OPS % TYPES, other = i / (OPS * TYPES);
        if (!is_wanted(o, t)) continue;
        const jr_spec spec = exact_cases_spec(ops[o], types[t], types[(t + (other ? 1 + o % 3 : 0)) % TYPES]);
        exact_cases cases = exact_cases_new(types[t], each + 1, &seed);
        hold_segments(device, &spec, &cases);
        if (whole || t == 0) hold_flat(device, spec, &cases);
        done += cases.count;
    }
    assert_true(done >= (uint64_t)(whole ? WHOLE : SAMPLE / 5));
}

/* The judge is no rubber stamp: of true results each neighbour is refused. */
TEST(neighbours_of_the_nearest_are_refused) {
    uint64_t seed = 3, refused = 0;
    exact_cases cases = exact_cases_new(JR_F32, 3000, &seed);
    const jr_spec sum = exact_cases_spec(JR_OP_SUM, JR_F32, JR_F32);
    const exact_format *format = exact_format_of(JR_F32);
    for (uint64_t c = 0; c < cases.count; c++) {
        if (cases.offsets[c + 1] - cases.offsets[c] != 1) continue;
        const uint64_t x = exact_element(format, cases.x, cases.offsets[c]);
        const exact_float apart = exact_take_apart(format, x);
        if (apart.kind != EXACT_FINITE || apart.magnitude == 0) continue;
        assert_true(exact_case_holds(&cases, c, &sum, x));
        assert_false(exact_case_holds(&cases, c, &sum, x + 1));
        assert_false(exact_case_holds(&cases, c, &sum, x - 1));
        assert_false(exact_case_holds(&cases, c, &sum, x ^ 0x80000000));
        refused++;
    }
    assert_true(refused > 100);
}

/* Exact sums by bulk_copy, whose blocks share some rounds of tiles out and draw the others: each tile is added once,
 * however many there are, and whatever ran before on the same workspace. */

/* A tile of f32 by UNROLL is BLOCK vectors of four. */
enum { BLOCK = 128, UNROLL = 1, TILE = BLOCK * UNROLL * 4, GRID_MAX = 5, ROUNDS_MAX = 45 };
#define ELEMENTS ((uint64_t)TILE * GRID_MAX * (ROUNDS_MAX + 1))

/* 1, 2, 3, ...: floats hold them exactly, and no two tiles come to the same sum. */
static float *counting_new(const opened *device) {
    float *x = test_bytes(ELEMENTS * sizeof *x), *d_in = device_new(device, ELEMENTS * sizeof *d_in);
    for (uint64_t i = 0; i < ELEMENTS; i++) x[i] = (float)(i + 1);
    device_write(device, d_in, x, ELEMENTS * sizeof *x);
    return d_in;
}
static double counting_sum(uint64_t count) {
    const uint64_t sum = count * (count + 1) / 2;
    return (double)sum;
}

static jr_plan *tiles_plan(const opened *device, int grid) {
    const jr_spec spec =
        JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F32, .result = JR_F64, .block = BLOCK, .unroll = UNROLL,
                .grid = grid, .algorithm = JR_ALGORITHM_BULK_COPY, .accuracy = JR_ACCURACY_EXACT);
    jr_plan *plan = NULL;
    works(jr_work_plan_create(device->context, WORK(&spec), &plan));
    return plan;
}

TEST(each_tile_is_added_once) {
    static const uint64_t more[] = {0, 1, TILE - 1, TILE + 7};
    const opened *device = *state;
    float *d_in = counting_new(device);
    for (int grid = 1; grid <= GRID_MAX; grid++) {
        jr_plan *plan = tiles_plan(device, grid);
        for (uint64_t rounds = (uint64_t)grid % 3; rounds <= ROUNDS_MAX; rounds += rounds < 24 ? 3 : 9)
            for (size_t m = 0; m < sizeof more / sizeof *more; m++) {
                const uint64_t count = rounds * (uint64_t)grid * TILE + more[m];
                if (!tests_take((int)(rounds + m) + grid, 2)) continue;
                if (count <= ELEMENTS) assert_true(plan_value(device, plan, d_in, count).as.f64 == counting_sum(count));
            }
        jr_plan_destroy(plan);
    }
}

/* Nothing is cleared between runs: the last ticket leaves the count of them at 0. */
TEST(runs_in_a_row_and_graphs_draw_anew) {
    enum { GRID = 3, RUNS = 4 };
    const opened *device = *state;
    const uint64_t counts[RUNS] = {40ull * GRID * TILE, 7ull * GRID * TILE + 5, 40ull * GRID * TILE - 1,
                                   12ull * GRID * TILE};
    float *d_in = counting_new(device);
    double *d_out = device_new(device, RUNS * sizeof *d_out), sums[RUNS];
    jr_plan *plan = tiles_plan(device, GRID);
    jr_stream stream = stream_new(device);
    void *workspace = workspace_new(device, plan, stream);
    graph_begin(device, stream);
    for (int r = 0; r < RUNS; r++)
        works(jr_work_plan_run(plan, DATA(.in = FROM(d_in), .count = counts[r], .out = d_out + r), workspace, stream));
    jr_cu_graph_exec graph = graph_end(device, stream);
    for (int again = 0; again < 3; again++) {
        drives(device->driver.cuGraphLaunch(graph, (jr_cu_stream)stream));
        stream_wait(device, stream);
        device_read(device, sums, d_out, sizeof sums);
        for (int r = 0; r < RUNS; r++) assert_true(sums[r] == counting_sum(counts[r]));
        memset(sums, 0, sizeof sums);
        device_write(device, d_out, sums, sizeof sums);
    }
    graph_free(device, graph);
    stream_free(device, stream);
    jr_plan_destroy(plan);
}

/* Squares of floats, whose windows are those of doubles, draw tiles, too; host data comes in parts. */
TEST(squares_and_host_data_are_added_once) {
    enum { COUNT = 23 * 3 * TILE + 17 };
    const opened *device = *state;
    float *x = test_bytes(COUNT * sizeof *x);
    double squares = 0;
    for (int i = 0; i < COUNT; i++) {
        x[i] = (float)(i % 1021);
        squares += (double)x[i] * x[i];
    }
    jr_spec spec =
        JR_INIT(jr_spec, .op = JR_OP_SUMSQ, .type = JR_F32, .result = JR_F64, .block = BLOCK, .unroll = UNROLL,
                .grid = 3, .algorithm = JR_ALGORITHM_BULK_COPY, .accuracy = JR_ACCURACY_EXACT);
    for (int parts = 0; parts < 2; parts++) {
        jr_value value;
        spec.device_bytes = parts ? 1 << 16 : 0;
        works(jr_reduce_host(device->context, &spec, x, COUNT, &value));
        assert_true(value.as.f64 == squares);
    }
    float *d_in = device_new(device, COUNT * sizeof *d_in);
    device_write(device, d_in, x, COUNT * sizeof *x);
    spec.device_bytes = 0;
    jr_plan *plan = plan_held(device, WORK(&spec));
    assert_true(plan_value(device, plan, d_in, COUNT).as.f64 == squares);
}

/* More than 2^32 elements, exactly, up to 2^35 where the device holds them: two halves that cancel, followed by the
 * elements that decide. */
enum { POWER = 32, POWER_MAX = 35, BEHIND = 3, SCATTERED = 64 };

/* The largest power of two whose floats fit together with the other memory of a test; POWER at least. */
static uint64_t elements_that_fit(const opened *device) {
    const uint64_t spare = 1ull << 29;
    int power = POWER_MAX;
    while (power > POWER && (sizeof(float) << power) + spare > device_free_bytes(device)) power--;
    return 1ull << power;
}

static void put(const opened *device, float *d_in, uint64_t at, float x) {
    device_write(device, d_in + at, &x, sizeof x);
}

/* A half of 1.99.. * 2^99, a half of as much below 0, with pairs of other sizes in places of chance; and one, half a
 * unit of it in f32, and the least number there is: the next float above one. */
static void fill(const opened *device, float *d_in, uint64_t half) {
    uint64_t seed = 9;
    drives(device->driver.cuMemsetD32_v2(device_address(d_in), 0x717fffff, half));
    drives(device->driver.cuMemsetD32_v2(device_address(d_in + half), 0xf17fffff, half));
    for (int i = 0; i < SCATTERED; i++) {
        const float x = ldexpf(1 + (float)i / SCATTERED, 4 * i - 149 < 127 ? 4 * i - 149 : 127);
        const uint64_t at = random_below(&seed, half / SCATTERED) + (uint64_t)i * (half / SCATTERED);
        put(device, d_in, at, x);
        put(device, d_in, half + at, -x);
    }
    put(device, d_in, 2 * half, 1);
    put(device, d_in, 2 * half + 1, 0x1p-24F);
    put(device, d_in, 2 * half + 2, 0x1p-149F);
}

TEST(sums_of_more_than_2_32_elements_are_exact) {
    static const jr_algorithm algorithms[] = {JR_ALGORITHM_BULK_COPY, JR_ALGORITHM_SINGLE_PASS};
    const opened *device = *state;
    const uint64_t cancelling = elements_that_fit(device), all = cancelling + BEHIND;
    skip_without_memory(device, all * sizeof(float));
    print_message("%llu elements\n", (unsigned long long)all);
    float *d_in = device_new(device, all * sizeof *d_in);
    fill(device, d_in, cancelling / 2);
    for (int a = 0; a < 2; a++) {
        jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F32, .accuracy = JR_ACCURACY_EXACT,
                               .algorithm = algorithms[a]);
        jr_plan *plan = plan_held(device, WORK(&spec));
        assert_true(plan_value(device, plan, d_in, all).as.f32 == 1 + 0x1p-23F);
        assert_true(plan_value(device, plan, d_in, all - 1).as.f32 == 1); /* a tie */
        assert_true(plan_value(device, plan, d_in + 1, all - 1).as.f32 == -0x1.fffffep99F);
    }
}

RUN_TESTS(open_context, close_context)
