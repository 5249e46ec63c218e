/* All-reduces of segments on more devices than a kernel's arguments name: not by peers, and with the same results. */
#include <stdlib.h>

#include "support/fixtures/allreduce_case.h"

enum { MANY = 16, SEGMENTS = 3 };

static int open_many_devices(void **state) {
    return setenv("JRSIM_DEVICES", "16", 1) == 0 ? open_context(state) : -1;
}

DEVICE_TEST(segments_of_sixteen_devices_are_not_reduced_by_peers) {
    const jr_spec sum = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32);
    jr_segment_layout layouts[MANY];
    uint64_t counts[MANY];
    void *d_in[MANY], *d_out[MANY];
    const void *arrays[MANY];
    const void *const *in[MANY];
    jr_allreduce *made = NULL;
    if (!device->info.simulated) skip_because("16 devices are the simulator's alone\n");
    jr_group *group = group_held(&JR_INIT(jr_group_options, .devices = "sim:all"));
    assert_int_equal(jr_group_size(group), MANY);
    for (int i = 0; i < MANY; i++) {
        const int32_t numbers[SEGMENTS] = {i, 10 * i, 100 * i};
        layouts[i] = JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_EQUAL, .length = 1);
        counts[i] = SEGMENTS;
        works(jr_memory_new(jr_group_context(group, (size_t)i), sizeof numbers, &d_in[i]));
        works(jr_memory_new(jr_group_context(group, (size_t)i), SEGMENTS * sizeof(int64_t), &d_out[i]));
        works(jr_memory_write(jr_group_context(group, (size_t)i), d_in[i], numbers, sizeof numbers));
        arrays[i] = d_in[i];
        in[i] = &arrays[i];
    }
    const jr_work work = JR_INIT(jr_work, .spec = &sum, .layout = layouts);
    fails(jr_work_allreduce_create(group, &work, &JR_INIT(jr_allreduce_options, .way = JR_ALLREDUCE_PEERS), &made),
          JR_ERROR_NOT_APPLICABLE, "the group has 16 devices: by peers, 15 at most reduce segments");
    works(jr_work_allreduce_create(group, &work, NULL, &made));
    assert_int_equal(jr_allreduce_way_of(made), JR_ALLREDUCE_HOST);
    works(jr_allreduce_run(made, PARTS(.d_in = in, .counts = counts), d_out));
    works(jr_allreduce_wait(made));
    for (int i = 0; i < MANY; i++) {
        int64_t found[SEGMENTS];
        works(jr_memory_read(jr_group_context(group, (size_t)i), found, d_out[i], sizeof found));
        for (int s = 0, each = 120; s < SEGMENTS; s++, each *= 10) assert_int_equal(found[s], each);
        jr_memory_free(jr_group_context(group, (size_t)i), d_in[i]);
        jr_memory_free(jr_group_context(group, (size_t)i), d_out[i]);
    }
    jr_allreduce_destroy(made);
}

RUN_TESTS(open_many_devices, close_context)
