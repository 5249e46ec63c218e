/* Blocks of one warp keep a single accumulator of 12 bytes in shared memory; the compiler reads 16 of such an object
 * that lies alone at a 16-byte boundary, so that ragged argmin and argmax of f32 read 4 bytes beyond it. */
#include "support/fixtures/kernel_case.h"

enum { LENGTH = 700, SEGMENTS = 9 };

TEST(ragged_extrema_by_blocks_of_one_warp_stay_within_shared_memory) {
    const opened *device = *state;
    static const jr_op ops[] = {JR_OP_ARGMIN, JR_OP_ARGMAX};
    static const uint64_t ends[SEGMENTS + 1] = {0, 1, 3, 3, 40, 41, 300, 301, 650, LENGTH};
    float data[LENGTH];
    for (int i = 0; i < LENGTH; i++) data[i] = (float)(i * 37 % 101);
    for (int o = 0; o < 2; o++) {
        const jr_spec spec = JR_INIT(jr_spec, .op = ops[o], .type = JR_F32, .block = 32, .initial = NULL);
        const jr_segment_layout ragged = JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_OFFSETS);
        jr_plan *plan;
        float *d_in = device_new(device, sizeof data);
        uint64_t *d_ends = device_new(device, sizeof ends);
        int64_t got[SEGMENTS], *d_out = device_new(device, sizeof got);
        device_write(device, d_in, data, sizeof data);
        device_write(device, d_ends, ends, sizeof ends);
        const jr_segments segments = JR_INIT(jr_segments, .count = SEGMENTS, .offsets = d_ends);
        works(jr_segment_plan_create(device->context, &spec, &ragged, &plan));
        works(jr_segment_plan_run(plan, d_in, &segments, d_out, NULL, NULL));
        device_read(device, got, d_out, sizeof got);
        for (int s = 0; s < SEGMENTS; s++) {
            uint64_t best = ends[s];
            for (uint64_t i = ends[s]; i < ends[s + 1]; i++)
                if (o == 0 ? data[i] < data[best] : data[i] > data[best]) best = i;
            if (ends[s] < ends[s + 1]) assert_int_equal(got[s], best - ends[s]);
        }
        jr_plan_destroy(plan);
        device_free(device, d_in);
        device_free(device, d_ends);
        device_free(device, d_out);
    }
}

RUN_TESTS(open_context, close_context)
