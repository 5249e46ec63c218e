/* All-reduces of so many segments that each device merges its share for all. */
#include <stdlib.h>
#include <string.h>

#include "support/fixtures/allreduce_case.h"

/* No multiple of anything that is shared; of 8 bytes just above the 4 MiB from which on two devices have shares. */
enum { MANY = (1 << 19) + 4, BYTES = MANY * sizeof(int64_t), RUNS = 3 };

/* One array per device, and memory for the results. */
typedef struct arrays {
    dealt of;
    void *d_in[DEALT_DEVICES], *d_out[DEALT_DEVICES];
    const void *each[DEALT_DEVICES];
    const void *const *in[DEALT_DEVICES];
    uint64_t counts[DEALT_DEVICES];
    jr_segment_layout layouts[DEALT_DEVICES];
    jr_stream streams[DEALT_DEVICES];
    jr_group_parts parts;
} arrays;

/* Element e is 0 but on device e % count. */
static void arrays_fill(const arrays *made, int64_t added, int64_t *room) {
    const int64_t count = (int64_t)made->of.count;
    for (int64_t i = 0; i < count; i++) {
        for (int64_t e = 0; e < MANY; e++) room[e] = e % count == i ? e * 8 + i + added : 0;
        works(jr_memory_write(jr_group_context(made->of.group, (size_t)i), made->d_in[i], room, BYTES));
    }
}

static void arrays_open(const opened *device, size_t count, arrays *made) {
    dealt_open(device, count, &made->of);
    for (size_t i = 0; i < count; i++) {
        jr_context *context = jr_group_context(made->of.group, i);
        works(jr_memory_new(context, BYTES, &made->d_in[i]));
        works(jr_memory_new(context, BYTES, &made->d_out[i]));
        works(jr_stream_create(context, JR_STREAM_NON_BLOCKING, &made->streams[i]));
        made->each[i] = made->d_in[i];
        made->in[i] = &made->each[i];
        made->counts[i] = MANY;
        made->layouts[i] = JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_EQUAL, .length = 1);
    }
    made->parts = JR_INIT(jr_group_parts, .d_in = made->in, .counts = made->counts, .streams = made->streams);
}

static void arrays_close(arrays *made) {
    for (size_t i = 0; i < made->of.count; i++) {
        jr_context *context = jr_group_context(made->of.group, i);
        jr_memory_free(context, made->d_in[i]);
        jr_memory_free(context, made->d_out[i]);
        works(jr_stream_destroy(context, made->streams[i]));
    }
    dealt_close(&made->of);
}

/* A kernel that takes long, before anything else on the stream. */
static void make_late(const arrays *made, size_t late) {
    static const char source[] = "extern \"C\" __global__ void spin(volatile unsigned *at) {\n"
                                 "    for (unsigned i = 0; i < 1000000; i++) *at = i;\n"
                                 "}\n";
    const jr_program program = JR_INIT(jr_program, .name = "spin", .source = source, .entry = "spin");
    const jr_launch launch = JR_INIT(jr_launch, .grid = {1}, .block = {1}, .stream = made->streams[late]);
    void *at = made->d_out[late], *args[] = {&at};
    jr_kernel *kernel = NULL;
    works(jr_kernel_get(jr_group_context(made->of.group, late), &program, &kernel));
    works(jr_kernel_launch(kernel, &launch, args));
}

/* Runs follow at once. The results of the last one are looked at. */
static void run_and_check(jr_allreduce *all, arrays *made, int runs, int64_t added, int64_t *room) {
    const uint64_t segments = made->counts[0];
    for (int run = 0; run < runs; run++) works(jr_allreduce_run(all, &made->parts, made->d_out));
    works(jr_allreduce_wait(all));
    for (size_t i = 0; i < made->of.count; i++) {
        works(jr_memory_read(jr_group_context(made->of.group, i), room, made->d_out[i], segments * sizeof *room));
        for (int64_t e = 0; e < (int64_t)segments; e++)
            assert_int_equal(room[e], e * 8 + e % (int64_t)made->of.count + added);
    }
}

/* Each device in turn is late, with numbers that were not there before; at last of few segments, which have no shares.
 */
TEST(each_device_merges_a_share_for_all) {
    const jr_spec first =
        JR_INIT(jr_spec, .op = JR_OP_CUSTOM, .type = JR_I64, .combine = "b != 0 ? b : a", .identity = "0");
    const jr_allreduce_options peers = JR_INIT(jr_allreduce_options, .way = JR_ALLREDUCE_PEERS);
    int64_t *room = malloc(BYTES);
    assert_non_null(room);
    for (size_t count = 2; count <= dealt_devices(*state); count++) {
        jr_allreduce *all = NULL;
        arrays own;
        arrays_open(*state, count, &own);
        works(jr_allreduce_segment_create(own.of.group, &first, own.layouts, &peers, &all));
        arrays_fill(&own, 1, room);
        run_and_check(all, &own, 1, 1, room);
        for (size_t late = 0; late < count; late++) {
            const int64_t added = (int64_t)late + 2;
            arrays_fill(&own, added, room);
            make_late(&own, late);
            run_and_check(all, &own, late > 0 ? 1 : RUNS, added, room);
        }
        for (size_t i = 0; i < count; i++) own.counts[i] = 5;
        run_and_check(all, &own, RUNS, (int64_t)count + 1, room);
        jr_allreduce_destroy(all);
        arrays_close(&own);
    }
    free(room);
}

RUN_TESTS(open_four_devices, close_context)
