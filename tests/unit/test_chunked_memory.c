/* Host data that is larger than a device, the simulator with little memory: it goes through in parts, unasked; what
 * fits is there at once. */
#include "support/fixtures/open_context.h"

#include <stdio.h>
#include <stdlib.h>

enum { MEMORY_BYTES = 24 << 20, MUCH = 4 << 20, FITTING = 1 << 20 };

static uint64_t parts_of_last_call(const opened *device) {
    jr_stats stats = JR_INIT(jr_stats);
    works(jr_context_stats(device->context, &stats));
    return stats.parts;
}

static void scan(const opened *device, const int32_t *data, int64_t *results, uint64_t count) {
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32);
    int64_t sum = 0;
    works(jr_work_run_host(device->context, WORK(&spec, .kind = JR_WORK_SCAN_INCLUSIVE),
                           DATA(.in = FROM(data), .count = count, .out = results)));
    for (uint64_t i = 0; i < count; i++) assert_int_equal(results[i], sum += data[i]);
}

DEVICE_TEST(a_scan_beyond_the_free_memory_goes_in_parts) {
    int32_t *data = test_zeros(MUCH, sizeof *data);
    int64_t *results = test_zeros(MUCH, sizeof *results);
    for (int i = 0; i < MUCH; i++) data[i] = i % 1001 - 300;
    scan(device, data, results, MUCH);
    assert_true(parts_of_last_call(device) > 1);
    scan(device, data, results, FITTING);
    assert_int_equal(parts_of_last_call(device), 0);
    void *taken = device_new(device, MEMORY_BYTES / 2);
    scan(device, data, results, FITTING);
    assert_true(parts_of_last_call(device) > 1);
    device_free(device, taken);
}

DEVICE_TEST(segments_beyond_the_free_memory_go_in_parts) {
    enum { LENGTH = 4 };
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32);
    const jr_segment_layout layout = JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_EQUAL, .length = LENGTH);
    int32_t *data = test_zeros(MUCH, sizeof *data);
    int64_t *results = test_zeros(MUCH / LENGTH, sizeof *results);
    const void *arrays[] = {data};
    for (int i = 0; i < MUCH; i++) data[i] = i;
    for (int much = 0; much < 2; much++) {
        const uint64_t count = (much ? MUCH : FITTING) / LENGTH;
        works(jr_work_run_host(device->context, WORK(&spec, .layout = &layout),
                               DATA(.in = arrays, .segments = count, .out = results)));
        assert_true((parts_of_last_call(device) > 1) == much);
        for (uint64_t s = 0; s < count; s++) assert_int_equal(results[s], 16 * s + 6);
    }
}

DEVICE_TEST(columns_beyond_the_free_memory_go_in_parts) {
    enum { COLUMNS = 16 };
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I64);
    int64_t *data = test_zeros(MUCH, sizeof *data), results[COLUMNS];
    const void *arrays[] = {data};
    for (int i = 0; i < MUCH; i++) data[i] = i;
    for (int much = 0; much < 2; much++) {
        const uint64_t rows = (much ? MUCH : FITTING) / COLUMNS, shape[] = {rows, COLUMNS};
        works(jr_work_run_host(device->context, WORK(&spec, .axis = &JR_INIT(jr_axis, shape, 2, 0)),
                               DATA(.in = arrays, .out = results)));
        assert_true((parts_of_last_call(device) > 1) == much);
        for (uint64_t c = 0; c < COLUMNS; c++)
            assert_int_equal(results[c], rows * c + COLUMNS * (rows * (rows - 1) / 2));
    }
}

int main(void) {
    char bytes[16];
    snprintf(bytes, sizeof bytes, "%d", MEMORY_BYTES);
    setenv("JITREDUCE_DEVICE", "sim", 1);
    setenv("JRSIM_MEMORY_BYTES", bytes, 1);
    return check_run(open_context, close_context);
}
