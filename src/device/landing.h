/* Landing: results come from the device into pageable host memory through a ring of pinned pieces (ring.h), which
 * threads empty while the next ones are on their way. */
#ifndef JR_DEVICE_LANDING_H
#define JR_DEVICE_LANDING_H

#include "device.h"

typedef struct jr_landing jr_landing;

/* What comes back. */
typedef struct jr_landed {
    void *to;
    jr_cu_deviceptr from;
    uint64_t bytes;
    jr_cu_stream stream; /* in whose order it is there */
} jr_landed;

/* Makes the ring for loads of most_bytes at most. *landing is NULL when the host gives no pinned memory. piece_bytes,
 * thread_count: see jr_ring_request. The context is current here and in all that follows. Errors: those of
 * jr_ring_create. */
jr_status jr_landing_create(const jr_device *device, uint64_t most_bytes, uint64_t piece_bytes, int thread_count,
                            jr_landing **landing);
/* No copy into the ring may be under way. NULL is fine. */
void jr_landing_destroy(jr_landing *landing);

/* Starts the threads, with nothing to bring; stops them, wherever they are: what has not been brought to its end may
 * lie there in part, or not at all. */
void jr_landing_start(jr_landing *landing);
void jr_landing_stop(jr_landing *landing);

/* Takes on a load, when that before it is on its way whole (jr_landing_bring). Puts nothing on the stream. */
void jr_landing_take(jr_landing *landing, const jr_landed *load);

/* Puts the load's copies on its stream until `bytes` of it are on their way: UINT64_MAX: all. Waits for earlier copies
 * and the threads, not for its own. Errors: JR_ERROR_DRIVER, JR_ERROR_DEVICE_FAULT. */
jr_status jr_landing_bring(jr_landing *landing, uint64_t bytes);

/* Waits until all that is on its way lies in the host's memory. Errors: JR_ERROR_DRIVER, JR_ERROR_DEVICE_FAULT. */
jr_status jr_landing_end(jr_landing *landing);

#endif
