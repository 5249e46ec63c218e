/* Which algorithm a scan takes where none is named: by the size of the data, and where it is left to single_pass. */
#include "support/fixtures/open_context.h"

enum { KiB = 1024, MiB = 1024 * 1024 };

static jr_stats stats_of(const opened *device, const jr_spec *spec) {
    jr_stats stats = JR_INIT(jr_stats);
    jr_plan *plan = plan_held(device, WORK(spec, .kind = JR_WORK_SCAN_INCLUSIVE));
    works(jr_plan_stats(plan, &stats));
    return stats;
}

static jr_algorithm chosen(const opened *device, const jr_spec *spec) {
    return stats_of(device, spec).algorithm;
}

static jr_algorithm chosen_for(const opened *device, jr_type type, uint64_t capacity) {
    return chosen(device, &JR_INIT(jr_spec, .op = JR_OP_SUM, .type = type, .capacity = capacity));
}

DEVICE_TEST(sizes_have_algorithms_of_their_own) {
    const jr_algorithm large = device->info.capability_major >= 9 ? JR_ALGORITHM_BULK_COPY : JR_ALGORITHM_SINGLE_PASS;
    assert_int_equal(chosen_for(device, JR_F32, 16 * KiB / 4), JR_ALGORITHM_ONE_BLOCK);
    assert_int_equal(chosen_for(device, JR_F32, 16 * KiB / 4 + 1), JR_ALGORITHM_WAVE);
    assert_int_equal(chosen_for(device, JR_F64, 9 * MiB / 8), JR_ALGORITHM_WAVE);
    assert_int_equal(chosen_for(device, JR_F64, 9 * MiB / 8 + 1), large);
    assert_int_equal(chosen_for(device, JR_F16, 3 * MiB), JR_ALGORITHM_WAVE); /* of f32 */
    assert_int_equal(chosen_for(device, JR_F16, 3 * MiB + 1), large);
    assert_int_equal(chosen_for(device, JR_I8, 2 * MiB), JR_ALGORITHM_WAVE); /* of i64 */
    assert_int_equal(chosen_for(device, JR_I8, 2 * MiB + 1), large);
    assert_int_equal(chosen_for(device, JR_F32, 0), large); /* not known */
}

/* The block that is left open is one whose ring has room for the loads that are asked for. */
DEVICE_TEST(loads_that_are_asked_for_find_room) {
    static const struct {
        jr_type type, result;
        int unroll;
    } asked[] = {
        {JR_F64, JR_F64, 12}, {JR_F32, JR_F32, 16}, {JR_I32, JR_I64, 16}, {JR_I16, JR_I64, 16}, {JR_I8, JR_I64, 16}};
    if (device->info.capability_major < 9) skip();
    for (size_t a = 0; a < sizeof asked / sizeof *asked; a++) {
        if (!tests_take((int)a, 2)) continue;
        const jr_spec spec =
            JR_INIT(jr_spec, .op = JR_OP_SUM, .type = asked[a].type, .result = asked[a].result,
                    .algorithm = JR_ALGORITHM_BULK_COPY, .unroll = asked[a].unroll, .capacity = 64 * MiB);
        assert_int_equal(stats_of(device, &spec).unroll, asked[a].unroll);
    }
}

/* A block has 32 KiB beyond 4 MiB, which is no whole number of elements' sizes, and 16 KiB up to it. */
DEVICE_TEST(tiles_of_wave_grow_with_the_size) {
    static const struct {
        jr_type type;
        uint64_t count;
        int unroll;
    } sizes[] = {{JR_F32, MiB / 4, 1}, {JR_F32, MiB / 4 + 1, 2}, {JR_F32, MiB, 2},    {JR_F32, MiB + 1, 4},
                 {JR_F64, MiB / 2, 2}, {JR_F64, MiB, 4},         {JR_I16, 2 * MiB, 2}};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) { /* a sample: below and above a boundary */
        if (!tests_are_whole() && s % 3 > 1) continue;
        const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = sizes[s].type, .capacity = sizes[s].count,
                                     .algorithm = JR_ALGORITHM_WAVE);
        assert_int_equal(stats_of(device, &spec).unroll, sizes[s].unroll);
    }
}

DEVICE_TEST(what_the_others_do_not_suit_is_left_to_single_pass) {
    const jr_spec specs[] = {
        JR_INIT(jr_spec, .op = JR_OP_VAR, .type = JR_F64, .capacity = MiB), /* 24 bytes are combined */
        JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F32, .input_count = 2, .map = "x * y", .capacity = MiB),
        JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F32, .capacity = MiB, .block = 128),
        JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F32, .capacity = MiB, .unroll = 2),
        JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F32, .capacity = MiB, .grid = 3)};
    for (size_t s = 0; s < sizeof specs / sizeof *specs; s++)
        assert_int_equal(chosen(device, &specs[s]), JR_ALGORITHM_SINGLE_PASS);
}

static size_t state_bytes(const opened *device, const jr_spec *spec) {
    jr_plan *plan = plan_held(device, WORK(spec, .kind = JR_WORK_MERGE_STATES));
    const size_t bytes = jr_merge_plan_state_bytes(plan);
    return bytes;
}

/* The bits are those of the wider one, but not what `finish` is given, or a float. */
DEVICE_TEST(narrow_integer_results_are_accumulated_in_32_bits) {
    const int32_t data[] = {INT32_MAX, INT32_MAX, INT32_MIN, 70000, -3, INT32_MAX};
    const int64_t wide = 3ll * INT32_MAX + INT32_MIN + 70000 - 3;
    jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32);
    jr_value value;
    assert_int_equal(state_bytes(device, &spec), 8);
    spec.result = JR_F32;
    assert_int_equal(state_bytes(device, &spec), 8);
    spec.result = JR_I16;
    assert_int_equal(state_bytes(device, &spec), 4);
    works(jr_reduce_host(device->context, &spec, data, sizeof data / sizeof *data, &value));
    assert_int_equal(value.as.i64, (int16_t)wide);
    spec.result = JR_U32;
    assert_int_equal(state_bytes(device, &spec), 4);
    works(jr_reduce_host(device->context, &spec, data, sizeof data / sizeof *data, &value));
    assert_int_equal(value.as.u64, (uint32_t)wide);
    spec.finish = "a / 2";
    assert_int_equal(state_bytes(device, &spec), 8);
}

RUN_TESTS(open_context, close_context)
