/* Staging: arrays in pageable host memory go to the device through a ring of pinned pieces (ring.h), which threads fill
 * ahead of those that are on their way: the first copy starts early, and the copy engine finds the bytes in the CPU's
 * cache. */
#ifndef JR_DEVICE_STAGING_H
#define JR_DEVICE_STAGING_H

#include "device.h"
#include "gather.h"

enum { JR_PUMP_ARRAYS_MAX = 5 }; /* that go to the device together */

typedef struct jr_staging jr_staging;

/* Bytes of host memory. */
typedef struct jr_bytes {
    const void *at;
    uint64_t count;
} jr_bytes;

/* What goes through, and how. Pieces never cross the border of a chunk. */
typedef struct jr_staging_request {
    int array_count; /* at least 1 */
    uint64_t chunk_count;
    uint64_t chunk_bytes[JR_PUMP_ARRAYS_MAX];     /* the most that a chunk has of each array; 0: it is not staged */
    const jr_gather *gathers[JR_PUMP_ARRAYS_MAX]; /* of arrays whose elements lie apart; NULL: they do not */
    /* An array's part of a chunk; called by any thread. */
    jr_bytes (*part)(const void *user, int array, uint64_t chunk);
    const void *user;
    uint64_t piece_bytes; /* as in jr_ring_request */
    int thread_count;
    bool both_ways; /* as in jr_ring_request */
} jr_staging_request;

/* Is called after each piece of a chunk that was sent: so many of all are. */
typedef jr_status (*jr_staging_meanwhile)(void *user, uint64_t sent, uint64_t all);

/* Makes the ring. *staging is NULL when the host gives no pinned memory. The context is current here and in all that
 * follows. Errors: those of jr_ring_create. */
jr_status jr_staging_create(const jr_device *device, const jr_staging_request *request, jr_staging **staging);
/* No copy out of the ring may be under way. NULL is fine. */
void jr_staging_destroy(jr_staging *staging);

/* Starts the threads at the first chunk; stops them, wherever they are. Copies stay under way. */
void jr_staging_start(jr_staging *staging);
void jr_staging_stop(jr_staging *staging);

/* What is sent to where. */
typedef struct jr_staged {
    uint64_t chunk;
    int array;
    jr_cu_deviceptr to;
    jr_cu_stream stream;
    jr_staging_meanwhile meanwhile; /* NULL: nothing is done */
    void *user;
} jr_staged;

/* Puts the copies of an array's part of a chunk on a stream: between start and stop, all staged arrays of chunk 0, then
 * all of chunk 1, and so on. Waits for the threads and for earlier copies, not for its own. Errors: JR_ERROR_DRIVER,
 * JR_ERROR_DEVICE_FAULT, those of meanwhile. */
jr_status jr_staging_send(jr_staging *staging, const jr_staged *staged);

#endif
