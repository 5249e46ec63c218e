/* Measures device time with events. */
#include "stopwatch.h"

jr_status jr_stopwatch_create(const jr_device *device, jr_stopwatch *watch) {
    *watch = (jr_stopwatch){.driver = &device->driver};
    jr_status status = jr_driver_check(watch->driver, watch->driver->cuEventCreate(&watch->begin, JR_CU_EVENT_DEFAULT),
                                       "creating an event");
    if (status == JR_OK)
        status = jr_driver_check(watch->driver, watch->driver->cuEventCreate(&watch->end, JR_CU_EVENT_DEFAULT),
                                 "creating an event");
    if (status != JR_OK) jr_stopwatch_destroy(watch);
    return status;
}

void jr_stopwatch_destroy(jr_stopwatch *watch) {
    if (watch->begin != NULL) watch->driver->cuEventDestroy_v2(watch->begin);
    if (watch->end != NULL) watch->driver->cuEventDestroy_v2(watch->end);
    *watch = (jr_stopwatch){0};
}

jr_status jr_stopwatch_start(jr_stopwatch *watch, jr_cu_stream stream) {
    return jr_driver_check(watch->driver, watch->driver->cuEventRecord(watch->begin, stream), "recording an event");
}

jr_status jr_stopwatch_stop(jr_stopwatch *watch, jr_cu_stream stream) {
    return jr_driver_check(watch->driver, watch->driver->cuEventRecord(watch->end, stream), "recording an event");
}

jr_status jr_stopwatch_read(jr_stopwatch *watch, double *milliseconds) {
    float elapsed = 0;
    jr_status status =
        jr_driver_check(watch->driver, watch->driver->cuEventSynchronize(watch->end), "waiting for an event");
    if (status == JR_OK)
        status = jr_driver_check(watch->driver, watch->driver->cuEventElapsedTime(&elapsed, watch->begin, watch->end),
                                 "reading an event's time");
    if (status == JR_OK) *milliseconds = (double)elapsed;
    return status;
}
