/* Groups one of whose devices is lost, or has no memory left: each call fails and names the device, the others end, and
 * a second group of what is left works. A fault ends a context for the whole process, on GPUs perhaps others', too:
 * each test runs in a child, and this process never touches the driver. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "jitreduce.h"
#include "support/fixtures/check.h"
#include "support/fixtures/work.h"

enum { COUNT = 5003, ROWS = 7, NO_SECOND_DEVICE = 99 };

/* CMocka's assertions must not be used in a child: it prints what is not so, and ends with the line. */
#define EXPECT(condition)                                                                                              \
    do {                                                                                                               \
        if (!(condition)) return complain(#condition, __LINE__);                                                       \
    } while (0)

static int complain(const char *condition, int line) {
    fprintf(stderr, "line %d: not so: %s; the last error: %s\n", line, condition, jr_last_error()->message);
    return line % 90 + 1;
}

static bool on_simulator(void) {
    const char *device = getenv("JITREDUCE_DEVICE");
    return device == NULL || strncmp(device, "sim", 3) == 0;
}

/* Two devices with ones. */
typedef struct two {
    jr_group *group;
    void *d_in[2], *d_out[2];
    const void *arrays[2];
    const void *const *in[2];
    uint64_t counts[2];
    jr_group_parts parts;
} two;

static int two_open(two *of) {
    static int32_t ones[COUNT];
    const jr_group_options options = JR_INIT(jr_group_options, .devices = on_simulator() ? "sim:0,1" : "cuda:0,1");
    for (int i = 0; i < COUNT; i++) ones[i] = 1;
    *of = (two){.group = NULL};
    const jr_status status = jr_group_open(&options, &of->group);
    if (status == JR_ERROR_NO_DEVICE || status == JR_ERROR_INVALID_ARGUMENT) return NO_SECOND_DEVICE;
    EXPECT(status == JR_OK);
    for (size_t i = 0; i < 2; i++) {
        jr_context *context = jr_group_context(of->group, i);
        EXPECT(jr_memory_new(context, sizeof ones, &of->d_in[i]) == JR_OK);
        EXPECT(jr_memory_new(context, 2 * sizeof ones, &of->d_out[i]) == JR_OK);
        EXPECT(jr_memory_write(context, of->d_in[i], ones, sizeof ones) == JR_OK);
        of->arrays[i] = of->d_in[i];
        of->in[i] = &of->arrays[i];
        of->counts[i] = COUNT;
    }
    of->parts = JR_INIT(jr_group_parts, .d_in = of->in, .counts = of->counts);
    return 0;
}

static const jr_spec sum = {.size = sizeof(jr_spec), .op = JR_OP_SUM, .type = JR_I32};

/* All sorts of plans of a group. */
typedef struct plans {
    jr_group_plan *value, *scan, *rows;
    jr_allreduce *by_host;
} plans;

static int plans_make(jr_group *group, plans *made) {
    const jr_segment_layout row = JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_EQUAL, .length = ROWS);
    const jr_segment_layout layouts[] = {row, row};
    const jr_allreduce_options host = JR_INIT(jr_allreduce_options, .way = JR_ALLREDUCE_HOST);
    EXPECT(jr_work_group_plan_create(group, WORK(&sum), &made->value) == JR_OK);
    EXPECT(jr_work_group_plan_create(group, WORK(&sum, .kind = JR_WORK_SCAN_INCLUSIVE), &made->scan) == JR_OK);
    EXPECT(jr_work_group_plan_create(group, WORK(&sum, .layout = layouts), &made->rows) == JR_OK);
    EXPECT(jr_work_allreduce_create(group, WORK(&sum), &host, &made->by_host) == JR_OK);
    return 0;
}

static void plans_free(const plans *made) {
    jr_group_plan_destroy(made->value);
    jr_group_plan_destroy(made->scan);
    jr_group_plan_destroy(made->rows);
    jr_allreduce_destroy(made->by_host);
}

static int check_values(const two *of, const plans *made) {
    jr_value value;
    int64_t results[2], sums[COUNT];
    const uint64_t rows[] = {2, 2};
    jr_group_parts few = of->parts;
    few.counts = rows;
    EXPECT(group_values(made->value, of->parts, &value) == JR_OK && value.as.i64 == 2 * COUNT);
    EXPECT(group_results(made->rows, few, results) == JR_OK && results[1] == 2 * ROWS);
    EXPECT(jr_allreduce_run(made->by_host, &of->parts, of->d_out) == JR_OK);
    EXPECT(jr_allreduce_wait(made->by_host) == JR_OK);
    EXPECT(group_scans(made->scan, of->parts, of->d_out) == JR_OK);
    EXPECT(jr_stream_wait(jr_group_context(of->group, 1), NULL) == JR_OK);
    EXPECT(jr_memory_read(jr_group_context(of->group, 1), sums, of->d_out[1], sizeof sums) == JR_OK);
    EXPECT(sums[COUNT - 1] == 2 * COUNT);
    return 0;
}

/* ---- a device that is lost ---- */

static int lose(jr_context *context) {
    static const char source[] = "extern \"C\" __global__ void store(char *to) { *(volatile int *)to = 7; }\n";
    const jr_program program = JR_INIT(jr_program, .name = "store", .source = source, .entry = "store");
    const jr_launch launch = JR_INIT(jr_launch, .grid = {1}, .block = {1});
    uint64_t nowhere = 0x10;
    void *args[] = {&nowhere};
    jr_kernel *kernel = NULL;
    EXPECT(jr_kernel_get(context, &program, &kernel) == JR_OK);
    EXPECT(jr_kernel_launch(kernel, &launch, args) == JR_OK);
    EXPECT(jr_stream_wait(context, NULL) == JR_ERROR_DEVICE_FAULT);
    return 0;
}

/* On GPUs the error may name another device first, since a fault ends all of them; the simulator's devices do not end
 * together. */
static bool told(jr_status status) {
    const char *name = "device 1 of the group", *message = jr_last_error()->message;
    const bool alone = strncmp(message, name, strlen(name)) == 0 && strstr(message, "lost as well") == NULL;
    return status == JR_ERROR_DEVICE_FAULT && strstr(message, name) != NULL && (alone || !on_simulator());
}

static int check_lost(const two *of, const plans *made) {
    static int32_t numbers[COUNT];
    static int64_t sums[COUNT];
    const void *const arrays[] = {numbers};
    const uint64_t rows[] = {2, 2};
    jr_group_parts few = of->parts;
    jr_group_plan *none = NULL;
    jr_value value = {.as.i64 = 7};
    int64_t results[2] = {7, 7};
    few.counts = rows;
    EXPECT(told(group_values(made->value, of->parts, &value)) && value.as.i64 == 7);
    EXPECT(told(group_results(made->rows, few, results)) && results[0] == 7);
    EXPECT(told(jr_allreduce_run(made->by_host, &of->parts, of->d_out)));
    EXPECT(told(group_scans(made->scan, of->parts, of->d_out)));
    EXPECT(told(jr_work_group_host(of->group, WORK(&sum), DATA(.in = arrays, .count = COUNT, .values = &value))) &&
           value.as.i64 == 7);
    EXPECT(told(jr_work_group_host(of->group, WORK(&sum, .kind = JR_WORK_SCAN_INCLUSIVE),
                                   DATA(.in = arrays, .count = COUNT, .out = sums))));
    EXPECT(told(jr_work_group_plan_create(of->group, WORK(&sum), &none)) && none == NULL);
    return 0;
}

/* The first device still works, alone and in a second group. */
static int check_what_is_left(const two *of) {
    jr_context *left[] = {jr_group_context(of->group, 0), jr_group_context(of->group, 0)};
    const void *const *in[] = {of->in[0], of->in[0]};
    const jr_group_parts parts = JR_INIT(jr_group_parts, .d_in = in, .counts = of->counts);
    void *const out[] = {of->d_out[0], (int32_t *)of->d_out[0] + 2 * 1000};
    const uint64_t few[] = {999, 999};
    jr_group *group = NULL;
    plans made = {0};
    jr_value value;
    EXPECT(jr_group_open(&JR_INIT(jr_group_options, .contexts = left, .context_count = 2), &group) == JR_OK);
    int failed = plans_make(group, &made);
    if (failed) return failed;
    EXPECT(group_values(made.value, parts, &value) == JR_OK && value.as.i64 == 2 * COUNT);
    EXPECT(jr_work_group_plan_run(made.scan, PARTS(.d_in = in, .counts = few, .d_out = out)) == JR_OK);
    EXPECT(jr_stream_wait(left[0], NULL) == JR_OK);
    plans_free(&made);
    jr_group_close(group);
    return 0;
}

static int check_both_are_lost(const two *of, const plans *made) {
    jr_value value = {.as.i64 = 7};
    const char *message = jr_last_error()->message;
    EXPECT(group_values(made->value, of->parts, &value) == JR_ERROR_DEVICE_FAULT && value.as.i64 == 7);
    EXPECT(strstr(message, "device 0 of") != NULL && strstr(message, "device 1 of") != NULL);
    EXPECT(jr_allreduce_run(made->by_host, &of->parts, of->d_out) == JR_ERROR_DEVICE_FAULT);
    EXPECT(strstr(message, "lost as well: device ") != NULL);
    return 0;
}

static int check_after_loss(const two *of, const plans *made) {
    const jr_status status = jr_stream_wait(jr_group_context(of->group, 0), NULL);
    EXPECT(status == JR_OK || (status == JR_ERROR_DEVICE_FAULT && !on_simulator()));
    int failed = status == JR_OK ? check_what_is_left(of) : 0;
    if (!failed && status == JR_OK) failed = lose(jr_group_context(of->group, 0));
    return failed ? failed : check_both_are_lost(of, made);
}

static int begin(two *of, plans *made) {
    *made = (plans){0};
    int failed = two_open(of);
    if (!failed) failed = plans_make(of->group, made);
    return failed ? failed : check_values(of, made);
}

static int end(const two *of, const plans *made, int failed) {
    plans_free(made);
    jr_group_close(of->group);
    return failed;
}

static int lose_a_device(void) {
    two of;
    plans made;
    int failed = begin(&of, &made);
    if (!failed) failed = lose(jr_group_context(of.group, 1));
    if (!failed) failed = check_lost(&of, &made);
    if (!failed) failed = check_after_loss(&of, &made);
    return end(&of, &made, failed);
}

static int work_on_both(void) {
    two of;
    plans made;
    return end(&of, &made, begin(&of, &made));
}

/* ---- a device whose memory is full ---- */

/* Takes all that there is, down to pieces of 4 KiB. */
static int fill(jr_context *context, void **pieces, int *count) {
    enum { MOST = 4096 };
    for (size_t bytes = (size_t)1 << 40; bytes >= 4096 && *count < MOST;)
        if (jr_memory_new(context, bytes, &pieces[*count]) == JR_OK)
            ++*count;
        else
            bytes /= 2;
    EXPECT(*count < MOST);
    return 0;
}

/* A plan of another algorithm needs to load a module, and a workspace as large as the data: there is no memory for
 * it. */
static int fill_a_device(void) {
    static void *pieces[4096];
    const jr_spec large =
        JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32, .algorithm = JR_ALGORITHM_STRIDED, .capacity = 1 << 20);
    two of;
    plans made;
    jr_group_plan *none = NULL;
    int count = 0, failed = begin(&of, &made);
    if (!failed) failed = fill(jr_group_context(of.group, 1), pieces, &count);
    if (failed) return failed;
    EXPECT(jr_work_group_plan_create(of.group, WORK(&large), &none) != JR_OK && none == NULL);
    EXPECT(strstr(jr_last_error()->message, "device 1 of the group") != NULL);
    EXPECT(strcasestr(jr_last_error()->message, "memory") != NULL);
    failed = check_values(&of, &made); /* the plan that was made still works */
    while (count > 0) jr_memory_free(jr_group_context(of.group, 1), pieces[--count]);
    if (!failed) {
        EXPECT(jr_work_group_plan_create(of.group, WORK(&large), &none) == JR_OK);
        jr_group_plan_destroy(none);
    }
    return end(&of, &made, failed);
}

/* ---- children ---- */

static void child_sees_what_it_should(int (*task)(void)) {
    int status = 0;
    fflush(NULL);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) _exit(task());
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    if (WEXITSTATUS(status) == NO_SECOND_DEVICE) skip_because("a machine with 2 devices is needed\n");
    assert_int_equal(WEXITSTATUS(status), 0);
}

TEST(a_lost_device_is_named_and_the_others_go_on) {
    const char *sanitizer = getenv("SANITIZER");
    if (sanitizer != NULL && *sanitizer != '\0')
        skip_because("its fault is planted, and compute-sanitizer would report it\n");
    child_sees_what_it_should(lose_a_device);
    child_sees_what_it_should(work_on_both);
}

TEST(a_device_without_memory_is_named_and_works_when_there_is_some) {
    child_sees_what_it_should(fill_a_device);
}

static int set_devices(void **state) {
    (void)state;
    return setenv("JRSIM_DEVICES", "2", 1) != 0 || setenv("JRSIM_MEMORY_BYTES", "67108864", 1) != 0 ? -1 : 0;
}

RUN_TESTS(set_devices, NULL)
