/* Faults of the simulator: asynchronous, sticky, reported with their place; and injected failures. */
#include <stdio.h>
#include <string.h>

#include "support/cases/sim_case.h"

/* Gives the context up without asking: it has faulted. */
static void abandon(sim_case *sim) {
    good(cuCtxDestroy_v2(sim->context));
    sim->context = NULL;
    sim->module = NULL;
}

TEST_BETWEEN(a_fault_is_told_later_and_stays, sim_open, sim_close) {
    sim_case *sim = *state;
    const char *text = NULL;
    int local = 0;
    jr_cu_event event = NULL;
    jr_cu_deviceptr address = sim_alloc(4), other = 0;
    good(cuEventCreate(&event, 0));
    good(sim_launch(sim_function(sim, "poke"), NULL, address + 4)); /* the launch itself succeeds */
    fails(CUDA_ERROR_ILLEGAL_ADDRESS, cuCtxSynchronize());
    fails(CUDA_ERROR_ILLEGAL_ADDRESS, cuStreamSynchronize(NULL));
    fails(CUDA_ERROR_ILLEGAL_ADDRESS, cuMemAlloc_v2(&other, 4));
    fails(CUDA_ERROR_ILLEGAL_ADDRESS, cuMemFree_v2(address));
    fails(CUDA_ERROR_ILLEGAL_ADDRESS, cuMemcpyDtoH_v2(&local, address, 4));
    fails(CUDA_ERROR_ILLEGAL_ADDRESS, cuEventQuery(event));
    fails(CUDA_ERROR_ILLEGAL_ADDRESS, cuModuleUnload(sim->module));
    good(cuGetErrorString(JR_CUDA_ERROR_ILLEGAL_ADDRESS, &text));
    assert_int_equal(strncmp(text, "an illegal memory access was encountered: ", 42), 0);
    assert_non_null(strstr(text, "poke"));
    good(cuGetErrorString(JR_CUDA_ERROR_LAUNCH_TIMEOUT, &text)); /* others keep their sentence */
    assert_string_equal(text, "the launch timed out and was terminated");
    abandon(sim);
}

TEST_BETWEEN(other_contexts_go_on, sim_open, sim_close) {
    sim_case *sim = *state;
    jr_cu_context second = NULL;
    good(cuCtxCreate_v2(&second, 0, 0));
    jr_cu_deviceptr address = sim_alloc(4);
    good(cuMemsetD32_v2(address, 8, 1));
    good(cuCtxPushCurrent_v2(sim->context));
    good(sim_launch(sim_function(sim, "poke"), NULL, 16));
    fails(CUDA_ERROR_ILLEGAL_ADDRESS, cuCtxSynchronize());
    good(cuCtxPopCurrent_v2(NULL));
    assert_int_equal(sim_read(address), 8);
    good(cuMemFree_v2(address));
    good(cuCtxSynchronize());
    good(cuCtxDestroy_v2(second));
    abandon(sim);
}

TEST_BETWEEN(a_freed_block_is_told_as_such, sim_open, sim_close) {
    sim_case *sim = *state;
    const char *text = NULL;
    static const size_t sizes[] = {64, 1 << 20};
    jr_cu_context context = NULL;
    for (int i = 0; i < 2; i++) {
        good(cuCtxCreate_v2(&context, 0, 0));
        sim_case inner = {.context = context};
        good(cuModuleLoadData(&inner.module, sim_ptx));
        jr_cu_deviceptr address = sim_alloc(sizes[i]);
        good(cuMemFree_v2(address));
        good(sim_launch(sim_function(&inner, "poke"), NULL, address));
        fails(CUDA_ERROR_ILLEGAL_ADDRESS, cuCtxSynchronize());
        good(cuGetErrorString(JR_CUDA_ERROR_ILLEGAL_ADDRESS, &text));
        assert_true(strstr(text, "free") != NULL);
        good(cuCtxDestroy_v2(context));
    }
    good(cuCtxSynchronize());
    assert_ptr_equal(sim_function(sim, "poke"), sim_function(sim, "poke"));
}

TEST_BETWEEN(the_primary_context_is_well_after_its_reset, sim_open, sim_close) {
    jr_cu_context primary = NULL;
    sim_case inner = {0};
    for (int round = 0; round < 2; round++) {
        good(cuDevicePrimaryCtxRetain(&primary, 0));
        good(cuCtxPushCurrent_v2(primary));
        good(cuModuleLoadData(&inner.module, sim_ptx));
        good(sim_launch(sim_function(&inner, "poke"), NULL, 4096));
        fails(CUDA_ERROR_ILLEGAL_ADDRESS, cuCtxSynchronize());
        good(cuCtxPopCurrent_v2(NULL));
        good(cuDevicePrimaryCtxRelease_v2(0));
    }
}

TEST_BETWEEN(work_after_a_fault_is_not_done, sim_open, sim_close) {
    sim_case *sim = *state;
    unsigned *words = NULL;
    jr_cu_context second = NULL;
    good(cuCtxCreate_v2(&second, 0, 0));
    good(cuMemHostAlloc((void **)&words, 4, 0));
    words[0] = 1;
    good(cuCtxPushCurrent_v2(sim->context));
    sim_busy busy;
    sim_hold(sim, &busy, NULL);
    good(sim_launch(sim_function(sim, "poke"), NULL, 8));
    good(sim_fill(sim, NULL, (uintptr_t)words, 1, 2));
    __atomic_store_n(&busy.words[0], 1, __ATOMIC_RELEASE);
    fails(CUDA_ERROR_ILLEGAL_ADDRESS, cuCtxSynchronize());
    assert_int_equal(words[0], 1);
    abandon(sim);
    good(cuMemFreeHost(words));
    good(cuCtxDestroy_v2(second));
}

TEST_BETWEEN(rules_that_are_none_are_refused, sim_open, sim_close) {
    static const char *const wrong[] = {
        "cuNothing", ":1", "cuMemAlloc:x", "cuMemAlloc:1:0", "cuMemAlloc:1:2:3", "cuMemAlloc:-1", "cuMemAlloc_v", "**"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) fails(CUDA_ERROR_INVALID_VALUE, jrsim_fail(wrong[i]));
    assert_int_equal(jrsim_live("nonsense"), -1);
    assert_int_equal(jrsim_live(NULL), -1);
    assert_string_equal(jrsim_version(), "0.3.0");
}

TEST_BETWEEN(an_injected_failure_has_no_other_effect, sim_open, sim_close) {
    jr_cu_deviceptr address = 5;
    good(jrsim_fail("cuMemAlloc:2:2")); /* _v2 may be omitted */
    jr_cu_deviceptr first = sim_alloc(4);
    fails(CUDA_ERROR_OUT_OF_MEMORY, cuMemAlloc_v2(&address, 4));
    assert_int_equal(address, 5);
    assert_int_equal(jrsim_live("memory"), 1);
    jr_cu_deviceptr third = sim_alloc(4); /* once */
    good(jrsim_fail("cuMemFree_v2"));
    fails(CUDA_ERROR_UNKNOWN, cuMemFree_v2(first));
    fails(CUDA_ERROR_UNKNOWN, cuMemFree_v2(first)); /* every time */
    assert_int_equal(jrsim_live("memory"), 2);
    good(jrsim_fail(""));
    good(cuMemFree_v2(first));
    good(cuMemFree_v2(third));
}

static int scenario(const sim_case *sim) {
    jr_cu_deviceptr address = 0;
    jr_cu_function function = NULL;
    int error = cuMemAlloc_v2(&address, 4);
    if (!error) error = cuModuleGetFunction(&function, sim->module, "poke");
    if (!error) error = sim_launch(function, NULL, address);
    if (!error) error = cuCtxSynchronize();
    int last = address ? cuMemFree_v2(address) : 0;
    if (last) {
        good(jrsim_fail(NULL));
        good(cuMemFree_v2(address));
    }
    return error ? error : last;
}

TEST_BETWEEN(every_call_of_a_scenario_can_fail, sim_open, sim_close) {
    const sim_case *sim = *state;
    uint64_t before = jrsim_calls();
    good(scenario(sim));
    uint64_t calls = jrsim_calls() - before;
    assert_int_equal(calls, 5);
    for (uint64_t i = 1; i <= calls; i++) {
        char rule[32];
        snprintf(rule, sizeof rule, "*:%d:304", (int)i);
        good(jrsim_fail(rule));
        assert_int_equal(scenario(sim), 304);
        assert_int_equal(jrsim_live("memory"), 0);
    }
    good(jrsim_fail(NULL));
    good(cuCtxSynchronize());
}

RUN_TESTS(NULL, NULL)
