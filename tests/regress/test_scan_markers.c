/* Scans by offsets in a ring: a warp that marks segment starts took a slot for drawn before any tile had been, if the
 * ring had fewer slots than such warps; and one read offsets after the last one, where earlier ones had led it.
 */
#include <stdlib.h>
#include <string.h>

#include "support/fixtures/plan_case.h"

enum { COUNT = 150000 };

/* Segments of one element up to `dense`, then of `length`, and end marks after all elements. */
typedef struct marks {
    uint64_t offsets[COUNT + 3], count;
} marks;

static marks *marks_new(uint64_t dense, uint64_t length, uint64_t end) {
    marks *made = test_bytes(sizeof *made);
    made->count = 0;
    for (uint64_t at = 0; at < COUNT; at += at < dense ? 1 : length) made->offsets[made->count++] = at;
    made->offsets[made->count] = COUNT;
    made->offsets[++made->count] = end;
    return made;
}

/* The running maximum of each segment, whose elements fall and rise. */
static void assert_maxima(const opened *device, jr_spec spec, const marks *given, unsigned shift) {
    int8_t *data = test_bytes(COUNT), *results = test_bytes(COUNT);
    int8_t *d_in = device_new(device, COUNT + 16), *d_out = device_new(device, COUNT);
    uint64_t *d_offsets = device_new(device, (given->count + 1) * sizeof *d_offsets), seed = 11;
    const jr_segment_layout layout = JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_OFFSETS);
    const jr_work_data segments = JR_INIT(jr_work_data, .segments = given->count, .offsets = d_offsets, .count = COUNT);
    for (int i = 0; i < COUNT; i++) data[i] = (int8_t)random_bits(&seed);
    device_write(device, d_in + shift, data, COUNT);
    device_write(device, d_offsets, given->offsets, (given->count + 1) * sizeof *d_offsets);
    jr_plan *plan = plan_held(device, WORK(&spec, .kind = JR_WORK_SCAN_INCLUSIVE, .layout = &layout));
    works(jr_work_plan_run(plan, DATA_OF(segments, FROM(d_in + shift), d_out), NULL, NULL));
    device_read(device, results, d_out, COUNT);
    for (uint64_t i = 0, s = 0; i < COUNT; i++) {
        int8_t expected = data[i];
        if (i == given->offsets[s])
            s++;
        else if (results[i - 1] > expected)
            expected = results[i - 1];
        assert_int_equal(results[i], expected);
    }
}

static jr_spec ring_of(int block, int unroll) {
    return JR_INIT(jr_spec, .op = JR_OP_MAX, .type = JR_I8, .algorithm = JR_ALGORITHM_BULK_COPY, .block = block,
                   .unroll = unroll);
}

/* Three slots, so that half of the marking warps begin with a later turn of a slot. */
DEVICE_TEST(more_warps_may_mark_than_there_are_places) {
    if (device->info.capability_major < 9) skip();
    marks *given = marks_new(COUNT, 1, COUNT);
    assert_maxima(device, ring_of(1024, 8), given, 0);
}

/* A block's next tile has other offsets than the ones before it let expect; the last ones may be of any width. */
DEVICE_TEST(segments_may_be_dense_here_and_far_apart_there) {
    static const uint64_t ends[] = {COUNT, (UINT64_C(1) << 32) - 1, UINT64_C(1) << 32, UINT64_MAX};
    if (device->info.capability_major < 9) skip();
    for (unsigned turn = 0; turn < 8; turn++) {
        jr_spec spec = ring_of(320, 1);
        spec.grid = turn % 2 ? 1 : 0;
        marks *given = marks_new(COUNT / 2, turn % 3 ? 50000 : 7, ends[turn / 2]);
        assert_maxima(device, spec, given, turn);
    }
}

int main(void) {
    setenv("JRSIM_SEED", "1", 1); /* of the simulator: warps that mark come before the one that draws */
    return check_run(open_context, close_context);
}
