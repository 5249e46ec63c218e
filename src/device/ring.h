/* A ring of pinned pieces between the device and pageable host memory.
 *
 * Copy engines know pinned memory only. Other memory a driver stages itself, in one thread, while the bus waits for it.
 * Here several threads copy between the pieces and the host's memory, while others of the pieces are on their way from
 * or to the device. Each piece is cut into slices, so that all threads work on the same piece: the ring stays small
 * enough for the CPU's cache.
 *
 * Piece i has place i % JR_RING_PIECES. The caller's thread alone talks to the driver: it says up to which piece the
 * threads may copy, and waits for a copy of the device only when JR_RING_IN_FLIGHT are under way. */
#ifndef JR_DEVICE_RING_H
#define JR_DEVICE_RING_H

#include "device.h"

enum { JR_RING_PIECES = 8, JR_RING_IN_FLIGHT = 4 };

typedef struct jr_ring jr_ring;

/* Copies `bytes` from byte `from` of a piece on, between its place and the host's memory; 0 at the end of a short
 * piece. Called by any thread, without a lock. */
typedef void (*jr_ring_copy)(const void *user, uint64_t piece, unsigned char *place, uint64_t from, uint64_t bytes);

typedef struct jr_ring_request {
    uint64_t piece_bytes; /* as jr_ring_piece has it */
    uint64_t piece_count; /* there are no more places than that */
    int thread_count;     /* threads that copy in addition to the caller's, 16 at most; 0: as many as cores, 8 at
                           * most */
    bool both_ways;       /* another ring goes the other way at the same time */
    jr_ring_copy copy;
    const void *user;
} jr_ring_request;

/* Bytes of a piece: what is wanted, 0: chosen, in whole pages; no more than the most that goes through at once takes.
 */
uint64_t jr_ring_piece(uint64_t wanted, uint64_t most);

/* Makes a ring. *ring is NULL when the host gives no pinned memory: that costs time, never the call, and the log says
 * so. The context is current here and in all that follows. Errors: JR_ERROR_OUT_OF_MEMORY, JR_ERROR_DRIVER,
 * JR_ERROR_DEVICE_FAULT. */
jr_status jr_ring_create(const jr_device *device, const jr_ring_request *request, jr_ring **ring);
/* No copy of the device may be under way. NULL is fine. */
void jr_ring_destroy(jr_ring *ring);

unsigned char *jr_ring_place(const jr_ring *ring, uint64_t piece);

/* Starts the threads at piece 0. Fewer than wanted will do: the caller copies, too. */
void jr_ring_start(jr_ring *ring);
/* Stops and joins them, wherever they are. Copies of the device stay under way. */
void jr_ring_stop(jr_ring *ring);

/* Lets threads copy all pieces below `end`, whose places are free or filled for that; never lowered. */
void jr_ring_allow(jr_ring *ring, uint64_t end);

/* Waits until a piece that is allowed is copied. Helps meanwhile, so that it also works without any thread. */
void jr_ring_wait(jr_ring *ring, uint64_t piece);

/* Marks the end of a piece's copy on a stream; waits for a mark. Errors: JR_ERROR_DRIVER, JR_ERROR_DEVICE_FAULT. */
jr_status jr_ring_mark(const jr_ring *ring, uint64_t piece, jr_cu_stream stream);
jr_status jr_ring_wait_mark(const jr_ring *ring, uint64_t piece);

#endif
