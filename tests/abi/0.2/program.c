/* A program of 0.2: built with the headers of that version beside it, run with the library of today. Every struct that
 * the library fills has a guard behind it. */
#include <stdio.h>
#include <string.h>

#include "forms.h"

static int passed, failed;

void expect(int holds, const char *what) {
    if (!holds) printf("failed %s (%s)\n", what, jr_last_error()->message);
    passed += holds;
    failed += !holds;
}

/* A struct with a guard behind it. */
#define GUARDED(type, name)                                                                                            \
    struct {                                                                                                           \
        type it;                                                                                                       \
        unsigned char guard[64];                                                                                       \
    } name = {.it = {.size = sizeof(type)}};                                                                           \
    memset(name.guard, 0xA5, sizeof name.guard)
#define EXPECT_GUARDED(name) expect(is_whole(name.guard), "nothing is written behind " #name)

static int is_whole(const unsigned char guard[64]) {
    for (int i = 0; i < 64; i++)
        if (guard[i] != 0xA5) return 0;
    return 1;
}

static const int numbers[6] = {3, 1, 4, 1, 5, 9};
static const void *const arrays[] = {numbers};
static const char source[] = "extern \"C\" __global__ void k(int *out) { *out = WHAT; }\n";

static void use_specs(jr_context *context) {
    const jr_op ops[] = {JR_OP_MIN, JR_OP_MAX, JR_OP_MEAN};
    const jr_parameter scale = {"scale", {JR_I32, {.i32 = 2}}};
    const jr_spec list = JR_INIT(jr_spec, .ops = ops, .op_count = 3, .type = JR_I32);
    const jr_spec doubled = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32, .map = "x * scale", .parameters = &scale,
                                    .parameter_count = 1, .block = 64, .device_bytes = 1 << 20);
    jr_value values[3];
    expect(jr_reduce_host_arrays(context, &list, arrays, 6, values) == JR_OK, "a list is reduced");
    expect(values[0].as.i32 == 1 && values[1].as.i32 == 9, "min and max of a list");
    expect(values[2].type == JR_F64 && values[2].as.f64 == 23.0 / 6, "the mean of a list");
    expect(jr_reduce_host(context, &doubled, numbers, 6, values) == JR_OK && values[0].as.i64 == 46, "a parameter");
    GUARDED(jr_result_layout, layout);
    expect(jr_result_layout_of(&list, &layout.it) == JR_OK && layout.it.count == 3, "a layout of three results");
    EXPECT_GUARDED(layout);
}

static void use_segments(jr_context *context) {
    const uint64_t shape[] = {2, 3}, offsets[] = {0, 1, 6};
    const jr_axis axis = JR_INIT(jr_axis, .shape = shape, .dimensions = 2, .axis = -2);
    const jr_spec sum = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32);
    const jr_segment_layout ragged = JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_OFFSETS);
    const jr_segments segments = JR_INIT(jr_segments, .count = 2, .offsets = offsets);
    int64_t sums[6] = {0};
    uint64_t count = 0;
    expect(jr_reduce_host_axis(context, &sum, arrays, &axis, sums) == JR_OK, "an axis is reduced");
    expect(sums[0] == 4 && sums[1] == 6 && sums[2] == 13, "sums of columns");
    expect(jr_reduce_host_segments(context, &sum, &ragged, arrays, &segments, sums) == JR_OK, "segments are reduced");
    expect(sums[0] == 3 && sums[1] == 20, "sums of segments");
    expect(jr_scan_host(context, &sum, JR_SCAN_INCLUSIVE, numbers, 6, sums) == JR_OK && sums[5] == 23, "a scan");
    GUARDED(jr_segment_layout, layout);
    expect(jr_segment_layout_of(&axis, &layout.it, &count) == JR_OK && count == 3, "an axis' segments");
    expect(layout.it.kind == JR_SEGMENTS_STRIDED && layout.it.length == 2 && layout.it.inner == 3, "an axis' layout");
    EXPECT_GUARDED(layout);
}

/* ---- a pool and a log of the program's own ---- */

static int alive, lines;

/* Not device memory: what asks for it learns that there is none. */
static void *allocate(void *allocator, uint64_t bytes, jr_stream stream) {
    (void)stream;
    alive += allocator == &alive && bytes == 100;
    return NULL;
}

static void give_back(void *allocator, void *address, jr_stream stream) {
    (void)allocator;
    (void)address;
    (void)stream;
    alive--;
}

static void hear(void *user, jr_log_level level, const char *line) {
    *(int *)user += level >= JR_LOG_DEBUG && level <= JR_LOG_ERROR && line[0] != '\0';
}

static void use_hooks(void) {
    const jr_options options = JR_INIT(jr_options, .device = "sim", .wisdom = "", .allocate = allocate,
                                       .free = give_back, .allocator = &alive);
    jr_context *context = NULL;
    void *address = NULL;
    jr_log_set(hear, &lines);
    expect(jr_context_open(&options, &context) == JR_OK && lines > 0, "a log tells of a context");
    expect(jr_context_is_simulated(context) == 1, "a context is simulated");
    expect(jr_memory_new(context, 100, &address) == JR_ERROR_DEVICE_OUT_OF_MEMORY && alive == 1, "a pool is asked");
    jr_log_set(NULL, NULL);
    jr_context_close(context);
}

static void use_streams(jr_context *context) {
    jr_stream stream = NULL;
    jr_event event = NULL;
    jr_graph graph = NULL;
    int *pinned = NULL, done = 0;
    void *d_in = NULL;
    double ms = -1;
    expect(jr_stream_create(context, JR_STREAM_NON_BLOCKING, &stream) == JR_OK, "a stream is made");
    expect(jr_event_create(context, JR_EVENT_BLOCKING, &event) == JR_OK, "an event is made");
    expect(jr_pinned_new(context, 32, (void **)&pinned) == JR_OK, "pinned memory is allocated");
    expect(jr_memory_new(context, 32, &d_in) == JR_OK && jr_memory_write(context, d_in, numbers, 16) == JR_OK, "data");
    expect(jr_capture_begin(context, stream) == JR_OK, "a capture begins");
    expect(jr_stream_read(context, pinned, d_in, 16, stream) == JR_OK, "a copy is captured");
    expect(jr_capture_query(context, stream, &done) == JR_OK && done == 1, "a capture is open");
    expect(jr_capture_end(context, stream, &graph) == JR_OK, "a capture ends");
    expect(jr_graph_launch(context, graph, stream) == JR_OK, "a graph is launched");
    expect(jr_event_record(context, event, stream) == JR_OK && jr_event_wait(context, event) == JR_OK, "an event");
    expect(pinned[2] == 4, "a graph's copy");
    expect(jr_event_query(context, event, &done) == JR_OK && done == 1, "an event has happened");
    expect(jr_event_elapsed(context, event, event, &ms) == JR_OK && ms == 0, "no time between an event and itself");
    expect(jr_stream_wait_event(context, stream, event) == JR_OK && jr_stream_wait(context, stream) == JR_OK, "waits");
    expect(jr_stream_query(context, stream, &done) == JR_OK && jr_context_wait(context) == JR_OK, "all is done");
    jr_pinned_free(context, pinned);
    jr_memory_free(context, d_in);
    expect(jr_graph_destroy(context, graph) == JR_OK && jr_event_destroy(context, event) == JR_OK &&
               jr_stream_destroy(context, stream) == JR_OK,
           "all is destroyed");
}

static void use_plan(jr_context *context) {
    const jr_spec sum = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32, .capacity = 6);
    jr_plan *plan = NULL;
    jr_value value;
    void *d_in = NULL, *d_out = NULL;
    GUARDED(jr_run_cost, cost);
    GUARDED(jr_stats, stats);
    GUARDED(jr_launch, launch);
    expect(jr_plan_create(context, &sum, &plan) == JR_OK, "a plan is made");
    expect(jr_memory_new(context, sizeof numbers, &d_in) == JR_OK && jr_memory_new(context, 16, &d_out) == JR_OK,
           "memory is allocated");
    expect(jr_memory_write(context, d_in, numbers, sizeof numbers) == JR_OK, "memory is written");
    const void *const in[] = {d_in};
    expect(jr_plan_value(plan, in, 6, NULL, &value) == JR_OK && value.as.i64 == 23, "a plan's value");
    expect(jr_plan_time(plan, in, 6, d_out, 1, &cost.it) == JR_OK && cost.it.launches >= 1, "a plan's time");
    expect(jr_plan_stats(plan, &stats.it) == JR_OK && stats.it.block > 0 && stats.it.tuned_by[0] != '\0', "its stats");
    expect(jr_plan_launch_get(plan, 0, &launch.it) == JR_OK && launch.it.grid[0] > 0, "a plan's launch");
    EXPECT_GUARDED(cost);
    EXPECT_GUARDED(stats);
    EXPECT_GUARDED(launch);
    jr_memory_free(context, d_in);
    jr_memory_free(context, d_out);
    jr_plan_destroy(plan);
}

static void use_kernel(jr_context *context) {
    const jr_named_text what = {"WHAT", "42"};
    const jr_program program =
        JR_INIT(jr_program, .name = "answer", .source = source, .entry = "k", .constants = &what, .constant_count = 1);
    const jr_launch launch = JR_INIT(jr_launch, .grid = {1}, .block = {1});
    jr_kernel *kernel = NULL;
    void *d_out = NULL;
    int answer = 0;
    expect(jr_kernel_get(context, &program, &kernel) == JR_OK, "a kernel is compiled");
    expect(jr_memory_new(context, sizeof answer, &d_out) == JR_OK, "its memory is allocated");
    expect(jr_kernel_launch(kernel, &launch, (void *[]){&d_out}) == JR_OK, "it is launched");
    expect(jr_memory_read(context, &answer, d_out, sizeof answer) == JR_OK && answer == 42, "it answers");
    GUARDED(jr_kernel_info, info);
    expect(jr_kernel_info_get(kernel, &info.it) == JR_OK && info.it.max_threads_per_block >= 32, "a kernel's numbers");
    EXPECT_GUARDED(info);
    jr_memory_free(context, d_out);
}

static void use_context(jr_context *context) {
    GUARDED(jr_device_info, device);
    GUARDED(jr_stats, stats);
    GUARDED(jr_counters, counters);
    GUARDED(jr_wisdom_info, wisdom);
    expect(jr_context_device_info(context, &device.it) == JR_OK && device.it.warp_size == 32, "the device");
    expect(device.it.simulated == 1 && device.it.capability_major >= 7, "the device is simulated");
    expect(jr_context_stats(context, &stats.it) == JR_OK && stats.it.origin != JR_ORIGIN_NONE, "the last call's cost");
    expect(jr_context_counters(context, &counters.it) == JR_OK, "counters are told");
    expect(counters.it.disk_hits + counters.it.compiles > 0, "counters count");
    expect(jr_wisdom_info_get(context, &wisdom.it) == JR_OK && wisdom.it.origin != NULL, "wisdom's place");
    EXPECT_GUARDED(device);
    EXPECT_GUARDED(stats);
    EXPECT_GUARDED(counters);
    EXPECT_GUARDED(wisdom);
}

static int stop(void *user, const jr_tune_progress *progress) {
    *(int *)user += progress->size >= sizeof *progress && progress->candidate != NULL;
    return 1;
}

static jr_status run_nothing(void *user, uint64_t run, jr_stream stream) {
    (void)run, (void)stream;
    ++*(int *)user;
    return JR_OK;
}

static void use_tuning(jr_context *context) {
    const jr_spec sum = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32);
    int told = 0, runs = 0;
    double us[2];
    const jr_tune_options options = JR_INIT(jr_tune_options, .progress = stop, .user = &told);
    const jr_measure_options how = JR_INIT(jr_measure_options, .mode = JR_MEASURE_HOST, .rounds = 2);
    const jr_measured item = {run_nothing, &runs};
    GUARDED(jr_tuned, tuned);
    expect(jr_tune(context, &sum, 1000, &options, &tuned.it) == JR_OK && tuned.it.count == 1000, "a tuning");
    expect(told >= 1 && tuned.it.estimate.unroll > 0, "a tuning's progress");
    EXPECT_GUARDED(tuned);
    expect(jr_measure(context, &how, &item, 1, us, NULL) == JR_OK && runs > 2, "a measurement");
}

static void count_findings(void *user, const jr_finding *finding) {
    *(int *)user += finding->size >= sizeof *finding && finding->component[0] != '\0' && finding->detail != NULL;
}

int main(void) {
    const jr_options options = JR_INIT(jr_options, .device = "sim", .wisdom = "");
    const jr_spec wrong = JR_INIT(jr_spec, .op = JR_OP_XOR, .type = JR_F32);
    jr_context *context = NULL;
    int findings = 0;
    expect(jr_version_number() >= JR_VERSION_NUMBER, "the library is not older");
    expect(jr_doctor(&options, count_findings, &findings) == JR_OK && findings > 3, "findings are told");
    expect(jr_reduce_check(&wrong, NULL) == JR_ERROR_UNSUPPORTED_TYPE, "a wrong spec is refused");
    expect(jr_last_error()->status == JR_ERROR_UNSUPPORTED_TYPE && jr_last_error()->size >= sizeof(jr_error),
           "the last error is told");
    expect(jr_context_open(&options, &context) == JR_OK, "a context is opened");
    if (context != NULL) {
        use_specs(context);
        use_segments(context);
        use_plan(context);
        use_streams(context);
        use_kernel(context);
        use_context(context);
        use_tuning(context);
        use_hooks();
        use_forms(context);
    }
    jr_context_close(context);
    printf("%d passed, %d failed\n", passed, failed);
    return failed != 0;
}
