/* Records one launch: what its arguments point to, before and after. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/log.h"
#include "base/settings.h"
#include "device/launch.h"
#include "device/launch_attributes.h"
#include "device/memory.h"
#include "device/streams.h"
#include "recorder.h"

enum { WAIT_MS = 60000, STEP_NS = 100000 };

/* A capture in the making. */
typedef struct taking {
    const jr_recorded *recorded;
    const jr_device *device;
    jr_cu_stream stream;
    jr_replay launch;
    jr_cu_deviceptr *addresses; /* of its buffers */
} taking;

static jr_status no_memory(void) {
    return jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory for what its arguments point to");
}

/* A kernel may wait for what its thread does next: it must not be waited for without an end. */
static jr_status wait_some(const taking *it, const char *when) {
    const struct timespec step = {.tv_nsec = STEP_NS};
    const double end = jr_clock_ms() + WAIT_MS;
    jr_cu_result result;
    while ((result = it->device->driver.cuStreamQuery(it->stream)) == JR_CUDA_ERROR_NOT_READY) {
        if (jr_clock_ms() >= end)
            return jr_fail(JR_ERROR_DRIVER, "its stream was still at work %d s later, %s it", WAIT_MS / 1000, when);
        nanosleep(&step, NULL);
    }
    return jr_driver_check(&it->device->driver, result, "waiting for the stream %s the launch", when);
}

/* ---- arguments ---- */

/* The allocation that an address lies in; false: it is in none. */
static bool find_range(const jr_device *device, jr_cu_deviceptr address, jr_cu_deviceptr *begin, size_t *bytes) {
    const jr_driver *driver = &device->driver;
    return driver->cuPointerGetAttribute(begin, JR_CU_POINTER_RANGE_START, address) == JR_CUDA_SUCCESS &&
           driver->cuPointerGetAttribute(bytes, JR_CU_POINTER_RANGE_BYTES, address) == JR_CUDA_SUCCESS &&
           address >= *begin && address - *begin < *bytes;
}

/* The index of the buffer that begins there, a new one if need be. */
static int64_t buffer_of(taking *it, jr_cu_deviceptr begin, size_t bytes) {
    uint64_t i = 0;
    while (i < it->launch.info.buffer_count && it->addresses[i] != begin) i++;
    if (i == it->launch.info.buffer_count) {
        it->launch.info.buffer_count++;
        it->launch.buffers[i].bytes = bytes;
        it->addresses[i] = begin;
    }
    return (int64_t)i;
}

static void take_argument(taking *it, const jr_kernel_parameter *parameter, const void *value,
                          jr_replay_argument *argument) {
    jr_cu_deviceptr address = 0, begin = 0;
    size_t bytes = 0;
    *argument = (jr_replay_argument){.value = value, .bytes = parameter->bytes, .buffer = -1};
    memcpy(argument->type, parameter->type, sizeof argument->type);
    if (parameter->bytes != sizeof address || parameter->type[0] == 'f') return;
    memcpy(&address, value, sizeof address);
    if (address == 0 || !find_range(it->device, address, &begin, &bytes)) return;
    argument->buffer = buffer_of(it, begin, bytes);
    argument->offset = address - begin;
}

static jr_status take_arguments(taking *it, void **args) {
    const jr_recorded *recorded = it->recorded;
    const size_t count = recorded->parameter_count;
    if (count == 0) return JR_OK;
    it->launch.arguments = calloc(count, sizeof *it->launch.arguments);
    it->launch.buffers = calloc(count, sizeof *it->launch.buffers);
    it->addresses = calloc(count, sizeof *it->addresses);
    if (it->launch.arguments == NULL || it->launch.buffers == NULL || it->addresses == NULL) return no_memory();
    for (size_t i = 0; i < count; i++) {
        if (args == NULL || args[i] == NULL) return jr_fail(JR_ERROR_INVALID_ARGUMENT, "argument %zu is NULL", i + 1);
        take_argument(it, &recorded->parameters[i], args[i], &it->launch.arguments[i]);
    }
    it->launch.info.argument_count = count;
    return JR_OK;
}

/* ---- buffers ---- */

static jr_status check_bytes(const taking *it) {
    const uint64_t most = it->recorded->recorder->bytes_most;
    uint64_t bytes = 0;
    for (uint64_t i = 0; i < it->launch.info.buffer_count; i++) bytes += it->launch.buffers[i].bytes;
    return bytes <= most
               ? JR_OK
               : jr_fail(JR_ERROR_FILE, "its arguments point into allocations of %llu bytes, and %s allows %llu",
                         (unsigned long long)bytes, jr_setting_variable(JR_SETTING_CAPTURE_BYTES),
                         (unsigned long long)most);
}

/* A copy of a buffer, the caller's. */
static jr_status download(const taking *it, uint64_t index, void **copy) {
    const uint64_t bytes = it->launch.buffers[index].bytes;
    void *made = malloc(bytes);
    if (made == NULL) return no_memory();
    const jr_status status = jr_memory_download(it->device, made, it->addresses[index], bytes, it->stream);
    if (status == JR_OK)
        *copy = made;
    else
        free(made);
    return status;
}

static jr_status take_before(taking *it) {
    jr_status status = JR_OK;
    for (uint64_t i = 0; status == JR_OK && i < it->launch.info.buffer_count; i++) {
        void *copy = NULL;
        status = download(it, i, &copy);
        it->launch.buffers[i].before = copy;
    }
    return status;
}

static jr_status take_after(taking *it) {
    jr_status status = JR_OK;
    for (uint64_t i = 0; status == JR_OK && i < it->launch.info.buffer_count; i++) {
        void *copy = NULL;
        status = download(it, i, &copy);
        it->launch.buffers[i].after = copy;
    }
    return status;
}

/* ---- before and after ---- */

static jr_status check_stream(const taking *it) {
    if (jr_streams_is_captured(it->device, it->stream) ||
        jr_captures_hold(it->recorded->recorder->captures, it->device, NULL))
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "a stream is being captured into a graph");
    return jr_streams_check(it->device, it->stream);
}

static void describe(taking *it, const jr_launch *launch) {
    jr_replay_info *info = &it->launch.info;
    for (int i = 0; i < 3; i++) {
        info->grid[i] = launch->grid[i] > 0 ? launch->grid[i] : 1;
        info->block[i] = launch->block[i] > 0 ? launch->block[i] : 1;
    }
    info->shared_bytes = launch->shared_bytes;
    info->dependent = launch->dependent;
    snprintf(info->device, sizeof info->device, "%s", it->device->info.name);
    it->launch.image = it->recorded->image;
}

static jr_status begin(taking *it, const jr_launch *launch, void **args) {
    describe(it, launch);
    if (jr_launch_has_attributes(launch))
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "it is cooperative, or has clusters, a priority or attributes");
    JR_TRY(check_stream(it));
    JR_TRY(wait_some(it, "before"));
    JR_TRY(take_arguments(it, args));
    JR_TRY(check_bytes(it));
    return take_before(it);
}

/* A launch that ended with a fault is recorded, too: on the simulator its cause may show. */
static jr_status end(taking *it) {
    jr_status status = wait_some(it, "after");
    if (status == JR_ERROR_DEVICE_FAULT)
        snprintf(it->launch.info.failure, sizeof it->launch.info.failure, "%s", jr_last_error()->message);
    else if (status == JR_OK)
        status = take_after(it);
    if (status != JR_OK && status != JR_ERROR_DEVICE_FAULT) return status;
    return jr_recorder_store(it->recorded->recorder, &it->launch);
}

static void free_all(taking *it) {
    for (uint64_t i = 0; i < it->launch.info.buffer_count; i++) {
        free((void *)it->launch.buffers[i].before);
        free((void *)it->launch.buffers[i].after);
    }
    free(it->launch.arguments);
    free(it->launch.buffers);
    free(it->addresses);
}

/* Tells of a failure, and leaves the error record as it was. */
static void settle(const taking *it, jr_status status, jr_error_saved *saved) {
    if (status != JR_OK)
        jr_log(JR_LOG_WARNING, "a launch of %s is not captured: %s", it->recorded->image->entry,
               jr_last_error()->message);
    jr_error_restore(saved);
}

jr_status jr_recorded_launch(const jr_recorded *recorded, jr_cu_function function, const jr_launch *launch,
                             void **args) {
    const jr_device *device = recorded->recorder->device;
    if (atomic_load(&recorded->recorder->full)) return jr_launch_run(device, function, launch, args);
    taking it = {.recorded = recorded, .device = device, .stream = launch->stream};
    jr_error_saved *saved = jr_error_save();
    const jr_status begun = begin(&it, launch, args);
    settle(&it, begun, saved);
    const jr_status status = jr_launch_run(device, function, launch, args);
    if (begun == JR_OK && status == JR_OK) {
        saved = jr_error_save();
        const jr_status ended = end(&it);
        settle(&it, ended, saved);
    } else if (begun == JR_OK) {
        jr_log(JR_LOG_WARNING, "a launch of %s is not captured: it was refused", recorded->image->entry);
    }
    free_all(&it);
    return status;
}
