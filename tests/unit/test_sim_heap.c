/* The heap of malloc in kernels as the driver has it: its size, which context owns it, how long allocations live, and
 * that leaks are reported. The expected sizes and errors are those of an H100. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/cases/sim_case.h"

static const char ptx[] =
    ".version 9.0\n.target sm_90\n.address_size 64\n.extern .func (.param .b64 r) malloc (.param .b64 a);\n"
    ".extern .func free (.param .b64 a);\n"
    /* take(p): p[1] = malloc(p[0]) */
    ".visible .entry take(.param .u64 p) { .reg .b64 %d<4>; .param .b64 a; .param .b64 r; ld.param.u64 %d1, [p];\n"
    " ld.global.u64 %d2, [%d1]; st.param.b64 [a], %d2; call.uni (r), malloc, (a); ld.param.b64 %d3, [r];\n"
    " st.global.u64 [%d1+8], %d3; ret; }\n"
    /* give(p): free(p[1]) */
    ".visible .entry give(.param .u64 p) { .reg .b64 %d<4>; .param .b64 a; ld.param.u64 %d1, [p];\n"
    " ld.global.u64 %d2, [%d1+8]; st.param.b64 [a], %d2; call.uni free, (a); ret; }\n"
    /* keep(p): *p[1] = p[0]; look(p): p[0] = *p[1] */
    ".visible .entry keep(.param .u64 p) { .reg .b64 %d<4>; ld.param.u64 %d1, [p]; ld.global.u64 %d2, [%d1];\n"
    " ld.global.u64 %d3, [%d1+8]; st.u64 [%d3], %d2; ret; }\n"
    ".visible .entry look(.param .u64 p) { .reg .b64 %d<4>; ld.param.u64 %d1, [p]; ld.global.u64 %d3, [%d1+8];\n"
    " ld.u64 %d2, [%d3]; st.global.u64 [%d1], %d2; ret; }\n";
static const char plain[] = ".version 9.0\n.target sm_90\n.address_size 64\n.visible .entry nothing(.param .u64 p)"
                            " { ret; }\n";

static char path[] = "/tmp/jrsim_heap_XXXXXX";

/* The lines reported since the last call. */
static const char *told(void) {
    static char text[1 << 14];
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    assert_int_equal(truncate(path, 0), 0);
    return text;
}

/* A context of a test's own, with the module and two words of memory. */
typedef struct own {
    jr_cu_context context;
    jr_cu_module module;
    jr_cu_deviceptr words;
} own;

static own own_open(void) {
    own made;
    good(cuCtxCreate_v2(&made.context, 0, 0));
    good(cuModuleLoadData(&made.module, ptx));
    made.words = sim_alloc(16);
    return made;
}

static void own_close(const own *made) {
    good(cuCtxDestroy_v2(made->context));
}

static int run(const own *in, const char *kernel) {
    jr_cu_function function;
    good(cuModuleGetFunction(&function, in->module, kernel));
    const int error = sim_launch(function, NULL, in->words);
    return error ? error : cuCtxSynchronize();
}

static void put(const own *in, uint64_t value) {
    good(cuMemcpyHtoD_v2(in->words, &value, sizeof value));
}

static uint64_t word(const own *in, unsigned index) {
    uint64_t value = 0;
    good(cuMemcpyDtoH_v2(&value, in->words + 8 * index, sizeof value));
    return value;
}

static uint64_t take(const own *in, uint64_t bytes) {
    put(in, bytes);
    good(run(in, "take"));
    return word(in, 1);
}

static size_t limit(void) {
    size_t bytes = 0;
    good(cuCtxGetLimit(&bytes, JR_CU_LIMIT_MALLOC_HEAP_BYTES));
    return bytes;
}

TEST(the_heap_has_the_size_that_was_set) {
    const own in = own_open();
    assert_int_equal(limit(), 8 << 20);
    static const struct {
        size_t wanted, got;
    } sizes[] = {
        {0, 4 << 20}, {1, 4 << 20}, {4 << 20, 4 << 20}, {(8 << 20) + 1, (8 << 20) + 65536}, {1 << 24, 1 << 24}};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        good(cuCtxSetLimit(JR_CU_LIMIT_MALLOC_HEAP_BYTES, sizes[k].wanted));
        assert_int_equal(limit(), sizes[k].got);
    }
    assert_int_not_equal(take(&in, 12 << 20), 0);
    assert_int_equal(take(&in, 12 << 20), 0);
    own_close(&in);
    const own next = own_open(); /* another context has its own */
    assert_int_equal(limit(), 8 << 20);
    assert_int_equal(take(&next, 12 << 20), 0);
    own_close(&next);
    told();
}

/* More than the device has can be set, and is not to be had. */
TEST(a_heap_that_is_too_large_fails_the_launch) {
    const own in = own_open();
    size_t total = 0, left = 0;
    sim_alloc(1 << 20);
    good(cuMemGetInfo_v2(&left, &total));
    good(cuCtxSetLimit(JR_CU_LIMIT_MALLOC_HEAP_BYTES, SIZE_MAX));
    assert_in_range(limit(), total - 65536, total);
    fails(CUDA_ERROR_OUT_OF_MEMORY, run(&in, "take"));
    good(cuCtxSetLimit(JR_CU_LIMIT_MALLOC_HEAP_BYTES, 8 << 20));
    assert_int_not_equal(take(&in, 100), 0);
    good(run(&in, "give"));
    own_close(&in);
}

TEST(the_size_is_settled_by_the_first_launch_that_may_allocate) {
    jr_cu_module other;
    jr_cu_function nothing;
    const own in = own_open();
    good(cuModuleLoadData(&other, plain));
    good(cuModuleGetFunction(&nothing, other, "nothing"));
    good(sim_launch(nothing, NULL, in.words));
    good(cuCtxSetLimit(JR_CU_LIMIT_MALLOC_HEAP_BYTES, 16 << 20));
    take(&in, 8);
    good(run(&in, "give"));
    fails(CUDA_ERROR_INVALID_VALUE, cuCtxSetLimit(JR_CU_LIMIT_MALLOC_HEAP_BYTES, 32 << 20));
    fails(CUDA_ERROR_INVALID_VALUE, cuCtxSetLimit(JR_CU_LIMIT_MALLOC_HEAP_BYTES, 16 << 20));
    good(cuModuleUnload(in.module));
    fails(CUDA_ERROR_INVALID_VALUE, cuCtxSetLimit(JR_CU_LIMIT_MALLOC_HEAP_BYTES, 16 << 20));
    assert_int_equal(limit(), 16 << 20);
    own_close(&in);
}

TEST(other_limits_are_not_known) {
    size_t value = 7;
    jr_cu_context current;
    fails(CUDA_ERROR_UNSUPPORTED_LIMIT, cuCtxGetLimit(&value, 0));
    fails(CUDA_ERROR_UNSUPPORTED_LIMIT, cuCtxSetLimit(3, 1));
    fails(CUDA_ERROR_INVALID_VALUE, cuCtxSetLimit(99, 1));
    fails(CUDA_ERROR_INVALID_VALUE, cuCtxGetLimit(&value, -1));
    fails(CUDA_ERROR_INVALID_VALUE, cuCtxGetLimit(NULL, JR_CU_LIMIT_MALLOC_HEAP_BYTES));
    assert_int_equal(value, 7);
    good(cuCtxPopCurrent_v2(&current));
    fails(CUDA_ERROR_INVALID_CONTEXT, cuCtxGetLimit(&value, JR_CU_LIMIT_MALLOC_HEAP_BYTES));
    fails(CUDA_ERROR_INVALID_CONTEXT, cuCtxSetLimit(JR_CU_LIMIT_MALLOC_HEAP_BYTES, 1));
    good(cuCtxPushCurrent_v2(current));
}

/* Over launches, and when every module is gone. */
TEST(what_is_allocated_lives_until_it_is_freed) {
    own in = own_open();
    const uint64_t address = take(&in, 64);
    put(&in, 4711);
    good(run(&in, "keep"));
    good(cuModuleUnload(in.module));
    good(cuModuleLoadData(&in.module, ptx));
    put(&in, 0);
    good(run(&in, "look"));
    assert_int_equal(word(&in, 0), 4711);
    assert_int_equal(word(&in, 1), address);
    good(run(&in, "give"));
    told();
    own_close(&in);
    assert_string_equal(told(), "");
}

TEST(misuse_in_a_later_launch_is_told) {
    static const struct {
        const char *kernel;
        int error;
        const char *words;
    } cases[] = {{"give", JR_CUDA_ERROR_LAUNCH_FAILED, "freed twice: kernel give, PTX line 10"},
                 {"look", JR_CUDA_ERROR_ILLEGAL_ADDRESS, "use after free: kernel look, PTX line 14"},
                 {"keep", JR_CUDA_ERROR_ILLEGAL_ADDRESS, "0 bytes into 64 bytes at 0x"}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const char *text = NULL;
        const own in = own_open();
        take(&in, 100);
        take(&in, 64);
        good(run(&in, "give"));
        const int error = run(&in, cases[k].kernel);
        assert_int_equal(error, cases[k].error);
        good(cuGetErrorString(error, &text));
        if (!strstr(text, cases[k].words)) fail_msg("%s", text);
        assert_non_null(strstr(text, "that kernel take, PTX line 7 allocated and kernel give, PTX line 10 freed"));
        told();
        own_close(&in);
        assert_string_equal(told(), ""); /* no leaks where a kernel was stopped */
    }
}

/* The host cannot reach it, as the manual says. */
TEST(the_host_cannot_reach_it) {
    uint64_t value = 0;
    unsigned type = 0;
    const own in = own_open();
    const jr_cu_deviceptr address = take(&in, 64);
    fails(CUDA_ERROR_INVALID_VALUE, cuMemcpyDtoH_v2(&value, address, 8));
    fails(CUDA_ERROR_INVALID_VALUE, cuMemcpyHtoD_v2(address, &value, 8));
    fails(CUDA_ERROR_INVALID_VALUE, cuMemcpyDtoD_v2(in.words, address, 8));
    fails(CUDA_ERROR_INVALID_VALUE, cuMemFree_v2(address));
    fails(CUDA_ERROR_INVALID_VALUE, cuPointerGetAttribute(&type, JR_CU_POINTER_MEMORY_TYPE, address));
    good(run(&in, "give"));
    own_close(&in);
}

/* What another context's kernel allocated can be used on the same device, and freed by its own alone. */
TEST(a_heap_is_of_one_context) {
    uint64_t address;
    const own one = own_open();
    address = take(&one, 64);
    put(&one, 12);
    good(run(&one, "keep"));
    const own two = own_open();
    good(cuMemcpyHtoD_v2(two.words + 8, &address, sizeof address));
    good(run(&two, "look"));
    assert_int_equal(word(&two, 0), 12);
    fails(CUDA_ERROR_ILLEGAL_ADDRESS, run(&two, "give"));
    own_close(&two);
    good(run(&one, "give"));
    own_close(&one);
    const own three = own_open(); /* its memory went with its context */
    good(cuMemcpyHtoD_v2(three.words + 8, &address, sizeof address));
    fails(CUDA_ERROR_ILLEGAL_ADDRESS, run(&three, "look"));
    own_close(&three);
}

TEST(leaks_are_told_when_the_context_goes) {
    told();
    const own in = own_open();
    for (int k = 0; k < 3; k++) take(&in, 50);
    good(run(&in, "give"));
    assert_string_equal(told(), "");
    own_close(&in);
    assert_non_null(strstr(told(),
                           "memory leak: 2 allocations, 100 bytes, that kernel take, PTX line 7 allocated and did "
                           "not free"));
}

int main(void) {
    const int file = mkstemp(path);
    if (file < 0) return 1;
    close(file);
    setenv("JRSIM_LOG", path, 1);
    const int failed = check_run(sim_open, sim_close);
    unlink(path);
    return failed;
}
