/* libjrsim.so as a library: its exports, and how it comes and goes with a process. */
#include <dlfcn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "loader/cuda_abi.h"
#include "support/fixtures/check.h"

extern const char sim_ptx[];

typedef struct api {
#define FIELD(need, name, parameters) jr_cu_result(*name) parameters;
    JR_DRIVER_FUNCTIONS(FIELD)
#undef FIELD
} api;

static void *open_library(void) {
    const char *path = getenv("JITREDUCE_SIM");
    void *library = dlopen(path ? path : "build/libjrsim.so", RTLD_NOW | RTLD_LOCAL);
    if (!library) print_message("%s\n", dlerror());
    return library;
}

/* Number of functions of the list that the library lacks. */
static int find_all(void *library, api *found) {
    int missing = 0;
#define FIND(need, name, parameters)                                                                                   \
    *(void **)&found->name = dlsym(library, #name);                                                                    \
    missing += found->name ? 0 : 1;
    JR_DRIVER_FUNCTIONS(FIND)
#undef FIND
    return missing;
}

TEST(every_function_of_the_list_is_exported) {
    api found = {0};
    void *library = open_library();
    assert_non_null(library);
    assert_int_equal(find_all(library, &found), 0);
    assert_non_null(dlsym(library, "jrsim_version"));
    assert_null(dlsym(library, "jrs_execute")); /* nothing else */
    assert_null(dlsym(library, "jr_setting_get"));
    dlclose(library);
}

/* Launches spin(flag, out) on mapped memory. Returns the flag, NULL on failure. */
static volatile unsigned *start(const api *cu) {
    jr_cu_context context;
    jr_cu_module module;
    jr_cu_function spin;
    void *words = NULL;
    if (cu->cuInit(0) || cu->cuCtxCreate_v2(&context, 0, 0) || cu->cuModuleLoadData(&module, sim_ptx) ||
        cu->cuModuleGetFunction(&spin, module, "spin") || cu->cuMemHostAlloc(&words, 8, 0))
        return NULL;
    volatile unsigned *flag = words;
    flag[0] = flag[1] = 0;
    jr_cu_deviceptr address = (uintptr_t)words, out = address + 4;
    void *parameters[] = {&address, &out};
    return cu->cuLaunchKernel(spin, 1, 1, 1, 1, 1, 1, 0, NULL, parameters, NULL) ? NULL : flag;
}

static int end_while_busy(void) {
    api cu = {0};
    void *library = open_library();
    return !library || find_all(library, &cu) || !start(&cu);
}

static int close_while_idle(void) {
    api cu = {0};
    void *library = open_library();
    if (!library || find_all(library, &cu)) return 1;
    volatile unsigned *flag = start(&cu);
    if (!flag) return 2;
    __atomic_store_n(flag, 1, __ATOMIC_RELEASE);
    if (cu.cuCtxSynchronize() || flag[1] != 1) return 3;
    dlclose(library);
    library = open_library(); /* still the same: it never left */
    if (!library || find_all(library, &cu) || cu.cuCtxSynchronize()) return 4;
    dlclose(library);
    return 0;
}

static int close_without_use(void) {
    void *library = open_library();
    return library ? dlclose(library) : 1;
}

static int use_in_a_fork(void) {
    api cu = {0};
    int status = 1, count = 0;
    void *library = open_library();
    if (!library || find_all(library, &cu) || cu.cuInit(0)) return 1;
    pid_t child = fork();
    if (child == 0) _exit(cu.cuDeviceGetCount(&count) == JR_CUDA_ERROR_NOT_INITIALIZED ? 0 : 7);
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

/* What cuInit returns under a setting. */
static int init_with(const char *variable, const char *value) {
    api cu = {0};
    void *library = open_library();
    if (!library || find_all(library, &cu) || setenv(variable, value, 1)) return -1;
    return cu.cuInit(0);
}

static int memory_is_no_number(void) {
    return init_with("JRSIM_MEMORY_BYTES", "abc") != JR_CUDA_ERROR_INVALID_VALUE;
}

static int threads_are_none(void) {
    return init_with("JRSIM_THREADS", "0") != JR_CUDA_ERROR_INVALID_VALUE;
}

static int rule_names_no_function(void) {
    return init_with("JRSIM_FAIL", "cuNothing") != JR_CUDA_ERROR_INVALID_VALUE;
}

static int rule_fails_the_first_call(void) {
    return init_with("JRSIM_FAIL", "*:1:100") != JR_CUDA_ERROR_NO_DEVICE;
}

/* Runs work in a process of its own, which ends through exit() with status 0; one that never ends is killed. */
static void ends_well(int (*work)(void)) {
    enum { HANGS_S = 300 };
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        alarm(HANGS_S);
        exit(work());
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

TEST(a_process_ends_while_a_kernel_runs) {
    ends_well(end_while_busy);
}

TEST(the_library_may_be_closed_after_use) {
    ends_well(close_while_idle);
}

TEST(the_library_may_be_closed_without_use) {
    ends_well(close_without_use);
}

TEST(a_forked_child_is_not_initialised) {
    ends_well(use_in_a_fork);
}

TEST(a_wrong_setting_is_not_passed_over) {
    ends_well(memory_is_no_number);
    ends_well(threads_are_none);
    ends_well(rule_names_no_function);
}

TEST(the_setting_gives_the_first_rule) {
    ends_well(rule_fails_the_first_call);
}

RUN_TESTS(NULL, NULL)
