/* Segments that are short, few or reduced by large blocks, and how plans launch kernels. */
#include <string.h>

#include "support/cases/segment_case.h"
#include "support/fixtures/kernel_case.h"

/* Blocks of one warp keep a single accumulator of 12 bytes in shared memory; the compiler reads 16 of such an object
 * that lies alone at a 16-byte boundary, so that ragged argmin and argmax of f32 read 4 bytes beyond it. */
enum { LENGTH = 700, SEGMENTS = 9 };

DEVICE_TEST(ragged_extrema_by_blocks_of_one_warp_stay_within_shared_memory) {
    static const jr_op ops[] = {JR_OP_ARGMIN, JR_OP_ARGMAX};
    static const uint64_t ends[SEGMENTS + 1] = {0, 1, 3, 3, 40, 41, 300, 301, 650, LENGTH};
    float data[LENGTH];
    for (int i = 0; i < LENGTH; i++) data[i] = (float)(i * 37 % 101);
    for (int o = 0; o < 2; o++) {
        const jr_spec spec = JR_INIT(jr_spec, .op = ops[o], .type = JR_F32, .block = 32, .initial = NULL);
        const jr_segment_layout ragged = JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_OFFSETS);
        float *d_in = device_new(device, sizeof data);
        uint64_t *d_ends = device_new(device, sizeof ends);
        int64_t got[SEGMENTS], *d_out = device_new(device, sizeof got);
        device_write(device, d_in, data, sizeof data);
        device_write(device, d_ends, ends, sizeof ends);
        const jr_work_data segments = JR_INIT(jr_work_data, .segments = SEGMENTS, .offsets = d_ends);
        jr_plan *plan = plan_held(device, WORK(&spec, .layout = &ragged));
        works(jr_work_plan_run(plan, DATA_OF(segments, FROM(d_in), d_out), NULL, NULL));
        device_read(device, got, d_out, sizeof got);
        for (int s = 0; s < SEGMENTS; s++) {
            uint64_t best = ends[s];
            for (uint64_t i = ends[s]; i < ends[s + 1]; i++)
                if (o == 0 ? data[i] < data[best] : data[i] > data[best]) best = i;
            if (ends[s] < ends[s + 1]) assert_int_equal(got[s], best - ends[s]);
        }
    }
}

/* All segments together end before the first 16-byte boundary: the number of packs between them fell below 0, and short
 * segments read memory after the input. */

/* Sums of `count` equal or ragged segments at the very end of an allocation, `shift` bytes after a boundary.
 */
static void judge(const opened *device, const jr_segment_layout *layout, jr_type type, size_t shift, uint64_t count) {
    const size_t element_bytes = jr_type_size(type), bytes = count * layout->length * element_bytes;
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = type, .result = JR_I64);
    const bool ragged = layout->kind == JR_SEGMENTS_OFFSETS;
    uint64_t offsets[17], *d_offsets = device_new(device, sizeof offsets);
    unsigned char data[16] = {0}, *room = device_new(device, shift + bytes);
    int64_t got[16], *d_out = device_new(device, sizeof got);
    for (uint64_t i = 0; i < count * layout->length; i++) data[i * element_bytes] = (unsigned char)(i + 1);
    device_write(device, room + shift, data, bytes);
    for (uint64_t s = 0; s <= count; s++) offsets[s] = s * layout->length;
    device_write(device, d_offsets, offsets, sizeof offsets);
    jr_segment_layout own = *layout;
    if (ragged) own.length = 0;
    jr_plan *plan = plan_held(device, WORK(&spec, .layout = &own));
    works(jr_work_plan_run(
        plan, DATA(.in = FROM(room + shift), .segments = count, .offsets = ragged ? d_offsets : NULL, .out = d_out),
        NULL, NULL));
    device_read(device, got, d_out, count * sizeof *got);
    for (uint64_t s = 0; s < count; s++) {
        int64_t wanted = 0;
        for (uint64_t k = 0; k < layout->length; k++) wanted += (int64_t)(s * layout->length + k + 1);
        assert_int_equal(got[s], wanted);
    }
}

TEST(few_elements_before_a_boundary_are_read_and_no_others) {
    static const jr_type types[] = {JR_U8, JR_U16, JR_U32, JR_U64};
    for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
        const size_t bytes = jr_type_size(types[t]);
        for (size_t elements = 1; elements * bytes < 16; elements++)
            for (size_t shift = bytes; shift + elements * bytes < 16; shift += bytes)
                for (uint64_t length = 1; length <= elements; length++) {
                    jr_segment_layout layout = JR_INIT(jr_segment_layout, JR_SEGMENTS_EQUAL, .length = length);
                    if (elements % length != 0) continue;
                    judge(*state, &layout, types[t], shift, elements / length);
                    layout.kind = JR_SEGMENTS_OFFSETS;
                    judge(*state, &layout, types[t], shift, elements / length);
                }
    }
}

/* Blocks of 768 and 1024 threads reduce segments and axes, also where they need more shared memory than the 48 KiB that
 * every block has; what the device cannot give is refused with what it has. */

/* Runs every algorithm for segments: short, lanes, warps, blocks, columns (one part and several), and walk. */
static void judge_all(const opened *device, const jr_spec *spec) {
    uint64_t seed = 7;
    segment_case cases[] = {segments_equal(300, 5),      segments_equal(40, 16),         segments_equal(60, 100),
                            segments_equal(3, 3000),     segments_equal(2, 9000),        segments_strided(2, 50, 40),
                            segments_strided(1, 700, 3), segments_random(200, 60, &seed)};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) { /* a sample: the largest accumulator by all */
        if (spec->op != JR_OP_ARGMAX && !tests_take((int)i + (spec->op == JR_OP_ARGMIN), 2)) continue;
        segments_judge(device, spec, &cases[i], &seed);
    }
}

TEST(segments_and_axes_take_blocks_of_768_and_1024_threads) {
    static const jr_spec specs[] = {
        {.op = JR_OP_SUM, .type = JR_F32}, {.op = JR_OP_ARGMAX, .type = JR_F64}, {.op = JR_OP_ARGMIN, .type = JR_I16}};
    for (int block = 768; block <= 1024; block += 256)
        for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
            jr_spec spec = specs[i];
            if (!tests_take(block / 256 + 1 + (int)i, 2)) continue; /* a sample: each by one of the blocks */
            spec.size = sizeof spec;
            spec.block = block;
            judge_all(*state, &spec);
        }
}

/* Eight variances take 288 bytes a thread with their patches: more than 227 KiB. */
DEVICE_TEST(what_no_block_of_the_device_has_is_refused_with_what_it_has) {
    static const jr_op ops[] = {JR_OP_VAR, JR_OP_STD, JR_OP_VAR, JR_OP_STD, JR_OP_VAR, JR_OP_STD, JR_OP_VAR, JR_OP_STD};
    const jr_spec spec = JR_INIT(jr_spec, .ops = ops, .op_count = 8, .type = JR_F64, .block = 1024);
    const jr_segment_layout ragged = JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_OFFSETS);
    jr_plan *plan = NULL;
    fails(jr_work_plan_create(device->context, WORK(&spec, .layout = &ragged), &plan), JR_ERROR_LAUNCH_RESOURCES,
          "a block of 1024 threads needs ");
    assert_null(plan);
}

/* 96 bytes a thread: twice what every block has. */
DEVICE_TEST(a_flat_reduction_takes_the_block_asked_for_too) {
    enum { COUNT = 5000 };
    static const jr_op ops[] = {JR_OP_VAR, JR_OP_SUM, JR_OP_VAR, JR_OP_MEAN, JR_OP_VAR, JR_OP_MAX};
    const jr_spec spec = JR_INIT(jr_spec, .ops = ops, .op_count = 6, .type = JR_F64, .block = 1024, .unroll = 1);
    double data[COUNT];
    jr_value values[6];
    for (int i = 0; i < COUNT; i++) data[i] = i % 2;
    const void *arrays[] = {data};
    works(jr_work_run_host(device->context, WORK(&spec), DATA(.in = arrays, .count = COUNT, .values = values)));
    assert_true(values[0].as.f64 == 0.25 && values[2].as.f64 == 0.25 && values[4].as.f64 == 0.25);
    assert_true(values[1].as.f64 == COUNT * 0.5 && values[3].as.f64 == 0.5 && values[5].as.f64 == 1);
}

/* jr_plan_launch_get reports how each kernel is launched for a large input: kernels that run on many blocks report
 * these, and kernels that finish the results of others report one. */
static jr_launch told(const jr_plan *plan, unsigned index) {
    jr_launch launch = JR_INIT(jr_launch, .grid = {0});
    works(jr_plan_launch_get(plan, index, &launch));
    return launch;
}

static unsigned grid_of(const jr_plan *plan) {
    jr_stats stats = JR_INIT(jr_stats, .grid = 0);
    works(jr_plan_stats(plan, &stats));
    return (unsigned)stats.grid;
}

DEVICE_TEST(a_scan_tells_its_rows_of_the_first_two_kernels_and_one_block_of_the_last) {
    const jr_spec spec =
        JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F32, .algorithm = JR_ALGORITHM_THREE_PASS, .grid = 6);
    jr_plan *plan = plan_held(device, WORK(&spec, .kind = JR_WORK_SCAN_INCLUSIVE));
    assert_int_equal(jr_plan_kernel_count(plan), 3);
    assert_int_equal(told(plan, 0).grid[0], 6);
    assert_int_equal(told(plan, 1).grid[0], 6);
    assert_int_equal(told(plan, 2).grid[0], 1);
}

DEVICE_TEST(a_ragged_join_runs_on_as_many_blocks_as_the_walk) {
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F32);
    const jr_segment_layout ragged = JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_OFFSETS);
    jr_plan *plan = plan_held(device, WORK(&spec, .layout = &ragged));
    assert_int_equal(jr_plan_kernel_count(plan), 2);
    assert_true(grid_of(plan) > 1);
    assert_int_equal(told(plan, 0).grid[0], grid_of(plan));
    assert_int_equal(told(plan, 1).grid[0], grid_of(plan));
}

DEVICE_TEST(what_finishes_alone_has_one_block) {
    static const jr_algorithm algorithms[] = {JR_ALGORITHM_ROWS, JR_ALGORITHM_TOURNAMENT,
                                              JR_ALGORITHM_TOURNAMENT_SERIAL};
    for (size_t i = 0; i < sizeof algorithms / sizeof *algorithms; i++) {
        const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F32, .algorithm = algorithms[i]);
        jr_plan *plan = plan_held(device, WORK(&spec));
        assert_int_equal(told(plan, 0).grid[0], grid_of(plan));
        assert_int_equal(told(plan, 1).grid[0], 1);
    }
}

/* A plan may need no workspace, and jr_memory_new refused 0 bytes: a program worked until a tuning was stored. */
DEVICE_TEST(a_workspace_of_no_bytes_is_allocated_and_used_as_any_other) {
    const jr_algorithm algorithms[] = {JR_ALGORITHM_ONE_BLOCK, JR_ALGORITHM_SINGLE_PASS, JR_ALGORITHM_TWO_PASS};
    const int32_t data[4] = {3, 1, 4, 1};
    void *d_in = NULL, *d_out = NULL;
    int without = 0;
    works(jr_memory_new(device->context, sizeof data, &d_in));
    works(jr_memory_new(device->context, sizeof(int64_t), &d_out));
    works(jr_memory_write(device->context, d_in, data, sizeof data));
    for (size_t i = 0; i < sizeof algorithms / sizeof *algorithms; i++) {
        const jr_spec spec =
            JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32, .algorithm = algorithms[i], .capacity = 4);
        jr_plan *plan;
        void *workspace = &plan;
        int64_t sum = 0;
        works(jr_work_plan_create(device->context, WORK(&spec), &plan));
        without += jr_plan_workspace_bytes(plan) == 0;
        works(jr_memory_new(device->context, jr_plan_workspace_bytes(plan), &workspace));
        assert_int_equal(workspace == NULL, jr_plan_workspace_bytes(plan) == 0);
        works(jr_plan_workspace_prepare(plan, workspace, NULL));
        works(jr_work_plan_run(plan, DATA(.in = FROM(d_in), .count = 4, .out = d_out), workspace, NULL));
        works(jr_memory_read(device->context, &sum, d_out, sizeof sum));
        assert_int_equal(sum, 9);
        jr_memory_free(device->context, workspace);
        jr_plan_destroy(plan);
    }
    assert_true(without > 0);
    jr_memory_free(device->context, d_in);
    jr_memory_free(device->context, d_out);
}

DEVICE_TEST(nothing_is_copied_to_and_from_no_memory) {
    void *none = &none;
    works(jr_memory_new(device->context, 0, &none));
    assert_null(none);
    works(jr_memory_write(device->context, none, NULL, 0));
    works(jr_memory_read(device->context, NULL, none, 0));
    fails(jr_memory_write(device->context, none, &none, 1), JR_ERROR_INVALID_ARGUMENT, "NULL");
    fails(jr_memory_read(device->context, &none, NULL, 1), JR_ERROR_INVALID_ARGUMENT, "NULL");
}

RUN_TESTS(open_context, close_context)
