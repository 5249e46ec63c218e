/* Launches of the simulator: shapes, parameters, asynchrony, host functions. */
#include <string.h>

#include "support/cases/sim_case.h"

typedef struct shape {
    unsigned grid[3], block[3], shared;
} shape;

static int try_shape(jr_cu_function function, shape wanted) {
    jr_cu_deviceptr none = 0;
    void *parameters[] = {&none};
    return cuLaunchKernel(function, wanted.grid[0], wanted.grid[1], wanted.grid[2], wanted.block[0], wanted.block[1],
                          wanted.block[2], wanted.shared, NULL, parameters, NULL);
}

TEST_BETWEEN(impossible_shapes_are_refused, sim_open, sim_close) {
    const sim_case *sim = *state;
    jr_cu_function nothing = sim_function(sim, "nothing"), bounded = sim_function(sim, "bounded");
    fails(CUDA_ERROR_INVALID_VALUE, try_shape(nothing, (shape){{0, 1, 1}, {1, 1, 1}, 0}));
    fails(CUDA_ERROR_INVALID_VALUE, try_shape(nothing, (shape){{1, 1, 1}, {1, 0, 1}, 0}));
    fails(CUDA_ERROR_INVALID_VALUE, try_shape(nothing, (shape){{1, 65536, 1}, {1, 1, 1}, 0}));
    fails(CUDA_ERROR_INVALID_VALUE, try_shape(nothing, (shape){{1U << 31, 1, 1}, {1, 1, 1}, 0}));
    fails(CUDA_ERROR_INVALID_VALUE, try_shape(nothing, (shape){{1, 1, 1}, {1025, 1, 1}, 0}));
    fails(CUDA_ERROR_INVALID_VALUE, try_shape(nothing, (shape){{1, 1, 1}, {1, 1, 65}, 0}));
    fails(CUDA_ERROR_INVALID_VALUE, try_shape(nothing, (shape){{1, 1, 1}, {512, 3, 1}, 0}));
    fails(CUDA_ERROR_INVALID_VALUE, try_shape(nothing, (shape){{1, 1, 1}, {1, 1, 1}, 49153}));
    fails(CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES, try_shape(bounded, (shape){{1, 1, 1}, {129, 1, 1}, 0}));
    good(try_shape(nothing, (shape){{3, 2, 2}, {8, 8, 16}, 49152}));
    good(cuFuncSetAttribute(nothing, JR_CU_FUNC_MAX_DYNAMIC_SHARED_BYTES, 100000));
    good(try_shape(nothing, (shape){{1, 1, 1}, {1, 1, 1}, 100000}));
    good(cuCtxSynchronize());
}

TEST_BETWEEN(bad_handles_are_refused, sim_open, sim_close) {
    const sim_case *sim = *state;
    jr_cu_function nothing = sim_function(sim, "nothing");
    jr_cu_stream stream = NULL;
    good(cuStreamCreate(&stream, 0));
    good(cuStreamDestroy_v2(stream));
    fails(CUDA_ERROR_INVALID_HANDLE, cuLaunchKernel(NULL, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL));
    fails(CUDA_ERROR_INVALID_HANDLE,
          cuLaunchKernel((jr_cu_function)(uintptr_t)~0ULL, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL));
    fails(CUDA_ERROR_INVALID_HANDLE, cuLaunchKernel(nothing, 1, 1, 1, 1, 1, 1, 0, stream, NULL, NULL));
    fails(CUDA_ERROR_INVALID_HANDLE, cuStreamDestroy_v2(stream));
    fails(CUDA_ERROR_INVALID_HANDLE, cuStreamDestroy_v2(NULL));
    fails(CUDA_ERROR_INVALID_VALUE, cuStreamCreate(&stream, 2));
}

/* Every bit of a live handle matters. */
TEST_BETWEEN(no_made_up_handle_is_followed, sim_open, sim_close) {
    const sim_case *sim = *state;
    const uintptr_t live[] = {(uintptr_t)sim->module, (uintptr_t)sim_function(sim, "nothing")};
    int value = 0;
    for (int i = 0; i < 128; i++) {
        uintptr_t handle = live[i / 64] ^ (uintptr_t)1 << i % 64;
        fails(CUDA_ERROR_INVALID_HANDLE, cuModuleUnload((jr_cu_module)handle));
        fails(CUDA_ERROR_INVALID_HANDLE, cuFuncGetAttribute(&value, 0, (jr_cu_function)handle));
        fails(CUDA_ERROR_INVALID_HANDLE, cuStreamSynchronize((jr_cu_stream)handle));
        fails(CUDA_ERROR_INVALID_HANDLE, cuEventQuery((jr_cu_event)handle));
        fails(CUDA_ERROR_INVALID_HANDLE, cuGraphDestroy((jr_cu_graph)handle));
        fails(CUDA_ERROR_INVALID_HANDLE, cuGraphExecDestroy((jr_cu_graph_exec)handle));
        fails(CUDA_ERROR_INVALID_CONTEXT, cuCtxDestroy_v2((jr_cu_context)handle));
    }
}

TEST_BETWEEN(a_stream_of_another_context_is_refused, sim_open, sim_close) {
    const sim_case *sim = *state;
    jr_cu_context other = NULL, found = NULL;
    jr_cu_stream stream = NULL;
    jr_cu_event event = NULL;
    jr_cu_function nothing = sim_function(sim, "nothing");
    good(cuCtxCreate_v2(&other, 0, 0));
    good(cuStreamCreate(&stream, 0));
    good(cuStreamGetCtx(stream, &found));
    assert_ptr_equal(found, other);
    good(cuCtxPushCurrent_v2(sim->context));
    good(cuEventCreate(&event, 0));
    fails(CUDA_ERROR_INVALID_HANDLE, cuLaunchKernel(nothing, 1, 1, 1, 1, 1, 1, 0, stream, NULL, NULL));
    fails(CUDA_ERROR_INVALID_HANDLE, cuEventRecord(event, stream));
    good(cuStreamGetCtx(NULL, &found));
    assert_ptr_equal(found, sim->context);
    good(cuEventDestroy_v2(event));
    good(cuCtxPopCurrent_v2(NULL));
    good(cuCtxDestroy_v2(other));
}

TEST_BETWEEN(parameters_come_by_pointers_or_in_a_buffer, sim_open, sim_close) {
    const sim_case *sim = *state;
    jr_cu_deviceptr target = sim_alloc(64);
    jr_cu_function fill = sim_function(sim, "fill");
    struct {
        jr_cu_deviceptr target;
        unsigned count, value;
    } packed = {target, 16, 77};
    size_t bytes = sizeof packed, too_few = 12;
    void *extra[] = {(void *)1, &packed, (void *)2, &bytes, NULL};
    good(cuLaunchKernel(fill, 1, 1, 1, 32, 1, 1, 0, NULL, NULL, extra));
    memset(&packed, 0, sizeof packed); /* copied at the launch */
    assert_int_equal(sim_read(target + 60), 77);
    void *pointers[] = {&packed.target, &packed.count, NULL};
    fails(CUDA_ERROR_INVALID_VALUE, cuLaunchKernel(fill, 1, 1, 1, 32, 1, 1, 0, NULL, NULL, NULL));
    fails(CUDA_ERROR_INVALID_VALUE, cuLaunchKernel(fill, 1, 1, 1, 32, 1, 1, 0, NULL, pointers, extra));
    fails(CUDA_ERROR_INVALID_VALUE, cuLaunchKernel(fill, 1, 1, 1, 32, 1, 1, 0, NULL, pointers, NULL));
    extra[3] = &too_few;
    fails(CUDA_ERROR_INVALID_VALUE, cuLaunchKernel(fill, 1, 1, 1, 32, 1, 1, 0, NULL, NULL, extra));
    extra[0] = (void *)9;
    fails(CUDA_ERROR_INVALID_VALUE, cuLaunchKernel(fill, 1, 1, 1, 32, 1, 1, 0, NULL, NULL, extra));
    good(cuMemFree_v2(target));
}

TEST_BETWEEN(work_goes_on_while_the_host_does, sim_open, sim_close) {
    const sim_case *sim = *state;
    jr_cu_stream stream = NULL;
    jr_cu_event event = NULL;
    sim_busy busy;
    good(cuStreamCreate(&stream, JR_CU_STREAM_NON_BLOCKING));
    good(cuEventCreate(&event, JR_CU_EVENT_DISABLE_TIMING));
    good(cuEventQuery(event)); /* never recorded */
    jr_cu_deviceptr target = sim_alloc(1024);
    sim_hold(sim, &busy, stream);
    good(sim_fill(sim, stream, target, 256, 5));
    good(cuEventRecord(event, stream));
    fails(CUDA_ERROR_NOT_READY, cuStreamQuery(stream));
    fails(CUDA_ERROR_NOT_READY, cuEventQuery(event));
    sim_let_go(&busy);
    good(cuStreamQuery(stream));
    good(cuEventQuery(event));
    good(cuEventSynchronize(event));
    assert_int_equal(sim_read(target + 1020), 5);
    good(cuMemFree_v2(target));
    good(cuEventDestroy_v2(event));
    good(cuStreamDestroy_v2(stream));
}

TEST_BETWEEN(a_destroyed_streams_work_is_still_done, sim_open, sim_close) {
    const sim_case *sim = *state;
    jr_cu_stream stream = NULL, other = NULL;
    jr_cu_event event = NULL;
    sim_busy busy;
    jr_cu_deviceptr target = sim_alloc(4);
    good(cuStreamCreate(&stream, 0));
    good(cuStreamCreate(&other, 0));
    good(cuEventCreate(&event, 0));
    sim_hold(sim, &busy, other);
    good(sim_fill(sim, stream, target, 1, 6));
    good(cuEventRecord(event, stream));
    good(cuEventDestroy_v2(event));
    good(cuStreamDestroy_v2(stream));
    sim_let_go(&busy);
    assert_int_equal(sim_read(target), 6);
    good(cuStreamDestroy_v2(other));
    good(cuMemFree_v2(target));
}

typedef struct note {
    const volatile unsigned *word;
    unsigned seen;
    int driver_error;
} note;

static void look(void *user) {
    note *made = user;
    jr_cu_deviceptr address = 0;
    made->seen = *made->word;
    made->driver_error = cuMemAlloc_v2(&address, 4);
}

TEST_BETWEEN(host_functions_run_in_stream_order, sim_open, sim_close) {
    const sim_case *sim = *state;
    unsigned *words = NULL;
    good(cuMemHostAlloc((void **)&words, 4, 0));
    words[0] = 0;
    note before = {words, 99, 0}, after = {words, 99, 0};
    good(cuLaunchHostFunc(NULL, look, &before));
    good(sim_fill(sim, NULL, (uintptr_t)words, 1, 42));
    good(cuLaunchHostFunc(NULL, look, &after));
    fails(CUDA_ERROR_INVALID_VALUE, cuLaunchHostFunc(NULL, NULL, NULL));
    good(cuStreamSynchronize(NULL));
    assert_int_equal(before.seen, 0);
    assert_int_equal(after.seen, 42);
    fails(CUDA_ERROR_NOT_PERMITTED, after.driver_error); /* as documented: no driver calls there */
    good(cuMemFreeHost(words));
}

TEST_BETWEEN(events_measure_the_time_between, sim_open, sim_close) {
    const sim_case *sim = *state;
    jr_cu_event start = NULL, end = NULL, untimed = NULL;
    float ms = -1;
    jr_cu_deviceptr target = sim_alloc(4 << 20);
    good(cuEventCreate(&start, 0));
    good(cuEventCreate(&end, 0));
    good(cuEventCreate(&untimed, JR_CU_EVENT_DISABLE_TIMING));
    fails(CUDA_ERROR_INVALID_HANDLE, cuEventElapsedTime(&ms, start, end)); /* not recorded */
    good(cuEventRecord(start, NULL));
    good(sim_fill(sim, NULL, target, 1 << 20, 3));
    good(cuEventRecord(end, NULL));
    good(cuEventRecord(untimed, NULL));
    good(cuCtxSynchronize());
    good(cuEventElapsedTime(&ms, start, end));
    assert_true(ms > 0.0001F && ms < 20000.0F);
    good(cuEventElapsedTime(&ms, end, start));
    assert_true(ms < 0);
    fails(CUDA_ERROR_INVALID_HANDLE, cuEventElapsedTime(&ms, start, untimed));
    fails(CUDA_ERROR_INVALID_VALUE, cuEventElapsedTime(NULL, start, end));
    fails(CUDA_ERROR_INVALID_VALUE, cuEventCreate(&start, 64));
    good(cuEventDestroy_v2(start));
    fails(CUDA_ERROR_INVALID_HANDLE, cuEventElapsedTime(&ms, start, end));
    fails(CUDA_ERROR_INVALID_HANDLE, cuEventDestroy_v2(start));
    fails(CUDA_ERROR_INVALID_HANDLE, cuEventRecord(start, NULL));
    good(cuEventDestroy_v2(end));
    good(cuEventDestroy_v2(untimed));
    good(cuMemFree_v2(target));
}

TEST_BETWEEN(default_streams_have_three_names, sim_open, sim_close) {
    const sim_case *sim = *state;
    jr_cu_stream legacy = (jr_cu_stream)(uintptr_t)1, own = (jr_cu_stream)(uintptr_t)2;
    jr_cu_deviceptr target = sim_alloc(12);
    good(sim_fill(sim, NULL, target, 3, 1));
    good(sim_fill(sim, legacy, target, 2, 2));
    good(sim_fill(sim, own, target, 1, 3));
    good(cuStreamSynchronize(legacy));
    good(cuStreamSynchronize(own));
    good(cuStreamQuery(NULL));
    unsigned words[3];
    good(cuMemcpyDtoH_v2(words, target, sizeof words));
    assert_int_equal(words[0] * 100 + words[1] * 10 + words[2], 321);
    good(cuMemFree_v2(target));
}

static jr_cu_result launch_with(jr_cu_function function, int attribute, jr_cu_stream stream, void **parameters) {
    jr_cu_launch_attribute attributes[] = {{.id = attribute, .value.flag = 1}};
    const jr_cu_launch_config config = {
        .grid = {1, 1, 1}, .block = {32, 1, 1}, .stream = stream, .attributes = attributes, .attribute_count = 1};
    return cuLaunchKernelEx(&config, function, parameters, NULL);
}

TEST_BETWEEN(a_launch_takes_attributes, sim_open, sim_close) {
    enum { ACCESS_POLICY = 1 };
    const sim_case *sim = *state;
    jr_cu_function nothing = sim_function(sim, "nothing");
    jr_cu_deviceptr none = 0;
    void *parameters[] = {&none};
    jr_cu_launch_config plain = {.grid = {1, 1, 1}, .block = {32, 1, 1}}, lost = plain, empty = plain;
    lost.attribute_count = 1;
    empty.grid[0] = 0;
    good(launch_with(nothing, JR_CU_LAUNCH_DEPENDENT, NULL, parameters));
    good(cuLaunchKernelEx(&plain, nothing, parameters, NULL));
    good(cuCtxSynchronize());
    good(launch_with(nothing, JR_CU_LAUNCH_PRIORITY, NULL, parameters));
    good(launch_with(nothing, JR_CU_LAUNCH_CLUSTER_POLICY, NULL, parameters));
    fails(CUDA_ERROR_NOT_SUPPORTED, launch_with(nothing, ACCESS_POLICY, NULL, parameters));
    fails(CUDA_ERROR_INVALID_VALUE, cuLaunchKernelEx(NULL, nothing, parameters, NULL));
    fails(CUDA_ERROR_INVALID_VALUE, cuLaunchKernelEx(&lost, nothing, parameters, NULL));
    fails(CUDA_ERROR_INVALID_VALUE, cuLaunchKernelEx(&empty, nothing, parameters, NULL));
    fails(CUDA_ERROR_INVALID_HANDLE, cuLaunchKernelEx(&plain, NULL, parameters, NULL));
}

TEST_BETWEEN(a_cooperative_launch_is_no_larger_than_the_device, sim_open, sim_close) {
    const sim_case *sim = *state;
    jr_cu_function nothing = sim_function(sim, "nothing");
    jr_cu_deviceptr none = 0;
    void *parameters[] = {&none};
    jr_cu_launch_attribute together = {.id = JR_CU_LAUNCH_COOPERATIVE, .value.flag = 1};
    jr_cu_launch_config config = {
        .grid = {1, 1, 1}, .block = {256, 1, 1}, .attributes = &together, .attribute_count = 1};
    int blocks = 0, clusters = 0;
    good(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, nothing, 256, 0));
    config.grid[0] = (unsigned)blocks * 8;
    good(cuLaunchKernelEx(&config, nothing, parameters, NULL));
    config.grid[0]++;
    fails(CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE, cuLaunchKernelEx(&config, nothing, parameters, NULL));
    good(cuCtxSynchronize());
    config.attributes = &(jr_cu_launch_attribute){.id = JR_CU_LAUNCH_CLUSTER, .value.cluster = {4, 1, 1}};
    config.grid[0] = 4;
    good(cuOccupancyMaxActiveClusters(&clusters, nothing, &config));
    assert_int_equal(clusters, blocks * 8 / 4);
    config.grid[0] = 6;
    fails(CUDA_ERROR_INVALID_CLUSTER_SIZE, cuOccupancyMaxActiveClusters(&clusters, nothing, &config));
    fails(CUDA_ERROR_INVALID_VALUE, cuOccupancyMaxActiveClusters(NULL, nothing, &config));
    fails(CUDA_ERROR_INVALID_HANDLE, cuOccupancyMaxActiveClusters(&clusters, NULL, &config));
}

RUN_TESTS(NULL, NULL)
