/* The judge across simulated devices: what kernels of several devices do to one word at the same time is ordered by
 * releases and acquires of system scope, or it is a race. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "support/cases/sim_pair.h"

/* put(data, flag): *data = 7, then 1 into *flag by an instruction of the test's.
 * get(begun, flag, data): *begun = 1; waits by an instruction of the test's until *flag is not zero; data[1] = data[0].
 * read(begun, flag, data): waits for the host, and meanwhile each thread looks at its own word of data. */
static const char text[] =
    ".version 9.0\n.target sm_90\n.address_size 64\n"
    ".visible .entry put(.param .u64 p, .param .u64 q)\n"
    "{\n.reg .b64 %%rd<3>;\n.reg .b32 %%r<3>;\n"
    "ld.param.u64 %%rd1, [p];\nld.param.u64 %%rd2, [q];\n"
    "mov.u32 %%r1, 7;\nmov.u32 %%r2, 1;\n"
    "st.global.u32 [%%rd1], %%r1;\n"
    "%s [%%rd2], %%r2;\n"
    "ret;\n}\n"
    ".visible .entry get(.param .u64 p, .param .u64 q, .param .u64 s)\n"
    "{\n.reg .pred %%p1;\n.reg .b64 %%rd<4>;\n.reg .b32 %%r<4>;\n"
    "ld.param.u64 %%rd1, [p];\nld.param.u64 %%rd2, [q];\nld.param.u64 %%rd3, [s];\n"
    "mov.u32 %%r1, 1;\nst.volatile.global.u32 [%%rd1], %%r1;\n"
    "again:\n%s %%r2, [%%rd2];\nsetp.eq.u32 %%p1, %%r2, 0;\n@%%p1 bra again;\n"
    "ld.global.u32 %%r3, [%%rd3];\nst.global.u32 [%%rd3+4], %%r3;\n"
    "ret;\n}\n"
    ".visible .entry read(.param .u64 p, .param .u64 q, .param .u64 s)\n"
    "{\n.reg .pred %%p1;\n.reg .b64 %%rd<6>;\n.reg .b32 %%r<4>;\n"
    "ld.param.u64 %%rd1, [p];\nld.param.u64 %%rd2, [q];\nld.param.u64 %%rd3, [s];\n"
    "mov.u32 %%r1, %%tid.x;\nmul.wide.u32 %%rd4, %%r1, 4;\nadd.s64 %%rd5, %%rd3, %%rd4;\n"
    "mov.u32 %%r1, 1;\nst.volatile.global.u32 [%%rd1], %%r1;\n"
    "again:\nld.global.u32 %%r3, [%%rd5];\nld.volatile.global.u32 %%r2, [%%rd2];\nsetp.eq.u32 %%p1, %%r2, 0;\n"
    "@%%p1 bra again;\nret;\n}\n";

/* Words of one test: those of the host, and data and flag on device 0. */
typedef struct words {
    unsigned *host; /* [0], [1]: a kernel has begun; [2]: it may end */
    jr_cu_deviceptr data, flag;
    jr_cu_module modules[2];
} words;

static void begin_words(const sim_pair *pair, words *test, const char *store, const char *load) {
    char ptx[sizeof text + 100];
    void *host = NULL;
    snprintf(ptx, sizeof ptx, text, store, load);
    for (int k = 0; k < 2; k++) {
        sim_use(pair, k);
        good(cuModuleLoadData(&test->modules[k], ptx));
    }
    sim_permit(pair, 1, 0);
    sim_use(pair, 0);
    good(cuMemHostAlloc(&host, 64, JR_CU_HOST_DEVICE_MAP));
    memset(host, 0, 64);
    test->host = host;
    test->data = sim_alloc(256);
    test->flag = sim_alloc(256);
    good(cuMemsetD8_v2(test->data, 0, 256));
    good(cuMemsetD8_v2(test->flag, 0, 256));
    good(cuCtxSynchronize());
}

static void end_words(const sim_pair *pair, words *test) {
    for (int k = 0; k < 2; k++) {
        if (!pair->on[k].context) continue;
        sim_use(pair, k);
        good(cuModuleUnload(test->modules[k]));
    }
    if (!pair->on[0].context) return;
    sim_use(pair, 0);
    good(cuMemFree_v2(test->data));
    good(cuMemFree_v2(test->flag));
    good(cuMemFreeHost(test->host));
}

static uintptr_t host_word(const words *test, int index) {
    return (uintptr_t)&test->host[index];
}

static void wait_for(const unsigned *word) {
    const struct timespec pause = {0, 1000000};
    while (!__atomic_load_n(word, __ATOMIC_ACQUIRE)) nanosleep(&pause, NULL);
}

/* Starts a kernel of three words on one of the two, and waits until it runs. */
static void start(const sim_pair *pair, const words *test, int which, const char *name, jr_cu_deviceptr flag) {
    const unsigned threads = strcmp(name, "read") == 0 ? 32 : 1;
    jr_cu_deviceptr begun = host_word(test, which), data = test->data;
    void *parameters[] = {&begun, &flag, &data};
    jr_cu_function function = NULL;
    sim_use(pair, which);
    good(cuModuleGetFunction(&function, test->modules[which], name));
    good(cuLaunchKernel(function, 1, 1, 1, threads, 1, 1, 0, pair->streams[which], parameters, NULL));
    wait_for(&test->host[which]);
}

/* put, on one of the two, to its end. */
static int put(const sim_pair *pair, const words *test, int which, jr_cu_deviceptr flag) {
    jr_cu_deviceptr data = test->data;
    void *parameters[] = {&data, &flag};
    jr_cu_function function = NULL;
    sim_use(pair, which);
    good(cuModuleGetFunction(&function, test->modules[which], "put"));
    good(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, pair->streams[which], parameters, NULL));
    return cuStreamSynchronize(pair->streams[which]);
}

/* What device 1 waits for is written by device 0, after its data. */
static void try_pair(sim_pair *pair, const char *store, const char *load, const char *race) {
    words test;
    const char *said = NULL;
    begin_words(pair, &test, store, load);
    start(pair, &test, 1, "get", test.flag);
    const int error = put(pair, &test, 0, test.flag);
    __atomic_store_n((unsigned *)(uintptr_t)test.flag, 1, __ATOMIC_RELEASE); /* had put stopped, get still would wait */
    sim_use(pair, 1);
    const int error_of_get = cuStreamSynchronize(pair->streams[1]);
    if (!race) {
        good(error);
        good(error_of_get);
        assert_int_equal(sim_read(test.data + 4), 7);
    } else {
        fails(CUDA_ERROR_LAUNCH_FAILED, error);
        sim_use(pair, 0);
        good(cuGetErrorString(JR_CUDA_ERROR_LAUNCH_FAILED, &said));
        assert_int_equal(cuCtxSynchronize(), JR_CUDA_ERROR_LAUNCH_FAILED);
        good(cuGetErrorString(JR_CUDA_ERROR_LAUNCH_FAILED, &said));
        if (!strstr(said, "data race between devices") || !strstr(said, race)) fail_msg("%s", said);
        sim_abandon(pair, 1);
        sim_abandon(pair, 0);
    }
    end_words(pair, &test);
}

/* The first one, in a process of its own: the setting is read once. */
TEST(the_judge_may_be_told_to_look_away) {
    int status = 1;
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        void *pair = NULL;
        setenv("JRSIM_JUDGE", "off", 1);
        sim_pair_open(&pair);
        try_pair(pair, "st.global.u32", "ld.global.u32", NULL);
        _exit(sim_pair_close(&pair));
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

TEST_BETWEEN(a_plain_flag_is_a_race, sim_pair_open, sim_pair_close) {
    try_pair(*state, "st.global.u32", "ld.volatile.global.u32", "device 1 touched it");
}

TEST_BETWEEN(a_release_of_the_device_alone_is_a_race, sim_pair_open, sim_pair_close) {
    try_pair(*state, "st.release.gpu.global.u32", "ld.acquire.sys.global.u32", "not of system scope (.sys)");
}

TEST_BETWEEN(an_acquire_of_the_device_alone_is_a_race, sim_pair_open, sim_pair_close) {
    try_pair(*state, "st.release.sys.global.u32", "ld.acquire.gpu.global.u32", "device 1 touched it");
}

TEST_BETWEEN(an_atomic_of_the_device_alone_is_a_race, sim_pair_open, sim_pair_close) {
    try_pair(*state, "red.global.add.u32", "ld.acquire.sys.global.u32", "not of system scope (.sys)");
}

TEST_BETWEEN(a_release_and_an_acquire_of_the_system_order_the_data, sim_pair_open, sim_pair_close) {
    try_pair(*state, "st.release.sys.global.u32", "ld.acquire.sys.global.u32", NULL);
}

TEST_BETWEEN(volatile_accesses_order_the_data, sim_pair_open, sim_pair_close) {
    try_pair(*state, "st.volatile.global.u32", "ld.volatile.global.u32", NULL);
}

TEST_BETWEEN(an_atomic_of_the_system_orders_the_data, sim_pair_open, sim_pair_close) {
    try_pair(*state, "red.release.sys.global.add.u32", "ld.relaxed.sys.global.u32", NULL);
}

TEST_BETWEEN(data_that_another_device_reads_may_not_be_written, sim_pair_open, sim_pair_close) {
    sim_pair *pair = *state;
    words test;
    begin_words(pair, &test, "st.volatile.global.u32", "ld.volatile.global.u32");
    start(pair, &test, 1, "read", host_word(&test, 2));
    const int error = put(pair, &test, 0, test.flag);
    __atomic_store_n(&test.host[2], 1, __ATOMIC_RELEASE);
    sim_use(pair, 1);
    const int error_of_read = cuCtxSynchronize(); /* the later access is reported, whichever came first */
    assert_true(error == JR_CUDA_ERROR_LAUNCH_FAILED || error_of_read == JR_CUDA_ERROR_LAUNCH_FAILED);
    sim_abandon(pair, 1);
    sim_abandon(pair, 0);
    end_words(pair, &test);
}

TEST_BETWEEN(what_the_host_hands_on_is_ordered, sim_pair_open, sim_pair_close) {
    sim_pair *pair = *state;
    words test;
    begin_words(pair, &test, "st.volatile.global.u32", "ld.volatile.global.u32");
    start(pair, &test, 1, "get", host_word(&test, 2));
    good(put(pair, &test, 0, test.flag));
    __atomic_store_n(&test.host[2], 1, __ATOMIC_RELEASE); /* after it saw the end of put */
    sim_use(pair, 1);
    good(cuCtxSynchronize());
    assert_int_equal(sim_read(test.data + 4), 7);
    end_words(pair, &test);
}

TEST_BETWEEN(launches_one_after_the_other_are_ordered, sim_pair_open, sim_pair_close) {
    sim_pair *pair = *state;
    words test;
    begin_words(pair, &test, "st.global.u32", "ld.global.u32");
    for (int round = 0; round < 3; round++) {
        good(put(pair, &test, 0, test.flag));
        start(pair, &test, 1, "get", test.flag);
        sim_use(pair, 1);
        good(cuCtxSynchronize());
        good(put(pair, &test, 1, test.flag));
    }
    assert_int_equal(sim_read(test.data + 4), 7);
    end_words(pair, &test);
}

/* Device 0 puts, device 1 hands the flag on, device 2 gets. */
TEST_BETWEEN(order_goes_through_a_device_between, sim_pair_open, sim_pair_close) {
    sim_pair *pair = *state;
    words test;
    jr_cu_context third = NULL;
    jr_cu_module module = NULL;
    jr_cu_function get = NULL;
    char ptx[sizeof text + 100];
    begin_words(pair, &test, "st.release.sys.global.u32", "ld.acquire.sys.global.u32");
    snprintf(ptx, sizeof ptx, text, "st.release.sys.global.u32", "ld.acquire.sys.global.u32");
    good(cuCtxCreate_v2(&third, 0, 2));
    good(cuModuleLoadData(&module, ptx));
    good(cuModuleGetFunction(&get, module, "get"));
    good(cuCtxEnablePeerAccess(pair->on[0].context, 0));
    jr_cu_deviceptr second = test.flag + 128, begun = host_word(&test, 3), data = test.data, flag = test.flag;
    void *last[] = {&begun, &second, &data};
    good(cuLaunchKernel(get, 1, 1, 1, 1, 1, 1, 0, NULL, last, NULL));
    good(cuCtxPopCurrent_v2(NULL));
    wait_for(&test.host[3]);
    sim_use(pair, 1);
    void *between[] = {&flag, &second};
    jr_cu_function hand_on = NULL;
    jr_cu_module middle = NULL;
    good(cuModuleLoadData(&middle, ".version 9.0\n.target sm_90\n.address_size 64\n"
                                   ".visible .entry hand_on(.param .u64 p, .param .u64 q)\n"
                                   "{\n.reg .pred %p1;\n.reg .b64 %rd<3>;\n.reg .b32 %r<2>;\n"
                                   "ld.param.u64 %rd1, [p];\nld.param.u64 %rd2, [q];\n"
                                   "again:\nld.acquire.sys.global.u32 %r1, [%rd1];\nsetp.eq.u32 %p1, %r1, 0;\n"
                                   "@%p1 bra again;\nst.release.sys.global.u32 [%rd2], %r1;\nret;\n}\n"));
    good(cuModuleGetFunction(&hand_on, middle, "hand_on"));
    good(cuLaunchKernel(hand_on, 1, 1, 1, 1, 1, 1, 0, pair->streams[1], between, NULL));
    good(put(pair, &test, 0, test.flag));
    sim_use(pair, 1);
    good(cuCtxSynchronize());
    good(cuModuleUnload(middle));
    good(cuCtxPushCurrent_v2(third));
    good(cuCtxSynchronize());
    good(cuCtxDestroy_v2(third));
    sim_use(pair, 0);
    assert_int_equal(sim_read(test.data + 4), 7);
    end_words(pair, &test);
}

RUN_TESTS(sim_four_devices, NULL)
