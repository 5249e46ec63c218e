/* Packs of segments: what is in one needs no NVRTC, whatever the segments' number, and gives the same. */
/* cache: own */
#include <stdlib.h>

#include "support/fixtures/pack_case.h"

enum { MOST = 1 << 20 };

static int32_t data[MOST];
static int64_t results[2][MOST];

/* The counts of elements that a layout is tried with: with those many choices change. */
static const uint64_t counts[] = {0, 1 << 10, 1 << 16, MOST};

static const jr_spec sum = {.size = sizeof(jr_spec), .op = JR_OP_SUM, .type = JR_I32},
                     argmax = {.size = sizeof(jr_spec), .op = JR_OP_ARGMAX, .type = JR_I32};

static const jr_segment_layout layouts[] = {
    {.size = sizeof(jr_segment_layout), .kind = JR_SEGMENTS_EQUAL, .length = 3},
    {.size = sizeof(jr_segment_layout), .kind = JR_SEGMENTS_EQUAL, .length = 100},
    {.size = sizeof(jr_segment_layout), .kind = JR_SEGMENTS_EQUAL, .length = 4096},
    {.size = sizeof(jr_segment_layout), .kind = JR_SEGMENTS_EQUAL, .length = 1 << 19},
    {.size = sizeof(jr_segment_layout), .kind = JR_SEGMENTS_STRIDED, .length = 64, .inner = 16},
    {.size = sizeof(jr_segment_layout), .kind = JR_SEGMENTS_STRIDED, .length = 1024, .inner = 3},
    {.size = sizeof(jr_segment_layout), .kind = JR_SEGMENTS_STRIDED, .length = 2, .inner = 512}};

static void make_data(void) {
    for (int i = 0; i < MOST; i++) data[i] = (int32_t)((uint32_t)i * 2654435761U >> 24) - 100;
}

static uint64_t whole_segments(const jr_segment_layout *layout, uint64_t elements) {
    const uint64_t inner = layout->kind == JR_SEGMENTS_STRIDED ? layout->inner : 1;
    return elements / (layout->length * inner) * inner;
}

static jr_status reduce(const opened *device, const jr_spec *spec, const jr_segment_layout *layout, uint64_t count,
                        int64_t *into) {
    const void *const in[] = {data};
    const jr_work_data segments = JR_INIT(jr_work_data, .segments = count);
    return jr_work_run_host(device->context, WORK(spec, .layout = layout), DATA_OF(segments, in, into));
}

static void are_the_same_packed(const opened *device, const jr_spec *spec, const jr_segment_layout *layout) {
    jr_pack *pack = pack_for(device);
    works(jr_work_pack_add(pack, WORK(spec, .layout = layout)));
    pack_write(pack);
    opened packed = pack_open(device, pack_hidden);
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        const uint64_t count = whole_segments(layout, counts[i]);
        works(reduce(device, spec, layout, count, results[0]));
        works(reduce(&packed, spec, layout, count, results[1]));
        assert_memory_equal(results[0], results[1], count * sizeof **results);
    }
    jr_spec parts = *spec;
    parts.device_bytes = 1 << 20;
    works(reduce(&packed, &parts, layout, whole_segments(layout, MOST), results[1]));
    assert_memory_equal(results[0], results[1], whole_segments(layout, MOST) * sizeof **results);
    assert_int_equal(pack_counters(&packed).compiles, 0);
    jr_context_close(packed.context);
}

TEST(every_layout_is_packed_for_every_number_of_segments) {
    for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++) are_the_same_packed(*state, &sum, &layouts[i]);
    are_the_same_packed(*state, &argmax, &layouts[1]);
}

DEVICE_TEST(segments_of_offsets_are_packed) {
    enum { SEGMENTS = 300 };
    static const jr_segment_layout layout = {.size = sizeof(jr_segment_layout), .kind = JR_SEGMENTS_OFFSETS};
    const void *const in[] = {data};
    uint64_t offsets[SEGMENTS + 1] = {0};
    jr_pack *pack = pack_for(device);
    works(jr_work_pack_add(pack, WORK(&sum, .layout = &layout)));
    pack_write(pack);
    opened packed = pack_open(device, pack_hidden);
    for (uint64_t step = 1; step <= 16; step *= 4) {
        for (uint64_t s = 0; s < SEGMENTS; s++) offsets[s + 1] = offsets[s] + step * (s % 5);
        const jr_work_data segments = JR_INIT(jr_work_data, .segments = SEGMENTS, .offsets = offsets);
        works(jr_work_run_host(device->context, WORK(&sum, .layout = &layout), DATA_OF(segments, in, results[0])));
        works(jr_work_run_host(packed.context, WORK(&sum, .layout = &layout), DATA_OF(segments, in, results[1])));
        assert_memory_equal(results[0], results[1], SEGMENTS * sizeof **results);
    }
    assert_int_equal(pack_counters(&packed).compiles, 0);
    jr_context_close(packed.context);
}

DEVICE_TEST(runs_of_keys_are_packed) {
    static const jr_segment_layout layout = {
        .size = sizeof(jr_segment_layout), .kind = JR_SEGMENTS_KEYS, .key_type = JR_I32};
    static int32_t keys[MOST], run_keys[MOST];
    const void *const in[] = {data};
    jr_pack *pack = pack_for(device);
    for (int i = 0; i < MOST; i++) keys[i] = i / 7;
    works(jr_work_pack_add(pack, WORK(&sum, .layout = &layout)));
    pack_write(pack);
    opened packed = pack_open(device, pack_hidden);
    for (size_t i = 1; i < sizeof counts / sizeof *counts; i++) {
        uint64_t runs = 0;
        const jr_work_data segments =
            JR_INIT(jr_work_data, .keys = keys, .count = counts[i], .run_keys = run_keys, .run_count = &runs);
        works(jr_work_run_host(device->context, WORK(&sum, .layout = &layout), DATA_OF(segments, in, results[0])));
        works(jr_work_run_host(packed.context, WORK(&sum, .layout = &layout), DATA_OF(segments, in, results[1])));
        assert_int_equal(runs, (counts[i] + 6) / 7);
        assert_memory_equal(results[0], results[1], runs * sizeof **results);
    }
    assert_int_equal(pack_counters(&packed).compiles, 0);
    jr_context_close(packed.context);
}

DEVICE_TEST(scans_of_segments_are_packed) {
    enum { EACH = 2 };
    static const jr_segment_layout *const each[EACH] = {&layouts[1], &layouts[4]};
    const void *const in[] = {data};
    for (size_t i = 0; i < EACH; i++) {
        jr_pack *pack = pack_for(device);
        works(jr_work_pack_add(pack, WORK(&sum, .kind = JR_WORK_SCAN_INCLUSIVE, .layout = each[i])));
        pack_write(pack);
        opened packed = pack_open(device, pack_hidden);
        for (size_t c = 1; c < sizeof counts / sizeof *counts; c++) {
            const uint64_t count = whole_segments(each[i], counts[c]);
            const jr_work_data segments = JR_INIT(jr_work_data, .segments = count);
            works(jr_work_run_host(device->context, WORK(&sum, .kind = JR_WORK_SCAN_INCLUSIVE, .layout = each[i]),
                                   DATA_OF(segments, in, results[0])));
            works(jr_work_run_host(packed.context, WORK(&sum, .kind = JR_WORK_SCAN_INCLUSIVE, .layout = each[i]),
                                   DATA_OF(segments, in, results[1])));
            assert_memory_equal(results[0], results[1], count * each[i]->length * sizeof **results);
        }
        assert_int_equal(pack_counters(&packed).compiles, 0);
        jr_context_close(packed.context);
    }
}

/* Plans of arrays whose elements lie apart, and calls on host memory, which gather them. */
DEVICE_TEST(works_with_strides_are_packed) {
    enum { ROWS = 3, COLUMNS = 4 };
    static const uint64_t shape[] = {ROWS, COLUMNS};
    static const int64_t apart[] = {2 * COLUMNS, 2}, *const strides[] = {apart};
    const struct {
        jr_work_kind kind;
        int axis;
    } cases[] = {{JR_WORK_REDUCE, 1}, {JR_WORK_SCAN_INCLUSIVE, 0}};
    int32_t *d_in = device_new(device, sizeof *d_in * ROWS * COLUMNS * 2);
    int64_t *d_out = device_new(device, sizeof *d_out * ROWS * COLUMNS);
    device_write(device, d_in, data, sizeof *d_in * ROWS * COLUMNS * 2);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const uint64_t count = cases[i].kind != JR_WORK_REDUCE ? ROWS * COLUMNS : cases[i].axis == 1 ? ROWS : COLUMNS;
        const jr_axis axis =
            JR_INIT(jr_axis, .shape = shape, .dimensions = 2, .axis = cases[i].axis, .strides = strides);
        jr_pack *pack = pack_for(device);
        works(jr_work_pack_add(pack, WORK(&sum, .kind = cases[i].kind, .axis = &axis)));
        pack_write(pack);
        opened packed = pack_open(device, pack_hidden);
        jr_plan *plan = plan_new(&packed, WORK(&sum, .kind = cases[i].kind, .axis = &axis));
        works(jr_work_plan_run(plan, DATA(.in = FROM(d_in), .out = d_out), NULL, NULL));
        device_read(&packed, results[0], d_out, count * sizeof **results);
        works(jr_work_run_host(packed.context, WORK(&sum, .kind = cases[i].kind, .axis = &axis),
                               DATA(.in = FROM(data), .out = results[1])));
        assert_memory_equal(results[0], results[1], count * sizeof **results);
        assert_int_equal(pack_counters(&packed).compiles, 0);
        jr_plan_destroy(plan);
        jr_context_close(packed.context);
    }
    device_free(device, d_in);
    device_free(device, d_out);
}

TEST(a_layout_that_no_plan_takes_is_refused) {
    jr_pack *pack = pack_for(*state);
    jr_segment_layout wrong = layouts[4];
    wrong.inner = 0;
    fails(jr_work_pack_add(pack, WORK(&sum, .layout = &wrong)), JR_ERROR_INVALID_ARGUMENT, "inner");
    jr_pack_destroy(pack);
}

int main(void) {
    make_data();
    return check_run(pack_begin, pack_end);
}
