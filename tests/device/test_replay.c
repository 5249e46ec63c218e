/* Launches that are captured into files: what they hold, and what is left alone when they cannot be. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/fixtures/kernel_case.h"
#include "support/fixtures/scratch.h"

static char folder[SCRATCH_BYTES], wish[2 * SCRATCH_BYTES];
static int told; /* launches that the log says were not captured */
static char last[512];

static void listen(void *user, jr_log_level level, const char *text) {
    (void)user;
    if (level != JR_LOG_WARNING || strstr(text, "captured") == NULL) return;
    __atomic_add_fetch(&told, 1, __ATOMIC_RELAXED);
    snprintf(last, sizeof last, "%s", text);
}

static int begin(void **state) {
    scratch_make(folder);
    told = 0;
    last[0] = '\0';
    snprintf(wish, sizeof wish, "%s/launches:saxpy*", folder);
    if (setenv("JITREDUCE_CAPTURE", wish, 1) != 0) return -1;
    const int result = open_context(state);
    jr_log_set(listen, NULL);
    return result;
}

static int end(void **state) {
    jr_log_set(NULL, NULL);
    unsetenv("JITREDUCE_CAPTURE");
    unsetenv("JITREDUCE_CAPTURE_COUNT");
    scratch_remove(folder);
    return close_context(state);
}

static jr_kernel *saxpy(const opened *device) {
    static const jr_named_text factor = {"A", "3"};
    const jr_program program = JR_INIT(jr_program, .name = "saxpy.cu", .source = saxpy_source, .entry = "saxpy",
                                       .constants = &factor, .constant_count = 1);
    return kernel_new(device, &program);
}

static const char *captures(void) {
    return scratch_path(folder, "launches");
}

static jr_replay *read_first(void) {
    jr_replay *replay = NULL;
    works(jr_replay_open(scratch_path(folder, "launches/saxpy.1.jrlaunch"), &replay));
    return replay;
}

TEST_BETWEEN(a_launch_is_held_with_its_program_and_its_data, begin, end) {
    const opened *device = *state;
    saxpy_multiplies_by(device, saxpy(device), 3);
    assert_int_equal(told, 0);
    assert_int_equal(scratch_count(captures()), 1);
    jr_replay *replay = read_first();
    jr_replay_info info = JR_INIT(jr_replay_info);
    jr_replay_buffer buffer;
    works(jr_replay_look(replay, &info));
    assert_string_equal(info.device, device->info.name);
    assert_string_equal(info.failure, "");
    assert_string_equal(jr_replay_program(replay)->source, saxpy_source);
    assert_string_equal(jr_replay_program(replay)->constants[0].text, "3");
    int changed = 0;
    for (uint64_t i = 0; i < info.buffer_count; i++) {
        works(jr_replay_buffer_get(replay, i, &buffer));
        if (buffer.before == buffer.after) continue;
        changed++;
        for (int k = 0; k < 1000; k++) {
            float before, after; /* the bytes lie in a file at any place */
            memcpy(&before, (const char *)buffer.before + sizeof before * (size_t)k, sizeof before);
            memcpy(&after, (const char *)buffer.after + sizeof after * (size_t)k, sizeof after);
            assert_true(before == 1);
            assert_true(after == 3 * (float)k + 1);
        }
    }
    assert_int_equal(changed, 1);
    jr_replay_close(replay);
}

TEST_BETWEEN(kernels_of_other_names_are_not_captured, begin, end) {
    const opened *device = *state;
    const jr_program program =
        JR_INIT(jr_program, .name = "other.cu", .source = "extern \"C\" __global__ void other(int *o) { *o = 7; }\n",
                .entry = "other");
    assert_int_equal(kernel_answer(device, kernel_new(device, &program)), 7);
    assert_int_equal(scratch_count(captures()), 0);
}

TEST_BETWEEN(reductions_are_not_captured, begin, end) {
    const opened *device = *state;
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32);
    const int data[] = {1, 2, 3};
    jr_value value;
    snprintf(wish, sizeof wish, "%s/launches", folder);
    assert_int_equal(setenv("JITREDUCE_CAPTURE", wish, 1), 0);
    jr_context *all = NULL;
    works(jr_context_open(NULL, &all));
    works(jr_reduce_host(all, &spec, data, 3, &value));
    assert_int_equal(value.as.i32, 6);
    jr_context_close(all);
    (void)device;
    assert_int_equal(scratch_count(captures()), 0);
}

TEST_BETWEEN(no_more_files_are_written_than_are_allowed, begin, end) {
    const opened *device = *state;
    jr_context *few = NULL;
    assert_int_equal(setenv("JITREDUCE_CAPTURE_COUNT", "3", 1), 0);
    opened other = *device;
    works(jr_context_open(NULL, &few));
    other.context = few;
    jr_kernel *kernel = saxpy(&other);
    for (int i = 0; i < 6; i++) saxpy_multiplies_by(&other, kernel, 3);
    assert_int_equal(scratch_count(captures()), 3);
    assert_int_equal(told, 1);
    assert_non_null(strstr(last, "JITREDUCE_CAPTURE_COUNT allows 3"));
    jr_context_close(few);
}

TEST_BETWEEN(a_stream_that_becomes_a_graph_is_left_alone, begin, end) {
    const opened *device = *state;
    jr_kernel *kernel = saxpy(device);
    float *d_x = device_new(device, 4 * sizeof *d_x), *d_y = device_new(device, 4 * sizeof *d_y), y[4];
    const float ones[] = {1, 1, 1, 1};
    int n = 4;
    void *args[] = {&n, &d_x, &d_y};
    device_write(device, d_x, ones, sizeof ones);
    device_write(device, d_y, ones, sizeof ones);
    jr_stream stream = stream_new(device);
    graph_begin(device, stream);
    works(jr_kernel_launch(kernel, &JR_INIT(jr_launch, .grid = {1}, .block = {32}, .stream = stream), args));
    jr_cu_graph_exec graph = graph_end(device, stream);
    assert_int_equal(scratch_count(captures()), 0);
    assert_int_equal(told, 1);
    assert_non_null(strstr(last, "a stream is being captured into a graph"));
    drives(device->driver.cuGraphLaunch(graph, stream));
    stream_wait(device, stream);
    device_read(device, y, d_y, sizeof y);
    assert_true(y[3] == 4);
    graph_free(device, graph);
    stream_free(device, stream);
}

TEST_BETWEEN(a_folder_that_is_gone_costs_no_call, begin, end) {
    const opened *device = *state;
    jr_kernel *kernel = saxpy(device);
    scratch_remove(captures());
    saxpy_multiplies_by(device, kernel, 3);
    assert_int_equal(told, 1);
    scratch_folder(captures());
}

TEST_BETWEEN(a_launch_that_is_refused_is_not_captured, begin, end) {
    const opened *device = *state;
    jr_kernel *kernel = saxpy(device);
    int n = 0;
    float *none = NULL;
    void *args[] = {&n, &none, &none};
    fails(jr_kernel_launch(kernel, &JR_INIT(jr_launch, .grid = {1}, .block = {2048}), args), JR_ERROR_LAUNCH_RESOURCES,
          "2048 threads");
    assert_int_equal(scratch_count(captures()), 0);
    assert_int_equal(told, 1);
}

enum { THREADS = 4, LAUNCHES = 3 };

static void *launch_some(void *user) {
    const opened *device = user;
    float *d_x, *d_y;
    int n = 4;
    void *memory[2];
    for (int i = 0; i < 2; i++)
        if (jr_memory_new(device->context, 4 * sizeof(float), &memory[i]) != JR_OK) return user;
    d_x = memory[0];
    d_y = memory[1];
    void *args[] = {&n, &d_x, &d_y}, *failed = NULL;
    const float ones[] = {1, 1, 1, 1};
    if (jr_memory_write(device->context, d_x, ones, sizeof ones) != JR_OK) failed = user;
    if (jr_memory_write(device->context, d_y, ones, sizeof ones) != JR_OK) failed = user;
    jr_kernel *kernel = NULL;
    static const jr_named_text factor = {"A", "3"};
    const jr_program program = JR_INIT(jr_program, .name = "saxpy.cu", .source = saxpy_source, .entry = "saxpy",
                                       .constants = &factor, .constant_count = 1);
    if (jr_kernel_get(device->context, &program, &kernel) != JR_OK) failed = user;
    for (int i = 0; failed == NULL && i < LAUNCHES; i++)
        if (jr_kernel_launch(kernel, &JR_INIT(jr_launch, .grid = {1}, .block = {32}), args) != JR_OK) failed = user;
    for (int i = 0; i < 2; i++) jr_memory_free(device->context, memory[i]);
    return failed;
}

TEST_BETWEEN(threads_capture_at_once, begin, end) {
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++) assert_int_equal(pthread_create(&threads[i], NULL, launch_some, *state), 0);
    for (int i = 0; i < THREADS; i++) {
        void *failed = NULL;
        pthread_join(threads[i], &failed);
        assert_null(failed);
    }
    assert_int_equal(told, 0);
    assert_int_equal(scratch_count(captures()), THREADS * LAUNCHES);
    for (int i = 1; i <= THREADS * LAUNCHES; i++) {
        char name[64];
        jr_replay *replay = NULL;
        snprintf(name, sizeof name, "launches/saxpy.%d.jrlaunch", i);
        works(jr_replay_open(scratch_path(folder, name), &replay));
        jr_replay_close(replay);
    }
}

RUN_TESTS(NULL, NULL)
