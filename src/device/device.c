/* Opens devices and makes their contexts current. */
#include "device.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/log.h"
#include "base/settings.h"

static jr_status find_device(jr_device *device, int ordinal) {
    const jr_driver *driver = &device->driver;
    int count = 0;
    JR_TRY(jr_driver_check(driver, driver->cuDeviceGetCount(&count), "counting the devices"));
    if (ordinal >= count)
        return driver->simulated
                   ? jr_fail(JR_ERROR_NO_DEVICE, "there is no device sim#%d: the simulator has %d; set %s", ordinal,
                             count, jr_setting_variable(JR_SETTING_SIM_DEVICES))
                   : jr_fail(JR_ERROR_NO_DEVICE, "there is no device cuda:%d: this machine has %d", ordinal, count);
    return jr_driver_check(driver, driver->cuDeviceGet(&device->handle, ordinal), "getting device %d", ordinal);
}

/* The calling thread's current context, when it has one. */
static jr_status borrow_current(jr_device *device) {
    const jr_driver *driver = &device->driver;
    const jr_status status =
        jr_driver_check(driver, driver->cuCtxGetCurrent(&device->context), "asking for the current context");
    if (status != JR_OK || device->context == NULL) return status;
    JR_TRY(jr_driver_check(driver, driver->cuCtxGetDevice(&device->handle), "asking for the current context's device"));
    size_t free_bytes, total_bytes; /* a lost context says so */
    const jr_cu_result result = driver->cuMemGetInfo_v2(&free_bytes, &total_bytes);
    return jr_driver_lost(result) ? jr_driver_check(driver, result, "borrowing the current context") : JR_OK;
}

/* Reads the attributes. Nothing can be chosen without those that have a name here; the others may be 0. */
static jr_status read_attributes(const jr_driver *driver, jr_cu_device handle, jr_device_info *info) {
    int shared = 0, optin = 0, shared_multiprocessor = 0, l2 = 0;
    const struct {
        int attribute, *value;
        const char *needed;
    } rows[] = {{JR_CU_DEVICE_CAPABILITY_MAJOR, &info->capability_major, "compute capability"},
                {JR_CU_DEVICE_CAPABILITY_MINOR, &info->capability_minor, "compute capability"},
                {JR_CU_DEVICE_MULTIPROCESSOR_COUNT, &info->multiprocessor_count, "number of multiprocessors"},
                {JR_CU_DEVICE_SHARED_BYTES_PER_BLOCK_OPTIN, &optin, "shared memory"},
                {JR_CU_DEVICE_WARP_SIZE, &info->warp_size, NULL},
                {JR_CU_DEVICE_MAX_THREADS_PER_BLOCK, &info->max_threads_per_block, NULL},
                {JR_CU_DEVICE_THREADS_PER_MULTIPROCESSOR, &info->max_threads_per_multiprocessor, NULL},
                {JR_CU_DEVICE_BLOCKS_PER_MULTIPROCESSOR, &info->max_blocks_per_multiprocessor, NULL},
                {JR_CU_DEVICE_REGISTERS_PER_MULTIPROCESSOR, &info->registers_per_multiprocessor, NULL},
                {JR_CU_DEVICE_SHARED_BYTES_PER_BLOCK, &shared, NULL},
                {JR_CU_DEVICE_SHARED_BYTES_PER_MULTIPROCESSOR, &shared_multiprocessor, NULL},
                {JR_CU_DEVICE_L2_BYTES, &l2, NULL},
                {JR_CU_DEVICE_MEMORY_CLOCK_KHZ, &info->memory_clock_khz, NULL},
                {JR_CU_DEVICE_MEMORY_BUS_BITS, &info->memory_bus_bits, NULL},
                {JR_CU_DEVICE_CLOCK_KHZ, &info->clock_khz, NULL},
                {JR_CU_DEVICE_KERNEL_TIMEOUT, &info->kernel_timeout, NULL}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const jr_cu_result result = driver->cuDeviceGetAttribute(rows[i].value, rows[i].attribute, handle);
        if (result != JR_CUDA_SUCCESS && rows[i].needed != NULL)
            return jr_driver_check(driver, result, "asking for the device's %s", rows[i].needed);
    }
    info->shared_bytes_per_block = (uint64_t)shared;
    info->shared_bytes_per_block_optin = (uint64_t)optin;
    info->shared_bytes_per_multiprocessor = (uint64_t)shared_multiprocessor;
    info->l2_bytes = (uint64_t)l2;
    return JR_OK;
}

jr_status jr_device_describe(const jr_driver *driver, jr_cu_device handle, jr_device_info *info) {
    size_t bytes = 0;
    *info = (jr_device_info){.simulated = driver->simulated, .ordinal = handle};
    if (driver->cuDeviceGetName(info->name, (int)sizeof info->name, handle) != JR_CUDA_SUCCESS) info->name[0] = '\0';
    if (driver->cuDeviceTotalMem_v2(&bytes, handle) == JR_CUDA_SUCCESS) info->memory_bytes = bytes;
    driver->cuDriverGetVersion(&info->driver_version);
    return read_attributes(driver, handle, info);
}

/* The current context where that is wanted and there is one; else only the device. */
static jr_status choose(jr_device *device, int ordinal) {
    jr_status status = JR_OK;
    if (ordinal < 0) status = borrow_current(device);
    if (status == JR_OK && device->context == NULL) status = find_device(device, ordinal < 0 ? 0 : ordinal);
    return status == JR_OK ? jr_device_describe(&device->driver, device->handle, &device->info) : status;
}

static jr_status start_primary(jr_device *device, bool in_background) {
    const jr_start_of of = {.driver = &device->driver,
                            .handle = device->handle,
                            .context = &device->context,
                            .primary = &device->primary,
                            .pinned = &device->pinned};
    return jr_start_begin(&of, in_background, &device->start);
}

static bool parse_ordinal(const char *text, int *ordinal) {
    char *end;
    if (!isdigit((unsigned char)text[0])) return false;
    const long number = strtol(text, &end, 10);
    if (*end != '\0' || number >= 1024) return false;
    *ordinal = (int)number;
    return true;
}

/* True for the name of a kind, alone or followed by its mark and a number. */
static bool is_device(const char *text, const char *kind, char mark, int *ordinal) {
    const size_t length = strlen(kind);
    if (strncmp(text, kind, length) != 0) return false;
    *ordinal = -1;
    return text[length] == '\0' || (text[length] == mark && parse_ordinal(text + length + 1, ordinal));
}

/* True for what a group takes and a context does not: "sim:4", "sim:0,1", "cuda:all". */
static bool is_group(const char *text) {
    if (strncmp(text, "sim:", 4) != 0 && strncmp(text, "cuda:", 5) != 0) return false;
    const char *devices = strchr(text, ':') + 1;
    return strcmp(devices, "all") == 0 ||
           (isdigit((unsigned char)*devices) && devices[strspn(devices, "0123456789,")] == '\0');
}

/* The device in the options, else the setting's, else "auto". */
static const char *asked(const char *text) {
    if (text == NULL) text = jr_setting_get(JR_SETTING_DEVICE);
    return text == NULL || text[0] == '\0' ? "auto" : text;
}

/* True for "auto" and for no choice: a GPU if there is one, else the simulator. */
static bool is_auto(const char *text) {
    return strcmp(asked(text), "auto") == 0;
}

const char *jr_device_source(const char *text) {
    return text == NULL ? " (the setting JITREDUCE_DEVICE)" : "";
}

jr_status jr_device_parse(const char *text, bool *simulated, int *ordinal) {
    const char *source = jr_device_source(text);
    text = is_auto(text) ? "cuda" : asked(text);
    *simulated = is_device(text, "sim", '#', ordinal);
    if (*simulated || is_device(text, "cuda", ':', ordinal)) return JR_OK;
    if (is_group(text))
        return jr_fail(
            JR_ERROR_INVALID_ARGUMENT,
            "'%s'%s is a group of devices, and a context has one: give \"cuda:N\", \"sim\", or \"sim#N\" for "
            "number N of the %s simulated devices, or open a group",
            text, source, jr_setting_variable(JR_SETTING_SIM_DEVICES));
    return jr_fail(JR_ERROR_INVALID_ARGUMENT,
                   "unknown device '%s'%s: give \"auto\", \"cuda\", \"cuda:N\", \"sim\" or \"sim#N\"", text, source);
}

static jr_status open_named(const jr_options *options, bool simulated, int ordinal, jr_device *device) {
    *device = (jr_device){.allocator = {options->allocate, options->free, options->allocator}};
    const char *path = simulated ? options->simulator : options->driver;
    JR_TRY(jr_driver_open(NULL, path, simulated, NULL, &device->driver));
    jr_status status = jr_driver_check(&device->driver, device->driver.cuInit(0), "initialising the driver");
    if (status == JR_OK) status = choose(device, ordinal);
    if (status == JR_OK && device->context == NULL) status = start_primary(device, options->start_in_background != 0);
    if (status != JR_OK) jr_device_close(device);
    return status;
}

/* Takes advice out of a text that is not for those who follow it already. */
static void cut(char *text, const char *advice) {
    char *found = strstr(text, advice);
    if (found != NULL) memmove(found, found + strlen(advice), strlen(found + strlen(advice)) + 1);
}

/* "auto" without a GPU: the call has not failed, so its error is restored. */
static jr_status open_simulator(const jr_options *options, jr_error_saved *before, jr_device *device) {
    char reason[512];
    snprintf(reason, sizeof reason, "%s", jr_last_error()->message);
    cut(reason, ", or " JR_USE_SIMULATOR);
    cut(reason, "; " JR_USE_SIMULATOR " to run without a GPU");
    jr_error_restore(before);
    const jr_status status = open_named(options, true, -1, device);
    if (status == JR_OK) jr_log(JR_LOG_WARNING, "the PTX simulator is used, because there is no GPU: %s", reason);
    return status == JR_OK ? JR_OK : jr_fail_prefix("no GPU and no simulator: %s; ", reason);
}

jr_status jr_device_open(const jr_options *options, jr_device *device) {
    bool simulated;
    int ordinal;
    jr_status status = jr_device_parse(options->device, &simulated, &ordinal);
    if (status == JR_OK && (options->allocate == NULL) != (options->free == NULL))
        status = jr_fail(JR_ERROR_INVALID_ARGUMENT, "options.%s is NULL: give both allocate and free, or neither",
                         options->allocate == NULL ? "allocate" : "free");
    if (status != JR_OK) return status;
    jr_error_saved *before = jr_error_save();
    status = open_named(options, simulated, ordinal, device);
    const bool absent = status == JR_ERROR_DRIVER_NOT_FOUND || status == JR_ERROR_NO_DEVICE;
    if (absent && is_auto(options->device)) return open_simulator(options, before, device);
    jr_error_discard(before);
    if (status == JR_OK)
        jr_log(JR_LOG_INFO, "device: %s, compute capability %d.%d, driver %s", device->info.name,
               device->info.capability_major, device->info.capability_minor, device->driver.path);
    return status;
}

/* The primary context may live on: others hold it, too. */
static void give_pinned_back(const jr_device *device) {
    if (device->pinned == NULL || device->driver.cuCtxPushCurrent_v2(device->context) != JR_CUDA_SUCCESS) return;
    device->driver.cuMemFreeHost(device->pinned);
    jr_driver_leave(&device->driver, device->context);
}

void jr_device_close(jr_device *device) {
    jr_start_end(device->start);
    give_pinned_back(device);
    if (device->primary) device->driver.cuDevicePrimaryCtxRelease_v2(device->handle);
    jr_driver_close(&device->driver);
    memset(device, 0, sizeof *device);
}

jr_status jr_device_enter(const jr_device *device, bool *pushed) {
    const jr_driver *driver = &device->driver;
    jr_cu_context current = NULL;
    *pushed = false;
    JR_TRY(jr_start_wait(device->start));
    if (driver->cuCtxGetCurrent(&current) == JR_CUDA_SUCCESS && current == device->context) return JR_OK;
    const jr_status status =
        jr_driver_check(driver, driver->cuCtxPushCurrent_v2(device->context), "making the context current");
    *pushed = status == JR_OK;
    return status;
}

void jr_device_leave(const jr_device *device, bool pushed) {
    if (pushed) jr_driver_leave(&device->driver, device->context);
}

/* Whatever else is wrong with the stream, the call itself says. */
jr_status jr_device_check_capture(const jr_device *device, jr_cu_stream stream) {
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

jr_inside jr_inside_to_wait(const jr_device *device, jr_cu_stream stream) {
    jr_inside inside = jr_inside_device(device);
    if (inside.status == JR_OK) inside.status = jr_device_check_capture(device, stream);
    return inside;
}
