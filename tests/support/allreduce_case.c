/* Deals data out to the devices of a group, and checks what all-reduces make of it. */
#include "support/allreduce_case.h"

#include <string.h>

const jr_allreduce_way dealt_ways[DEALT_WAYS] = {JR_ALLREDUCE_PEERS, JR_ALLREDUCE_NCCL, JR_ALLREDUCE_HOST};

/* Different devices that there are, as far as these tests use them. */
size_t dealt_devices(const opened *device) {
    jr_group *all = NULL;
    works(jr_group_open(&JR_INIT(jr_group_options, .devices = device->info.simulated ? "sim:all" : "cuda:all"), &all));
    const size_t count = jr_group_size(all);
    jr_group_close(all);
    return count < DEALT_DEVICES ? count : DEALT_DEVICES;
}

void dealt_open(const opened *device, size_t count, dealt *of) {
    static const char *const names[][DEALT_DEVICES] = {{"cuda:0", "cuda:0,1", "cuda:0,1,2", "cuda:0,1,2,3"},
                                                       {"sim:1", "sim:2", "sim:3", "sim:4"}};
    if (dealt_devices(device) < count) {
        print_message("a machine with %zu devices is needed\n", count);
        skip();
    }
    *of = (dealt){.count = count};
    works(jr_group_open(&JR_INIT(jr_group_options, .devices = names[device->info.simulated != 0][count - 1]),
                        &of->group));
}

void dealt_give(const void *data, size_t element, dealt *of) {
    uint64_t begins[GROUP_DEVICES + 1];
    group_cut(of->count, begins);
    for (size_t i = 0; i < of->count; i++) {
        jr_context *context = jr_group_context(of->group, i);
        of->counts[i] = begins[i + 1] - begins[i];
        works(jr_memory_new(context, (of->counts[i] + 1) * element, &of->d_in[i]));
        works(jr_memory_write(context, of->d_in[i], (const char *)data + begins[i] * element, of->counts[i] * element));
        works(jr_memory_new(context, DEALT_BYTES, &of->d_out[i]));
        of->arrays[i] = of->d_in[i];
        of->in[i] = &of->arrays[i];
    }
    of->parts = JR_INIT(jr_group_parts, .d_in = of->in, .counts = of->counts);
}

void dealt_close(dealt *of) {
    for (size_t i = 0; i < of->count; i++) {
        jr_memory_free(jr_group_context(of->group, i), of->d_in[i]);
        jr_memory_free(jr_group_context(of->group, i), of->d_out[i]);
    }
    jr_group_close(of->group);
}

void dealt_clear(const dealt *of) {
    unsigned char marks[DEALT_BYTES];
    memset(marks, 0xa5, sizeof marks);
    for (size_t i = 0; i < of->count; i++)
        works(jr_memory_write(jr_group_context(of->group, i), of->d_out[i], marks, sizeof marks));
}

void dealt_assert(const dealt *of, const void *wanted, size_t bytes) {
    unsigned char found[DEALT_BYTES];
    for (size_t i = 0; i < of->count; i++) {
        works(jr_memory_read(jr_group_context(of->group, i), found, of->d_out[i], bytes));
        assert_memory_equal(found, wanted, bytes);
    }
}

jr_allreduce *dealt_allreduce(const dealt *of, const jr_spec *spec, jr_allreduce_way way) {
    jr_allreduce *made = NULL;
    works(jr_allreduce_create(of->group, spec, &JR_INIT(jr_allreduce_options, .way = way), &made));
    assert_int_equal(jr_allreduce_way_of(made), way);
    return made;
}

/* On a GPU there may be none. */
bool dealt_has_nccl(const dealt *of) {
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32);
    jr_allreduce *made = NULL;
    const jr_status status =
        jr_allreduce_create(of->group, &spec, &JR_INIT(jr_allreduce_options, .way = JR_ALLREDUCE_NCCL), &made);
    jr_allreduce_destroy(made);
    if (status != JR_ERROR_NOT_APPLICABLE) return true;
    print_message("by NCCL nothing is tested: %s\n", jr_last_error()->message);
    return false;
}

/* Runs follow one another without a wait between: three, as the slots of two take turns. */
void dealt_assert_all_get(const dealt *of, const jr_spec *spec, jr_allreduce_way way, const void *wanted,
                          size_t bytes) {
    if (way == JR_ALLREDUCE_NCCL && !dealt_has_nccl(of)) return;
    jr_allreduce *made = dealt_allreduce(of, spec, way);
    assert_int_equal(jr_allreduce_result_bytes(made), bytes);
    for (int round = 0; round < 2; round++) {
        dealt_clear(of);
        for (int run = 0; run < 3; run++) works(jr_allreduce_run(made, &of->parts, of->d_out));
        works(jr_allreduce_wait(made));
        dealt_assert(of, wanted, bytes);
    }
    jr_allreduce_destroy(made);
}

/* The results that one device makes of all. */
size_t dealt_whole(const opened *device, const jr_spec *spec, const void *data, size_t bytes, void *wanted) {
    void *d_in = device_new(device, bytes), *d_out = device_new(device, DEALT_BYTES);
    jr_plan *plan = NULL;
    device_write(device, d_in, data, bytes);
    works(jr_plan_create(device->context, spec, &plan));
    const size_t found = jr_plan_result_bytes(plan);
    works(jr_plan_run(plan, d_in, GROUP_COUNT, d_out, NULL, NULL));
    works(jr_memory_read(device->context, wanted, d_out, found));
    jr_plan_destroy(plan);
    device_free(device, d_in);
    device_free(device, d_out);
    return found;
}
