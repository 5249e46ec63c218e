/* Contexts of the simulator: stacks of threads, the primary one, what goes with a context. */
#include <pthread.h>

#include "support/cases/sim_case.h"

TEST_BETWEEN(wrong_contexts_are_refused, sim_open, sim_close) {
    const sim_case *sim = *state;
    jr_cu_context other = NULL;
    fails(CUDA_ERROR_INVALID_DEVICE, cuCtxCreate_v2(&other, 0, 1));
    fails(CUDA_ERROR_INVALID_VALUE, cuCtxCreate_v2(NULL, 0, 0));
    fails(CUDA_ERROR_INVALID_CONTEXT, cuCtxDestroy_v2(NULL));
    fails(CUDA_ERROR_INVALID_CONTEXT, cuCtxDestroy_v2((jr_cu_context)sim)); /* a live address, but no handle */
    fails(CUDA_ERROR_INVALID_CONTEXT, cuCtxSetCurrent((jr_cu_context)(uintptr_t)0x1234));
    fails(CUDA_ERROR_INVALID_CONTEXT, cuCtxPushCurrent_v2(NULL));
    fails(CUDA_ERROR_INVALID_CONTEXT, cuDevicePrimaryCtxRelease_v2(0));
    fails(CUDA_ERROR_INVALID_DEVICE, cuDevicePrimaryCtxRetain(&other, 3));
    assert_null(other);
}

TEST_BETWEEN(a_thread_without_a_context_is_told, sim_open, sim_close) {
    const sim_case *sim = *state;
    jr_cu_context popped = NULL, current = sim->context;
    jr_cu_deviceptr address = 99;
    good(cuCtxPopCurrent_v2(&popped));
    assert_ptr_equal(popped, sim->context);
    good(cuCtxGetCurrent(&current));
    assert_null(current);
    fails(CUDA_ERROR_INVALID_CONTEXT, cuMemAlloc_v2(&address, 4));
    fails(CUDA_ERROR_INVALID_CONTEXT, cuCtxSynchronize());
    fails(CUDA_ERROR_INVALID_CONTEXT, cuCtxPopCurrent_v2(&popped));
    fails(CUDA_ERROR_INVALID_CONTEXT, cuLaunchKernel(NULL, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL));
    assert_int_equal(address, 99);
    good(cuCtxSetCurrent(sim->context));
}

TEST_BETWEEN(the_stack_holds_its_order, sim_open, sim_close) {
    const sim_case *sim = *state;
    jr_cu_context second = NULL, current = NULL;
    good(cuCtxCreate_v2(&second, 0, 0)); /* and is current */
    good(cuCtxPushCurrent_v2(sim->context));
    good(cuCtxPopCurrent_v2(NULL));
    good(cuCtxGetCurrent(&current));
    assert_ptr_equal(current, second);
    good(cuCtxDestroy_v2(second)); /* pops it, since it is current here */
    good(cuCtxGetCurrent(&current));
    assert_ptr_equal(current, sim->context);
    for (int i = 0; i < 40; i++) good(cuCtxPushCurrent_v2(sim->context));
    for (int i = 0; i < 40; i++) good(cuCtxPopCurrent_v2(&current));
    assert_ptr_equal(current, sim->context);
}

static void *use_destroyed(void *context) {
    int *result = NULL;
    static int codes[2];
    jr_cu_device device;
    if (cuCtxSetCurrent(context) == 0) result = codes;
    jr_cu_context other = context;
    codes[0] = cuCtxDestroy_v2(other);
    cuCtxPushCurrent_v2(context);
    codes[1] = cuCtxGetDevice(&device);
    return result;
}

TEST_BETWEEN(a_destroyed_context_stays_current_elsewhere_and_fails, sim_open, sim_close) {
    jr_cu_context context = NULL;
    pthread_t thread;
    int *codes = NULL;
    good(cuCtxCreate_v2(&context, 0, 0));
    assert_int_equal(pthread_create(&thread, NULL, use_destroyed, context), 0);
    pthread_join(thread, (void **)&codes);
    assert_non_null(codes);
    good(codes[0]);
    fails(CUDA_ERROR_INVALID_CONTEXT, codes[1]) /* it was popped where it was destroyed */;
    fails(CUDA_ERROR_CONTEXT_IS_DESTROYED, cuCtxSynchronize());
    fails(CUDA_ERROR_INVALID_CONTEXT, cuCtxDestroy_v2(context));
    good(cuCtxPopCurrent_v2(NULL));
    good(cuCtxSynchronize());
}

TEST_BETWEEN(the_primary_context_counts_its_users, sim_open, sim_close) {
    jr_cu_context primary = NULL, again = NULL;
    good(cuDevicePrimaryCtxRetain(&primary, 0));
    good(cuDevicePrimaryCtxRetain(&again, 0));
    assert_ptr_equal(primary, again);
    assert_int_equal(jrsim_live("contexts"), 2);
    fails(CUDA_ERROR_INVALID_CONTEXT, cuCtxDestroy_v2(primary));
    good(cuCtxPushCurrent_v2(primary));
    jr_cu_deviceptr address = sim_alloc(64);
    good(cuDevicePrimaryCtxRelease_v2(0));
    good(cuMemsetD8_v2(address, 1, 64)); /* still retained once */
    good(cuDevicePrimaryCtxRelease_v2(0));
    assert_int_equal(jrsim_live("memory"), 0);
    fails(CUDA_ERROR_CONTEXT_IS_DESTROYED, cuMemsetD8_v2(address, 1, 64));
    good(cuDevicePrimaryCtxRetain(&again, 0));
    assert_ptr_equal(primary, again); /* and current here as before */
    fails(CUDA_ERROR_INVALID_VALUE, cuMemsetD8_v2(address, 1, 64));
    good(cuCtxPopCurrent_v2(NULL));
    good(cuDevicePrimaryCtxRelease_v2(0));
}

TEST_BETWEEN(a_context_takes_what_it_owns_with_it, sim_open, sim_close) {
    jr_cu_context context = NULL;
    jr_cu_module module = NULL;
    jr_cu_stream stream = NULL;
    jr_cu_event event = NULL;
    void *host = NULL;
    good(cuCtxCreate_v2(&context, 0, 0));
    good(cuModuleLoadData(&module, sim_ptx));
    jr_cu_function function = NULL;
    good(cuModuleGetFunction(&function, module, "nothing"));
    good(cuStreamCreate(&stream, 0));
    good(cuEventCreate(&event, 0));
    good(cuMemHostAlloc(&host, 100, 0));
    sim_alloc(1000);
    good(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, stream, NULL, NULL));
    good(cuEventRecord(event, stream));
    good(cuCtxDestroy_v2(context));
    assert_int_equal(jrsim_live("modules"), 1);
    assert_int_equal(jrsim_live("memory") + jrsim_live("host") + jrsim_live("streams") + jrsim_live("events"), 0);
    fails(CUDA_ERROR_INVALID_HANDLE, cuStreamSynchronize(stream));
    fails(CUDA_ERROR_INVALID_HANDLE, cuEventQuery(event));
    fails(CUDA_ERROR_INVALID_HANDLE, cuModuleUnload(module));
    fails(CUDA_ERROR_INVALID_HANDLE, cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL));
}

RUN_TESTS(NULL, NULL)
