/* Staging: arrays in pageable host memory go to the device through a ring of pinned pieces that CPU threads fill.
 *
 * Copy engines read pinned memory only. Other memory a driver stages itself, in one thread, while the bus waits for it.
 * Here several threads fill pieces ahead of those that are on their way. Each piece is cut into slices, so that all
 * threads work on the same piece: the first copy starts early, and the ring stays small enough for the CPU's cache,
 * where the copy engine then finds the bytes. */
#ifndef JR_DEVICE_STAGING_H
#define JR_DEVICE_STAGING_H

#include "device.h"

enum { JR_PUMP_ARRAYS_MAX = 4 }; /* that go to the device together */

typedef struct jr_staging jr_staging;

/* An array and its part in each chunk; the last chunk may have less of it, or nothing. */
typedef struct jr_staged_array {
    const void *data;
    uint64_t bytes, chunk_bytes; /* not 0 */
} jr_staged_array;

/* What goes through, and how. Pieces never cross the border of a chunk. */
typedef struct jr_staging_request {
    jr_staged_array arrays[JR_PUMP_ARRAYS_MAX];
    int array_count; /* at least 1 */
    uint64_t chunk_count;
    uint64_t piece_bytes; /* of a piece of the ring; 0: choose */
    int thread_count;     /* that fill it beside the caller, 16 at most; 0: as many as cores, 8 at most */
} jr_staging_request;

/* Makes the ring. *staging is NULL when the host gives no pinned memory: that costs time, never the call, and the log
 * says so. The context is current here and in all that follows. Errors: JR_ERROR_OUT_OF_MEMORY, JR_ERROR_DRIVER,
 * JR_ERROR_DEVICE_FAULT. */
jr_status jr_staging_create(const jr_device *device, const jr_staging_request *request, jr_staging **staging);
/* No copy out of the ring may be under way. NULL is fine. */
void jr_staging_destroy(jr_staging *staging);

/* Starts the threads at the first chunk. Fewer than wanted will do: the caller fills, too. */
void jr_staging_start(jr_staging *staging);
/* Stops and joins them, wherever they are. Copies stay under way. */
void jr_staging_stop(jr_staging *staging);

/* Puts the copies of an array's part in a chunk on a stream: between start and stop, all arrays of chunk 0, then all of
 * chunk 1, and so on. Waits for the threads and for earlier copies, not for its own. Errors: JR_ERROR_DRIVER,
 * JR_ERROR_DEVICE_FAULT. */
jr_status jr_staging_send(jr_staging *staging, uint64_t chunk, int array, jr_cu_deviceptr to, jr_cu_stream stream);

#endif
