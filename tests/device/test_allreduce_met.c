/* All-reduces where devices meet, and of shares. */
#include <stdlib.h>
#include <string.h>

#include "support/fixtures/allreduce_case.h"

/* All-reduces of segments whose states meet: what is refused, fails, and comes late. */
enum { SEGMENTS = 588 };

/* An array on each of two devices, and streams; the sums are those of both. */
typedef struct meeting {
    dealt of;
    int64_t *d_out[2];
    jr_stream streams[2];
    uint64_t counts[2];
    jr_group_parts parts;
    jr_allreduce *made;
} meeting;

static void meeting_open(const opened *device, double limit_ms, meeting *own) {
    static int32_t numbers[GROUP_COUNT];
    const jr_spec sum = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32);
    const jr_segment_layout row = JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_EQUAL, .length = 1);
    const jr_allreduce_options options =
        JR_INIT(jr_allreduce_options, .way = JR_ALLREDUCE_PEERS, .wait_limit_ms = limit_ms);
    for (int i = 0; i < SEGMENTS; i++) numbers[i] = i;
    dealt_open(device, 2, &own->of);
    dealt_give(numbers, sizeof *numbers, &own->of);
    for (size_t i = 0; i < 2; i++) {
        jr_context *context = jr_group_context(own->of.group, i);
        jr_memory_free(context, own->of.d_in[i]);
        works(jr_memory_new(context, SEGMENTS * sizeof *numbers, &own->of.d_in[i]));
        works(jr_memory_write(context, own->of.d_in[i], numbers, SEGMENTS * sizeof *numbers));
        works(jr_memory_new(context, SEGMENTS * sizeof **own->d_out, (void **)&own->d_out[i]));
        works(jr_stream_create(context, JR_STREAM_NON_BLOCKING, &own->streams[i]));
        own->of.arrays[i] = own->of.d_in[i];
        own->counts[i] = SEGMENTS;
    }
    own->parts = JR_INIT(jr_group_parts, .d_in = own->of.in, .counts = own->counts, .streams = own->streams);
    works(jr_work_allreduce_create(own->of.group, WORK(&sum, .layout = (const jr_segment_layout[]){row, row}), &options,
                                   &own->made));
}

static jr_status meeting_run(meeting *own) {
    return jr_allreduce_run(own->made, &own->parts, (void *const *)own->d_out);
}

static void meeting_works(meeting *own) {
    int64_t found[SEGMENTS];
    for (int run = 0; run < 2; run++) works(meeting_run(own));
    works(jr_allreduce_wait(own->made));
    for (size_t i = 0; i < 2; i++) {
        works(jr_memory_read(jr_group_context(own->of.group, i), found, own->d_out[i], sizeof found));
        for (int s = 0; s < SEGMENTS; s++) assert_int_equal(found[s], 2 * s);
    }
}

static void meeting_close(meeting *own) {
    jr_allreduce_destroy(own->made);
    for (size_t i = 0; i < 2; i++) {
        works(jr_stream_destroy(jr_group_context(own->of.group, i), own->streams[i]));
        jr_memory_free(jr_group_context(own->of.group, i), own->d_out[i]);
    }
    dealt_close(&own->of);
}

TEST(runs_are_not_captured) {
    meeting own;
    meeting_open(*state, 0, &own);
    meeting_works(&own);
    for (size_t i = 0; i < 2; i++) {
        jr_context *context = jr_group_context(own.of.group, i);
        jr_graph graph;
        works(jr_capture_begin(context, own.streams[i]));
        fails(meeting_run(&own), JR_ERROR_INVALID_ARGUMENT, "being captured");
        works(jr_capture_end(context, own.streams[i], &graph));
        works(jr_graph_destroy(context, graph));
        meeting_works(&own);
    }
    meeting_close(&own);
}

TEST(a_launch_that_fails_leaves_no_device_waiting) {
    for (size_t wrong = 0; wrong < 2; wrong++) {
        meeting own;
        meeting_open(*state, 0, &own);
        meeting_works(&own);
        jr_stream right = own.streams[wrong];
        own.streams[wrong] = own.streams[1 - wrong];
        fails(meeting_run(&own), JR_ERROR_WRONG_CONTEXT,
              wrong == 0 ? "device 0 of the group" : "device 1 of the group");
        own.streams[wrong] = right;
        for (size_t i = 0; i < 2; i++) works(jr_stream_wait(jr_group_context(own.of.group, i), own.streams[i]));
        fails(meeting_run(&own), JR_ERROR_TRANSPORT, "make another");
        meeting_close(&own);
    }
}

/* A kernel before the run keeps the second device longer than the first one waits, which other processes only make
 * longer. The run before has made room, which waits for kernels; it has the same limit, and takes a hundredth of it. */
TEST(a_device_that_comes_late_is_told_after_the_limit) {
    static const char source[] = "extern \"C\" __global__ void spin(volatile unsigned *at) {\n"
                                 "    for (unsigned i = 0; i < 5000000; i++) *at = *at + 1;\n"
                                 "}\n";
    const jr_program program = JR_INIT(jr_program, .name = "spin", .source = source, .entry = "spin");
    meeting own;
    jr_kernel *kernel = NULL;
    meeting_open(*state, 500, &own);
    works(meeting_run(&own));
    works(jr_allreduce_wait(own.made));
    works(jr_kernel_get(jr_group_context(own.of.group, 1), &program, &kernel));
    const jr_launch launch = JR_INIT(jr_launch, .grid = {1}, .block = {1}, .stream = own.streams[1]);
    works(jr_kernel_launch(kernel, &launch, (void *[]){&own.d_out[1]}));
    works(meeting_run(&own));
    fails(jr_allreduce_wait(own.made), JR_ERROR_TRANSPORT, "for the state of device 1 in vain");
    fails(meeting_run(&own), JR_ERROR_TRANSPORT, "waited 500 ms");
    meeting_close(&own);
}

/* All-reduces of so many segments that each device merges its share for all. */

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
                                 "    for (unsigned i = 0; i < 200000; i++) *at = i;\n"
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
    int64_t *room = test_bytes(BYTES);
    for (size_t count = 2; count <= dealt_devices(*state); count++) {
        jr_allreduce *all = NULL;
        arrays own;
        arrays_open(*state, count, &own);
        works(jr_work_allreduce_create(own.of.group, WORK(&first, .layout = own.layouts), &peers, &all));
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
}

RUN_TESTS(open_four_devices, close_context)
