/* Blocks of 768 and 1024 threads reduce segments and axes, also where they need more shared memory than the 48 KiB that
 * every block has; what the device cannot give is refused with what it has. */
#include "support/cases/segment_case.h"

/* Runs every algorithm for segments: short, lanes, warps, blocks, columns (one part and several), and walk. */
static void judge_all(const opened *device, const jr_spec *spec) {
    uint64_t seed = 7;
    segment_case cases[] = {segments_equal(300, 5),      segments_equal(40, 16),         segments_equal(60, 100),
                            segments_equal(3, 3000),     segments_equal(2, 9000),        segments_strided(2, 50, 40),
                            segments_strided(1, 700, 3), segments_random(200, 60, &seed)};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        segments_judge(device, spec, &cases[i], &seed);
        segments_free(&cases[i]);
    }
}

TEST(segments_and_axes_take_blocks_of_768_and_1024_threads) {
    static const jr_spec specs[] = {
        {.op = JR_OP_SUM, .type = JR_F32}, {.op = JR_OP_ARGMAX, .type = JR_F64}, {.op = JR_OP_ARGMIN, .type = JR_I16}};
    for (int block = 768; block <= 1024; block += 256)
        for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
            jr_spec spec = specs[i];
            spec.size = sizeof spec;
            spec.block = block;
            judge_all(*state, &spec);
        }
}

/* Eight variances take 288 bytes a thread with their patches: more than 227 KiB. */
TEST(what_no_block_of_the_device_has_is_refused_with_what_it_has) {
    const opened *device = *state;
    static const jr_op ops[] = {JR_OP_VAR, JR_OP_STD, JR_OP_VAR, JR_OP_STD, JR_OP_VAR, JR_OP_STD, JR_OP_VAR, JR_OP_STD};
    const jr_spec spec = JR_INIT(jr_spec, .ops = ops, .op_count = 8, .type = JR_F64, .block = 1024);
    const jr_segment_layout ragged = JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_OFFSETS);
    jr_plan *plan = NULL;
    fails(jr_segment_plan_create(device->context, &spec, &ragged, &plan), JR_ERROR_LAUNCH_RESOURCES,
          "a block of 1024 threads needs ");
    assert_null(plan);
}

/* 96 bytes a thread: twice what every block has. */
TEST(a_flat_reduction_takes_the_block_asked_for_too) {
    const opened *device = *state;
    enum { COUNT = 5000 };
    static const jr_op ops[] = {JR_OP_VAR, JR_OP_SUM, JR_OP_VAR, JR_OP_MEAN, JR_OP_VAR, JR_OP_MAX};
    const jr_spec spec = JR_INIT(jr_spec, .ops = ops, .op_count = 6, .type = JR_F64, .block = 1024, .unroll = 1);
    double data[COUNT];
    jr_value values[6];
    for (int i = 0; i < COUNT; i++) data[i] = i % 2;
    const void *arrays[] = {data};
    works(jr_reduce_host_arrays(device->context, &spec, arrays, COUNT, values));
    assert_true(values[0].as.f64 == 0.25 && values[2].as.f64 == 0.25 && values[4].as.f64 == 0.25);
    assert_true(values[1].as.f64 == COUNT * 0.5 && values[3].as.f64 == 0.5 && values[5].as.f64 == 1);
}

RUN_TESTS(open_context, close_context)
