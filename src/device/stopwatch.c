/* Measures device time with events. */
#include "stopwatch.h"

#include "base/error.h"

static jr_status check(const jr_stopwatch *watch, jr_cu_result result, const char *action) {
    return result == JR_CUDA_SUCCESS ? JR_OK : jr_driver_fail(&watch->device->driver, result, "%s", action);
}

jr_status jr_stopwatch_create(const jr_device *device, jr_stopwatch *watch) {
    *watch = (jr_stopwatch){.device = device};
    jr_status status =
        check(watch, device->driver.cuEventCreate(&watch->begin, JR_CU_EVENT_DEFAULT), "creating an event");
    if (status != JR_OK) return status;
    status = check(watch, device->driver.cuEventCreate(&watch->end, JR_CU_EVENT_DEFAULT), "creating an event");
    if (status != JR_OK) jr_stopwatch_destroy(watch);
    return status;
}

void jr_stopwatch_destroy(jr_stopwatch *watch) {
    if (watch->begin != NULL) watch->device->driver.cuEventDestroy_v2(watch->begin);
    if (watch->end != NULL) watch->device->driver.cuEventDestroy_v2(watch->end);
    *watch = (jr_stopwatch){0};
}

jr_status jr_stopwatch_start(jr_stopwatch *watch, jr_cu_stream stream) {
    return check(watch, watch->device->driver.cuEventRecord(watch->begin, stream), "recording an event");
}

jr_status jr_stopwatch_stop(jr_stopwatch *watch, jr_cu_stream stream) {
    return check(watch, watch->device->driver.cuEventRecord(watch->end, stream), "recording an event");
}

jr_status jr_stopwatch_read(jr_stopwatch *watch, double *milliseconds) {
    const jr_driver *driver = &watch->device->driver;
    float elapsed = 0;
    jr_status status = check(watch, driver->cuEventSynchronize(watch->end), "waiting for an event");
    if (status == JR_OK)
        status =
            check(watch, driver->cuEventElapsedTime(&elapsed, watch->begin, watch->end), "reading an event's time");
    if (status == JR_OK) *milliseconds = (double)elapsed;
    return status;
}
