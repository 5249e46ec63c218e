/* Landing: results come from the device into pageable host memory through a ring of pinned pieces (ring.h), which
 * threads empty while the next ones are on their way. */
#ifndef JR_DEVICE_LANDING_H
#define JR_DEVICE_LANDING_H

#include "device.h"

enum { JR_LANDING_LOADS = 8 }; /* that wait at the same time */

typedef struct jr_landing jr_landing;

/* What comes back. */
typedef struct jr_landed {
    void *to;
    jr_cu_deviceptr from;
    uint64_t bytes;
    jr_cu_stream stream; /* in whose order it is there */
} jr_landed;

/* Makes the ring for loads of most_bytes at most. *landing is NULL when the host gives no pinned memory. piece_bytes,
 * thread_count: as of jr_ring_request. The context is current here and in all that follows. Errors: those of
 * jr_ring_create. */
jr_status jr_landing_create(const jr_device *device, uint64_t most_bytes, uint64_t piece_bytes, int thread_count,
                            jr_landing **landing);
/* No copy into the ring may be under way. NULL is fine. */
void jr_landing_destroy(jr_landing *landing);

/* Starts the threads, with nothing to bring; stops them, when those loads that were taken on are on their way: what has
 * not been brought to its end may lie there in part, or not at all. */
void jr_landing_start(jr_landing *landing);
void jr_landing_stop(jr_landing *landing);

/* Takes on a load, whose copies come on its stream behind what is there now. Waits while there are JR_LANDING_LOADS.
 * Errors, here and below: JR_ERROR_DRIVER, JR_ERROR_DEVICE_FAULT, also of an earlier load. */
jr_status jr_landing_take(jr_landing *landing, const jr_landed *load);

/* Waits until the copies of so many loads are on their streams. */
jr_status jr_landing_wait(jr_landing *landing, uint64_t loads);

/* Waits until all loads lie in the host's memory; nothing may be taken on any more. */
jr_status jr_landing_end(jr_landing *landing);

#endif
