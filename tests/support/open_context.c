/* The device under test. */
#include "support/open_context.h"

#include <stdlib.h>
#include <string.h>

int open_context(void **state) {
    opened *device = calloc(1, sizeof *device);
    assert_non_null(device);
    works(jr_context_open(NULL, &device->context));
    device->info = JR_INIT(jr_device_info);
    works(jr_context_device_info(device->context, &device->info));
    works(jr_driver_open(NULL, NULL, device->info.simulated, NULL, &device->driver));
    drives(device->driver.cuDevicePrimaryCtxRetain(&device->cuda, device->info.ordinal));
    drives(device->driver.cuCtxSetCurrent(device->cuda));
    *state = device;
    return 0;
}

int open_four_devices(void **state) {
    return setenv("JRSIM_DEVICES", "4", 1) == 0 ? open_context(state) : -1;
}

int close_context(void **state) {
    opened *device = *state;
    if (device == NULL) return 0; /* CMocka ends a group that could not begin, too */
    jr_context_close(device->context);
    drives(device->driver.cuCtxSetCurrent(NULL));
    drives(device->driver.cuDevicePrimaryCtxRelease_v2(device->info.ordinal));
    jr_driver_close(&device->driver);
    free(device);
    return 0;
}

void open_context_works(jr_status status, const char *call, const char *file, int line) {
    if (status == JR_OK) return;
    const jr_error *error = jr_last_error();
    print_error("%s: %s: %s\n%s\n", call, jr_status_name(status), error->message, error->log);
    _fail(file, line);
}

void open_context_drives(jr_cu_result result, const char *call, const char *file, int line) {
    if (result == JR_CUDA_SUCCESS) return;
    print_error("%s: driver error %d\n", call, result);
    _fail(file, line);
}

void open_context_fails(jr_status got, jr_status wanted, const char *why, const char *file, int line) {
    const char *message = jr_last_error()->message;
    if (got == wanted && strstr(message, why) != NULL && jr_last_error()->status == wanted) return;
    print_error("got %s (%s), expected %s with '%s'\n", jr_status_name(got), got == JR_OK ? "" : message,
                jr_status_name(wanted), why);
    _fail(file, line);
}

jr_cu_deviceptr device_address(const void *pointer) {
    return (jr_cu_deviceptr)(uintptr_t)pointer;
}

void *device_new(const opened *device, size_t bytes) {
    jr_cu_deviceptr made = 0;
    drives(device->driver.cuMemAlloc_v2(&made, bytes));
    return (void *)(uintptr_t)made; /* NOLINT(performance-no-int-to-ptr) */
}

void device_free(const opened *device, void *address) {
    drives(device->driver.cuMemFree_v2(device_address(address)));
}

void device_write(const opened *device, void *to, const void *from, size_t bytes) {
    if (bytes > 0) drives(device->driver.cuMemcpyHtoD_v2(device_address(to), from, bytes));
}

void device_read(const opened *device, void *to, const void *from, size_t bytes) {
    drives(device->driver.cuMemcpyDtoH_v2(to, device_address(from), bytes));
}

size_t device_free_bytes(const opened *device) {
    size_t free_bytes = 0, total_bytes = 0;
    const char *sanitizer = getenv("SANITIZER"); /* compute-sanitizer takes device memory of its own */
    if (sanitizer != NULL && *sanitizer != '\0') return 0;
    drives(device->driver.cuMemGetInfo_v2(&free_bytes, &total_bytes));
    return free_bytes;
}

jr_stream stream_new(const opened *device) {
    jr_stream stream = NULL;
    drives(device->driver.cuStreamCreate(&stream, JR_CU_STREAM_NON_BLOCKING));
    return stream;
}

void stream_wait(const opened *device, jr_stream stream) {
    drives(device->driver.cuStreamSynchronize(stream));
}

void stream_free(const opened *device, jr_stream stream) {
    drives(device->driver.cuStreamDestroy_v2(stream));
}

void graph_begin(const opened *device, jr_stream stream) {
    drives(device->driver.cuStreamBeginCapture_v2(stream, JR_CU_CAPTURE_GLOBAL));
}

jr_cu_graph_exec graph_end(const opened *device, jr_stream stream) {
    jr_cu_graph graph = NULL;
    jr_cu_graph_exec exec = NULL;
    drives(device->driver.cuStreamEndCapture(stream, &graph));
    drives(device->driver.cuGraphInstantiateWithFlags(&exec, graph, 0));
    drives(device->driver.cuGraphDestroy(graph));
    return exec;
}

void graph_free(const opened *device, jr_cu_graph_exec graph) {
    drives(device->driver.cuGraphExecDestroy(graph));
}

void *workspace_new(const opened *device, jr_plan *plan, jr_stream stream) {
    const size_t bytes = jr_plan_workspace_bytes(plan) + 16; /* a plan may need none, of which there is no memory */
    void *workspace = device_new(device, bytes);
    drives(device->driver.cuMemsetD8Async(device_address(workspace), 0xff, bytes, stream));
    works(jr_plan_workspace_prepare(plan, workspace, stream));
    return workspace;
}

jr_value plan_value(const opened *device, jr_plan *plan, const void *d_in, uint64_t count) {
    jr_value value = {.type = jr_plan_result_type(plan)};
    void *d_out = device_new(device, sizeof value.as);
    works(jr_plan_run(plan, d_in, count, d_out, NULL, NULL));
    device_read(device, &value.as, d_out, jr_plan_result_bytes(plan));
    device_free(device, d_out);
    return value;
}

void skip_without_memory(const opened *device, size_t bytes) {
    if (!device->info.simulated && device_free_bytes(device) >= bytes + (1ull << 28)) return;
    print_message("%zu bytes of device memory are needed, and %s\n", bytes,
                  device->info.simulated ? "the simulator would take them from the host" : "less is free");
    skip();
}

/* Source: S. Vigna, "splitmix64.c", public domain. */
uint64_t random_bits(uint64_t *seed) {
    uint64_t z = *seed += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

uint64_t random_below(uint64_t *seed, uint64_t below) {
    return random_bits(seed) % below;
}
