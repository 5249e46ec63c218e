/* Exact sums by bulk_copy, whose blocks share some rounds of tiles out and draw the others: each tile is added once,
 * however many there are, and whatever ran before on the same workspace. */
#include <stdlib.h>
#include <string.h>

#include "support/fixtures/plan_case.h"

/* A tile of f32 by UNROLL is BLOCK vectors of four. */
enum { BLOCK = 128, UNROLL = 1, TILE = BLOCK * UNROLL * 4, GRID_MAX = 5, ROUNDS_MAX = 45 };
#define ELEMENTS ((uint64_t)TILE * GRID_MAX * (ROUNDS_MAX + 1))

/* 1, 2, 3, ...: floats hold them exactly, and no two tiles come to the same sum. */
static float *counting_new(const opened *device) {
    float *x = malloc(ELEMENTS * sizeof *x), *d_in = device_new(device, ELEMENTS * sizeof *d_in);
    assert_non_null(x);
    for (uint64_t i = 0; i < ELEMENTS; i++) x[i] = (float)(i + 1);
    device_write(device, d_in, x, ELEMENTS * sizeof *x);
    free(x);
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
    works(jr_plan_create(device->context, &spec, &plan));
    return plan;
}

TEST(each_tile_is_added_once) {
    static const uint64_t more[] = {0, 1, TILE - 1, TILE + 7};
    const opened *device = *state;
    float *d_in = counting_new(device);
    for (int grid = 1; grid <= GRID_MAX; grid++) {
        jr_plan *plan = tiles_plan(device, grid);
        for (uint64_t rounds = 0; rounds <= ROUNDS_MAX; rounds += rounds < 25 ? 1 : 9)
            for (size_t m = 0; m < sizeof more / sizeof *more; m++) {
                const uint64_t count = rounds * (uint64_t)grid * TILE + more[m];
                if (count <= ELEMENTS) assert_true(plan_value(device, plan, d_in, count).as.f64 == counting_sum(count));
            }
        jr_plan_destroy(plan);
    }
    device_free(device, d_in);
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
    for (int r = 0; r < RUNS; r++) works(jr_plan_run(plan, d_in, counts[r], d_out + r, workspace, stream));
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
    device_free(device, workspace);
    stream_free(device, stream);
    jr_plan_destroy(plan);
    device_free(device, d_out);
    device_free(device, d_in);
}

/* Squares of floats, whose windows are those of doubles, draw tiles, too; host data comes in parts. */
TEST(squares_and_host_data_are_added_once) {
    enum { COUNT = 23 * 3 * TILE + 17 };
    const opened *device = *state;
    float *x = malloc(COUNT * sizeof *x);
    double squares = 0;
    assert_non_null(x);
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
    jr_plan *plan = NULL;
    spec.device_bytes = 0;
    works(jr_plan_create(device->context, &spec, &plan));
    assert_true(plan_value(device, plan, d_in, COUNT).as.f64 == squares);
    jr_plan_destroy(plan);
    device_free(device, d_in);
    free(x);
}

RUN_TESTS(open_context, close_context)
