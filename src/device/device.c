/* Opens devices and makes their contexts current. */
#include "device.h"

#include <string.h>

#include "base/error.h"
#include "base/log.h"
#include "request.h"

static jr_status find_device(jr_device *device, int ordinal) {
    const jr_driver *driver = &device->driver;
    int count = 0;
    jr_cu_result result = driver->cuDeviceGetCount(&count);
    if (result != JR_CUDA_SUCCESS) return jr_driver_fail(driver, result, "counting the devices");
    if (ordinal >= count)
        return jr_fail(JR_ERROR_NO_DEVICE, "there is no device cuda:%d: this machine has %d", ordinal, count);
    result = driver->cuDeviceGet(&device->handle, ordinal);
    if (result != JR_CUDA_SUCCESS) return jr_driver_fail(driver, result, "getting device %d", ordinal);
    return JR_OK;
}

/* The calling thread's current context, when it has one. */
static jr_status borrow_current(jr_device *device) {
    const jr_driver *driver = &device->driver;
    jr_cu_result result = driver->cuCtxGetCurrent(&device->context);
    if (result != JR_CUDA_SUCCESS) return jr_driver_fail(driver, result, "asking for the current context");
    if (device->context == NULL) return JR_OK;
    result = driver->cuCtxGetDevice(&device->handle);
    if (result != JR_CUDA_SUCCESS) return jr_driver_fail(driver, result, "asking for the current context's device");
    return JR_OK;
}

static int attribute_of(const jr_device *device, int attribute) {
    int value = 0;
    return device->driver.cuDeviceGetAttribute(&value, attribute, device->handle) == JR_CUDA_SUCCESS ? value : 0;
}

/* What nothing can be chosen without; everything else may be 0. */
static jr_status read_needed(jr_device *device) {
    jr_device_info *info = &device->info;
    int optin = 0;
    const struct {
        int attribute, *value;
        const char *name;
    } rows[] = {{JR_CU_DEVICE_CAPABILITY_MAJOR, &info->capability_major, "compute capability"},
                {JR_CU_DEVICE_CAPABILITY_MINOR, &info->capability_minor, "compute capability"},
                {JR_CU_DEVICE_MULTIPROCESSOR_COUNT, &info->multiprocessor_count, "number of multiprocessors"},
                {JR_CU_DEVICE_SHARED_BYTES_PER_BLOCK_OPTIN, &optin, "shared memory"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const jr_cu_result result =
            device->driver.cuDeviceGetAttribute(rows[i].value, rows[i].attribute, device->handle);
        if (result != JR_CUDA_SUCCESS)
            return jr_driver_fail(&device->driver, result, "asking for the device's %s", rows[i].name);
    }
    info->shared_bytes_per_block_optin = (uint64_t)optin;
    return JR_OK;
}

static jr_status describe(jr_device *device) {
    jr_device_info *info = &device->info;
    const jr_driver *driver = &device->driver;
    size_t bytes = 0;
    *info = (jr_device_info){.simulated = driver->simulated, .ordinal = device->handle};
    if (driver->cuDeviceGetName(info->name, (int)sizeof info->name, device->handle) != JR_CUDA_SUCCESS)
        info->name[0] = '\0';
    if (driver->cuDeviceTotalMem_v2(&bytes, device->handle) == JR_CUDA_SUCCESS) info->memory_bytes = bytes;
    driver->cuDriverGetVersion(&info->driver_version);
    info->warp_size = attribute_of(device, JR_CU_DEVICE_WARP_SIZE);
    info->max_threads_per_block = attribute_of(device, JR_CU_DEVICE_MAX_THREADS_PER_BLOCK);
    info->max_threads_per_multiprocessor = attribute_of(device, JR_CU_DEVICE_THREADS_PER_MULTIPROCESSOR);
    info->max_blocks_per_multiprocessor = attribute_of(device, JR_CU_DEVICE_BLOCKS_PER_MULTIPROCESSOR);
    info->registers_per_multiprocessor = attribute_of(device, JR_CU_DEVICE_REGISTERS_PER_MULTIPROCESSOR);
    info->shared_bytes_per_block = (uint64_t)attribute_of(device, JR_CU_DEVICE_SHARED_BYTES_PER_BLOCK);
    info->shared_bytes_per_multiprocessor =
        (uint64_t)attribute_of(device, JR_CU_DEVICE_SHARED_BYTES_PER_MULTIPROCESSOR);
    info->l2_bytes = (uint64_t)attribute_of(device, JR_CU_DEVICE_L2_BYTES);
    info->memory_clock_khz = attribute_of(device, JR_CU_DEVICE_MEMORY_CLOCK_KHZ);
    info->memory_bus_bits = attribute_of(device, JR_CU_DEVICE_MEMORY_BUS_BITS);
    info->clock_khz = attribute_of(device, JR_CU_DEVICE_CLOCK_KHZ);
    info->kernel_timeout = attribute_of(device, JR_CU_DEVICE_KERNEL_TIMEOUT);
    return read_needed(device);
}

/* The current context where that is wanted and there is one; else only the device. */
static jr_status choose(jr_device *device, int ordinal) {
    jr_status status = JR_OK;
    if (ordinal < 0) status = borrow_current(device);
    if (status == JR_OK && device->context == NULL) status = find_device(device, ordinal < 0 ? 0 : ordinal);
    return status == JR_OK ? describe(device) : status;
}

static jr_status start_primary(jr_device *device, bool in_background) {
    const jr_start_of of = {
        .driver = &device->driver, .handle = device->handle, .context = &device->context, .primary = &device->primary};
    return jr_start_begin(&of, in_background, &device->start);
}

jr_status jr_device_open(const jr_device_request *request, jr_device *device) {
    jr_request parsed;
    memset(device, 0, sizeof *device);
    jr_status status = jr_request_parse(request->device, &parsed);
    if (status != JR_OK) return status;
    const jr_driver_request wanted = {.path = parsed.simulated ? request->simulator : request->driver,
                                      .simulated = parsed.simulated};
    status = jr_driver_open(&wanted, NULL, &device->driver);
    if (status != JR_OK) return status;
    const jr_cu_result result = device->driver.cuInit(0);
    if (result != JR_CUDA_SUCCESS) status = jr_driver_fail(&device->driver, result, "initialising the driver");
    if (status == JR_OK) status = choose(device, parsed.ordinal);
    if (status == JR_OK && device->context == NULL) status = start_primary(device, request->start_in_background);
    if (status != JR_OK) jr_device_close(device);
    return status;
}

void jr_device_close(jr_device *device) {
    jr_start_end(device->start);
    if (device->primary) device->driver.cuDevicePrimaryCtxRelease_v2(device->handle);
    jr_driver_close(&device->driver);
    memset(device, 0, sizeof *device);
}

jr_status jr_device_enter(const jr_device *device, bool *pushed) {
    const jr_driver *driver = &device->driver;
    jr_cu_context current = NULL;
    *pushed = false;
    const jr_status status = jr_start_wait(device->start);
    if (status != JR_OK) return status;
    if (driver->cuCtxGetCurrent(&current) == JR_CUDA_SUCCESS && current == device->context) return JR_OK;
    const jr_cu_result result = driver->cuCtxPushCurrent_v2(device->context);
    if (result != JR_CUDA_SUCCESS) return jr_driver_fail(driver, result, "making the context current");
    *pushed = true;
    return JR_OK;
}

/* A driver may tell an error of earlier work and do what it was asked for all the same. Setting no context is another
 * way to leave the current one. */
void jr_device_leave(const jr_device *device, bool pushed) {
    const jr_driver *driver = &device->driver;
    jr_cu_context popped, current = NULL;
    if (!pushed || driver->cuCtxPopCurrent_v2(&popped) == JR_CUDA_SUCCESS) return;
    if (driver->cuCtxGetCurrent(&current) == JR_CUDA_SUCCESS && current != device->context) return;
    if (driver->cuCtxSetCurrent(NULL) != JR_CUDA_SUCCESS)
        jr_log(JR_LOG_WARNING, "the calling thread stays in the CUDA context of %s: the driver does not let it leave",
               device->info.name);
}

/* Whatever else is wrong with the stream, the call itself says. */
static jr_status check_capture(const jr_device *device, jr_cu_stream stream) {
    int status = JR_CU_CAPTURE_STATUS_NONE;
    if (device->driver.cuStreamIsCapturing == NULL) return JR_OK;
    const jr_cu_result result = device->driver.cuStreamIsCapturing(stream, &status);
    if (result == JR_CUDA_ERROR_STREAM_CAPTURE_IMPLICIT)
        return jr_fail(
            JR_ERROR_INVALID_ARGUMENT,
            "a stream that waits for the default stream is being captured, and this call waits for the default "
            "stream: end the capture first, or capture a non-blocking stream");
    if (result != JR_CUDA_SUCCESS || status == JR_CU_CAPTURE_STATUS_NONE) return JR_OK;
    return jr_fail(JR_ERROR_INVALID_ARGUMENT,
                   "stream %p is being captured, and this call waits for it: end the capture first", (void *)stream);
}

jr_status jr_device_enter_to_wait(const jr_device *device, jr_cu_stream stream, bool *pushed) {
    jr_status status = jr_device_enter(device, pushed);
    if (status != JR_OK) return status;
    status = check_capture(device, stream);
    if (status == JR_OK) return JR_OK;
    jr_device_leave(device, *pushed);
    return status;
}
