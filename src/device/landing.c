/* Has the ring filled by the device, and emptied by threads.
 *
 * A place is on its way, then emptied; its next piece is brought then. The caller's thread brings, in order. */
#include "landing.h"

#include <stdlib.h>

#include "base/copy.h"
#include "base/error.h"
#include "base/whole.h"
#include "memory.h"
#include "ring.h"

struct jr_landing {
    const jr_device *device;
    uint64_t piece_bytes;
    jr_landed load;                    /* that was taken on last */
    uint64_t brought;                  /* bytes of it that are on their way */
    uint64_t next, landed;             /* pieces of all loads on their way; those that are in the ring */
    jr_landed targets[JR_RING_PIECES]; /* of the pieces in their places */
    jr_ring *ring;
};

static void empty(const void *user, uint64_t piece, unsigned char *place, uint64_t from, uint64_t bytes) {
    const jr_landing *landing = user;
    const jr_landed *target = &landing->targets[piece % JR_RING_PIECES];
    const uint64_t begin = jr_least(from, target->bytes), count = jr_least(bytes, target->bytes - begin);
    jr_copy_past_cache((unsigned char *)target->to + begin, place + begin, count);
}

/* Waits for the first piece that is still on its way, and has it emptied. */
static jr_status land(jr_landing *landing) {
    const jr_status status = jr_ring_wait_mark(landing->ring, landing->landed);
    if (status == JR_OK) jr_ring_allow(landing->ring, ++landing->landed);
    return status;
}

static jr_status bring_piece(jr_landing *landing) {
    const uint64_t piece = landing->next;
    const jr_landed *load = &landing->load;
    jr_landed *target = &landing->targets[piece % JR_RING_PIECES];
    jr_status status = JR_OK;
    if (piece - landing->landed == JR_RING_IN_FLIGHT) status = land(landing);
    if (status != JR_OK) return status;
    if (piece >= JR_RING_PIECES) jr_ring_wait(landing->ring, piece - JR_RING_PIECES);
    *target = (jr_landed){.to = (unsigned char *)load->to + landing->brought,
                          .from = load->from + landing->brought,
                          .bytes = jr_least(landing->piece_bytes, load->bytes - landing->brought)};
    status = jr_memory_fetch(landing->device, jr_ring_place(landing->ring, piece), target->from, target->bytes,
                             load->stream);
    if (status == JR_OK) status = jr_ring_mark(landing->ring, piece, load->stream);
    landing->brought += target->bytes;
    landing->next++;
    return status;
}

void jr_landing_take(jr_landing *landing, const jr_landed *load) {
    landing->load = *load;
    landing->brought = 0;
}

jr_status jr_landing_bring(jr_landing *landing, uint64_t bytes) {
    jr_status status = JR_OK;
    while (landing->brought < jr_least(bytes, landing->load.bytes) && status == JR_OK) status = bring_piece(landing);
    return status;
}

jr_status jr_landing_end(jr_landing *landing) {
    jr_status status = JR_OK;
    while (landing->landed < landing->next && status == JR_OK) status = land(landing);
    const uint64_t first = landing->landed < JR_RING_PIECES ? 0 : landing->landed - JR_RING_PIECES;
    for (uint64_t piece = first; piece < landing->landed; piece++) jr_ring_wait(landing->ring, piece);
    return status;
}

void jr_landing_start(jr_landing *landing) {
    landing->next = landing->landed = landing->brought = 0;
    landing->load = (jr_landed){.bytes = 0};
    jr_ring_start(landing->ring);
}

void jr_landing_stop(jr_landing *landing) {
    jr_ring_stop(landing->ring);
}

jr_status jr_landing_create(const jr_device *device, uint64_t most_bytes, uint64_t piece_bytes, int thread_count,
                            jr_landing **landing) {
    jr_landing *made = calloc(1, sizeof *made);
    if (made == NULL) return jr_fail(JR_ERROR_OUT_OF_MEMORY, "no host memory for a landing's %zu bytes", sizeof *made);
    made->device = device;
    made->piece_bytes = jr_ring_piece(piece_bytes, most_bytes);
    const jr_ring_request ring = {.piece_bytes = made->piece_bytes,
                                  .piece_count = JR_RING_PIECES,
                                  .thread_count = thread_count,
                                  .both_ways = true,
                                  .copy = empty,
                                  .user = made};
    const jr_status status = jr_ring_create(device, &ring, &made->ring);
    if (status == JR_OK && made->ring != NULL)
        *landing = made;
    else
        jr_landing_destroy(made);
    return status;
}

void jr_landing_destroy(jr_landing *landing) {
    if (landing == NULL) return;
    jr_ring_destroy(landing->ring);
    free(landing);
}
