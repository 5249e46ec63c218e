/* Has the ring filled by the device, and emptied by threads.
 *
 * A place is on its way, then emptied; its next piece is brought then. One thread, the carrier, brings all loads in
 * order, and alone talks to the driver of them: who sends the next chunks waits for nothing of it but that a buffer's
 * results are on their way. Where no such thread can be had, the caller brings a load as it takes it on. */
#include "landing.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/copy.h"
#include "base/error.h"
#include "base/own_thread.h"
#include "base/whole.h"
#include "memory.h"
#include "ring.h"

struct jr_landing {
    const jr_device *device;
    uint64_t piece_bytes;
    uint64_t next, landed;             /* pieces of all loads on their way; those that are in the ring */
    jr_landed targets[JR_RING_PIECES]; /* of the pieces in their places */
    jr_ring *ring;
    pthread_t carrier;
    bool carries;                      /* there is one */
    pthread_mutex_t lock;              /* guards what follows */
    pthread_cond_t changed;            /* any of it */
    jr_landed loads[JR_LANDING_LOADS]; /* load i has place i % JR_LANDING_LOADS */
    uint64_t taken, brought;           /* loads; those whose copies are all on their streams */
    bool ending;                       /* no load comes any more */
    bool over;                         /* the carrier has nothing more to do: */
    jr_status status;                  /* what became of it, */
    jr_error_saved *error;             /* and why, for whoever is told first */
};

static void empty(const void *user, uint64_t piece, unsigned char *place, uint64_t from, uint64_t bytes) {
    const jr_landing *landing = user;
    const jr_landed *target = &landing->targets[piece % JR_RING_PIECES];
    const uint64_t begin = jr_least(from, target->bytes), count = jr_least(bytes, target->bytes - begin);
    jr_copy_past_cache((unsigned char *)target->to + begin, place + begin, count);
}

/* ---- the carrier; no lock held ---- */

/* Waits for the first piece that is still on its way, and has it emptied. */
static jr_status land(jr_landing *landing) {
    const jr_status status = jr_ring_wait_mark(landing->ring, landing->landed);
    if (status == JR_OK) jr_ring_allow(landing->ring, ++landing->landed);
    return status;
}

/* Puts the piece of a load that begins at byte `from` on its way. */
static jr_status bring_piece(jr_landing *landing, const jr_landed *load, uint64_t from) {
    const uint64_t piece = landing->next;
    jr_landed *target = &landing->targets[piece % JR_RING_PIECES];
    jr_status status = JR_OK;
    if (piece - landing->landed == JR_RING_IN_FLIGHT) status = land(landing);
    if (status != JR_OK) return status;
    if (piece >= JR_RING_PIECES) jr_ring_wait(landing->ring, piece - JR_RING_PIECES);
    *target = (jr_landed){.to = (unsigned char *)load->to + from,
                          .from = load->from + from,
                          .bytes = jr_least(landing->piece_bytes, load->bytes - from)};
    status = jr_memory_fetch(landing->device, jr_ring_place(landing->ring, piece), target->from, target->bytes,
                             load->stream);
    if (status == JR_OK) status = jr_ring_mark(landing->ring, piece, load->stream);
    landing->next++;
    return status;
}

static jr_status bring(jr_landing *landing, const jr_landed *load) {
    jr_status status = JR_OK;
    for (uint64_t from = 0; from < load->bytes && status == JR_OK; from += landing->piece_bytes)
        status = bring_piece(landing, load, from);
    return status;
}

/* Waits until all that is on its way lies in the host's memory. */
static jr_status land_all(jr_landing *landing) {
    jr_status status = JR_OK;
    while (landing->landed < landing->next && status == JR_OK) status = land(landing);
    const uint64_t first = landing->landed < JR_RING_PIECES ? 0 : landing->landed - JR_RING_PIECES;
    for (uint64_t piece = first; piece < landing->landed; piece++) jr_ring_wait(landing->ring, piece);
    return status;
}

/* The next load, when there is one; NULL: none comes any more. The one before it is brought. */
static const jr_landed *wait_for_load(jr_landing *landing) {
    pthread_mutex_lock(&landing->lock);
    while (landing->brought == landing->taken && !landing->ending) pthread_cond_wait(&landing->changed, &landing->lock);
    const jr_landed *load =
        landing->brought < landing->taken ? &landing->loads[landing->brought % JR_LANDING_LOADS] : NULL;
    pthread_mutex_unlock(&landing->lock);
    return load;
}

static void tell_brought(jr_landing *landing) {
    pthread_mutex_lock(&landing->lock);
    landing->brought++;
    pthread_cond_broadcast(&landing->changed);
    pthread_mutex_unlock(&landing->lock);
}

static void tell_over(jr_landing *landing, jr_status status) {
    jr_error_saved *error = status != JR_OK ? jr_error_save() : NULL;
    pthread_mutex_lock(&landing->lock);
    landing->over = true;
    landing->status = status;
    landing->error = error;
    pthread_cond_broadcast(&landing->changed);
    pthread_mutex_unlock(&landing->lock);
}

static void *carry(void *argument) {
    jr_landing *landing = argument;
    bool pushed = false;
    jr_status status = jr_device_enter(landing->device, &pushed);
    const bool entered = status == JR_OK;
    for (const jr_landed *load; status == JR_OK && (load = wait_for_load(landing)) != NULL;) {
        status = bring(landing, load);
        if (status == JR_OK) tell_brought(landing);
    }
    if (status == JR_OK) status = land_all(landing);
    if (entered) jr_device_leave(landing->device, pushed);
    tell_over(landing, status);
    return NULL;
}

/* ---- the caller ---- */

/* What became of the carrier, whose error becomes the caller's. Lock held. */
static jr_status told(jr_landing *landing) {
    if (landing->error != NULL) jr_error_restore(landing->error);
    landing->error = NULL;
    return landing->status;
}

jr_status jr_landing_take(jr_landing *landing, const jr_landed *load) {
    if (!landing->carries) {
        landing->taken = ++landing->brought;
        return bring(landing, load);
    }
    const jr_status status =
        landing->taken < JR_LANDING_LOADS ? JR_OK : jr_landing_wait(landing, landing->taken - JR_LANDING_LOADS + 1);
    if (status != JR_OK) return status;
    pthread_mutex_lock(&landing->lock);
    landing->loads[landing->taken++ % JR_LANDING_LOADS] = *load;
    pthread_cond_broadcast(&landing->changed);
    pthread_mutex_unlock(&landing->lock);
    return JR_OK;
}

jr_status jr_landing_wait(jr_landing *landing, uint64_t loads) {
    pthread_mutex_lock(&landing->lock);
    while (landing->brought < loads && !landing->over) pthread_cond_wait(&landing->changed, &landing->lock);
    const jr_status status = landing->over ? told(landing) : JR_OK;
    pthread_mutex_unlock(&landing->lock);
    return status;
}

static void end(jr_landing *landing) {
    pthread_mutex_lock(&landing->lock);
    landing->ending = true;
    pthread_cond_broadcast(&landing->changed);
    pthread_mutex_unlock(&landing->lock);
}

jr_status jr_landing_end(jr_landing *landing) {
    if (!landing->carries) return land_all(landing);
    end(landing);
    return jr_landing_wait(landing, UINT64_MAX);
}

void jr_landing_start(jr_landing *landing) {
    landing->next = landing->landed = landing->taken = landing->brought = 0;
    landing->ending = landing->over = false;
    jr_ring_start(landing->ring);
    landing->carries = jr_own_thread_begin(&landing->carrier, NULL, carry, landing) == 0;
}

void jr_landing_stop(jr_landing *landing) {
    if (landing->carries) {
        end(landing);
        pthread_join(landing->carrier, NULL);
        jr_error_discard(landing->error);
        landing->error = NULL;
        landing->carries = false;
    }
    jr_ring_stop(landing->ring);
}

jr_status jr_landing_create(const jr_device *device, uint64_t most_bytes, uint64_t piece_bytes, int thread_count,
                            jr_landing **landing) {
    jr_landing *made = calloc(1, sizeof *made);
    if (made == NULL) return jr_fail(JR_ERROR_OUT_OF_MEMORY, "no host memory for a landing's %zu bytes", sizeof *made);
    made->device = device;
    made->piece_bytes = jr_ring_piece(piece_bytes, most_bytes);
    pthread_mutex_init(&made->lock, NULL);
    pthread_cond_init(&made->changed, NULL);
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
    pthread_cond_destroy(&landing->changed);
    pthread_mutex_destroy(&landing->lock);
    free(landing);
}
