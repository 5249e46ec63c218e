/* Streams and events that a caller names: checked before anything is done with them. The context must be current. */
#ifndef JR_DEVICE_STREAMS_H
#define JR_DEVICE_STREAMS_H

#include "device.h"

/* May work be put on a stream? Errors: JR_ERROR_WRONG_CONTEXT; JR_ERROR_INVALID_ARGUMENT: there is no such stream, or
 * it is the default one and a stream that waits for it is being captured, which the work would spoil. */
jr_status jr_streams_check(const jr_device *device, jr_cu_stream stream);

/* Is a stream being captured, whole or spoilt? false also where the driver cannot say. */
bool jr_streams_is_captured(const jr_device *device, jr_cu_stream stream);

/* The same, and an error where the driver does not know the stream. Errors: those of jr_streams_known. */
jr_status jr_streams_captured(const jr_device *device, jr_cu_stream stream, int *captured);

/* The status of a driver's call for a handle of the caller's: what the driver does not know is the caller's mistake.
 * what: "event", "graph". Errors: JR_ERROR_INVALID_ARGUMENT, those of jr_driver_check. */
jr_status jr_streams_known(const jr_device *device, jr_cu_result result, const char *what, const void *handle);

/* Reads "done" or "not yet" from what the driver answers; both are fine. Errors: those of jr_streams_known. */
jr_status jr_streams_answer(const jr_device *device, jr_cu_result result, const char *what, const void *handle,
                            int *done);

/* The milliseconds between two events. Errors: JR_ERROR_INVALID_ARGUMENT: one of them has not happened, or records no
 * time; those of jr_driver_check. */
jr_status jr_streams_elapsed(const jr_device *device, jr_cu_event begin, jr_cu_event end, double *milliseconds);

#endif
