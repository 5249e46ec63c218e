/* Specs of scans for the tests of groups. */
#include "support/group_scan_case.h"

#include <stdlib.h>
#include <string.h>

enum { LITTLE_BYTES = 24576 };

void group_scan_specs(jr_spec specs[GROUP_SCANS]) {
    static const jr_value low = {JR_I32, {.i32 = -2}}, start = {JR_I64, {.i64 = 1000}};
    const jr_spec all[GROUP_SCANS] = {
        JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32),
        JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32, .initial = &start, .finish = "a * 2 + (long long)n"),
        JR_INIT(jr_spec, .op = JR_OP_MAX, .type = JR_I32, .initial = &low),
        JR_INIT(jr_spec, .op = JR_OP_MEAN, .type = JR_I32),
        JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32, .map = "x * (long long)i", .map_type = JR_I64),
        JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32, .where = "i % 5 == 2", .unroll = 1, .block = 32,
                .device_bytes = LITTLE_BYTES),
        JR_INIT(jr_spec, .op = JR_OP_CUSTOM, .type = JR_I32, .combine = "a != 0 ? a : b", .identity = "0"),
        JR_INIT(jr_spec, .op = JR_OP_CUSTOM, .type = JR_I32, .combine = "b != 0 ? b : a", .identity = "0", .unroll = 1,
                .block = 32, .device_bytes = LITTLE_BYTES),
        JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32, .algorithm = JR_ALGORITHM_WAVE, .block = 96),
        JR_INIT(jr_spec, .op = JR_OP_ARGMIN, .type = JR_I32), /* inclusive alone */
    };
    memcpy(specs, all, sizeof all);
}

const jr_scan_kind group_scan_kinds[2] = {JR_SCAN_INCLUSIVE, JR_SCAN_EXCLUSIVE};

bool group_scan_has(int spec, jr_scan_kind kind) {
    return spec != GROUP_SCANS - 1 || kind == JR_SCAN_INCLUSIVE;
}

size_t group_scan_bytes(const jr_spec *spec) {
    jr_result_layout layout = JR_INIT(jr_result_layout);
    works(jr_result_layout_of(spec, &layout));
    assert_in_range(layout.bytes, 1, GROUP_SCAN_BYTES);
    return layout.bytes;
}

unsigned char *group_scan_whole(const opened *device, const jr_spec *spec, jr_scan_kind kind, const int32_t *data) {
    unsigned char *wanted = calloc(GROUP_COUNT, GROUP_SCAN_BYTES);
    jr_spec own = *spec;
    own.device_bytes = 0;
    assert_non_null(wanted);
    works(jr_scan_host(device->context, &own, kind, data, GROUP_COUNT, wanted));
    return wanted;
}

void group_laid_make(const opened *device, const int32_t *data, group_laid *of) {
    *of = (group_laid){.device = device,
                       .d_data = device_new(device, GROUP_COUNT * sizeof *data),
                       .d_out = device_new(device, GROUP_COUNT * GROUP_SCAN_BYTES)};
    device_write(device, of->d_data, data, GROUP_COUNT * sizeof *data);
}

void group_laid_free(group_laid *of) {
    device_free(of->device, of->d_data);
    device_free(of->device, of->d_out);
}

void group_laid_cut(size_t count, size_t bytes, group_laid *of) {
    uint64_t begins[GROUP_DEVICES + 1];
    group_cut(count, begins);
    for (size_t i = 0; i < count; i++) {
        of->arrays[i] = of->d_data + begins[i];
        of->in[i] = &of->arrays[i];
        of->counts[i] = begins[i + 1] - begins[i];
        of->out[i] = of->d_out + begins[i] * bytes;
    }
    of->parts = JR_INIT(jr_group_parts, .d_in = of->in, .counts = of->counts);
}

void group_laid_assert(const group_laid *of, const unsigned char *wanted) {
    unsigned char *found = malloc(GROUP_COUNT * GROUP_SCAN_BYTES);
    assert_non_null(found);
    stream_wait(of->device, NULL);
    device_read(of->device, found, of->d_out, GROUP_COUNT * GROUP_SCAN_BYTES);
    assert_memory_equal(found, wanted, GROUP_COUNT * GROUP_SCAN_BYTES);
    free(found);
}

void group_laid_clear(const group_laid *of) {
    unsigned char *zeros = calloc(GROUP_COUNT, GROUP_SCAN_BYTES);
    assert_non_null(zeros);
    device_write(of->device, of->d_out, zeros, GROUP_COUNT * GROUP_SCAN_BYTES);
    free(zeros);
}
