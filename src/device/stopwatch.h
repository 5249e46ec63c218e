/* The stopwatch: device time between two events of a stream. The context must be current. */
#ifndef JR_DEVICE_STOPWATCH_H
#define JR_DEVICE_STOPWATCH_H

#include "device.h"

typedef struct jr_stopwatch {
    const jr_driver *driver;
    jr_cu_event begin, end;
} jr_stopwatch;

jr_status jr_stopwatch_create(const jr_device *device, jr_stopwatch *watch);
void jr_stopwatch_destroy(jr_stopwatch *watch); /* one that was zeroed is fine */

jr_status jr_stopwatch_start(jr_stopwatch *watch, jr_cu_stream stream);
jr_status jr_stopwatch_stop(jr_stopwatch *watch, jr_cu_stream stream);

/* Waits for the stop and gives the milliseconds between the two. */
jr_status jr_stopwatch_read(jr_stopwatch *watch, double *milliseconds);

#endif
