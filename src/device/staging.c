/* Fills the ring with the pieces of chunks, and sends them.
 *
 * A place is filled, sent, and let go of when the copy is over; its next piece is filled then. The caller's thread
 * sends and lets go, in order. */
#include "staging.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/whole.h"
#include "memory.h"
#include "ring.h"

/* A chunk's pieces are those of its first staged array, then of the second, and so on. */
struct jr_staging {
    const jr_device *device;
    jr_staging_request request;
    uint64_t first_pieces[JR_PUMP_ARRAYS_MAX + 1]; /* of each array in a chunk; then how many a chunk has */
    uint64_t piece_bytes, piece_count;             /* of all chunks */
    jr_ring *ring;
};

static int array_of(const jr_staging *staging, uint64_t piece) {
    int i = 0;
    while (piece % staging->first_pieces[staging->request.array_count] >= staging->first_pieces[i + 1]) i++;
    return i;
}

/* Where a piece comes from; of no bytes where the array's part ends before it. */
static jr_bytes source_of(const jr_staging *staging, uint64_t piece) {
    const uint64_t per_chunk = staging->first_pieces[staging->request.array_count];
    const uint64_t within = piece % per_chunk, piece_bytes = staging->piece_bytes;
    const int i = array_of(staging, piece);
    const jr_bytes part = staging->request.part(staging->request.user, i, piece / per_chunk);
    const uint64_t skipped = jr_least((within - staging->first_pieces[i]) * piece_bytes, part.count);
    return (jr_bytes){(const unsigned char *)part.at + skipped, jr_least(piece_bytes, part.count - skipped)};
}

static void fill(const void *user, uint64_t piece, unsigned char *place, uint64_t from, uint64_t bytes) {
    const jr_staging *staging = user;
    const jr_bytes source = source_of(staging, piece);
    const uint64_t begin = jr_least(from, source.count), count = jr_least(bytes, source.count - begin);
    const jr_gather *gather = staging->request.gathers[array_of(staging, piece)];
    if (count == 0) return;
    if (gather != NULL)
        jr_gather_read(gather, (const unsigned char *)source.at + begin, count, place + begin);
    else
        memcpy(place + begin, (const unsigned char *)source.at + begin, count);
}

/* The place of a piece whose copy is over is for the piece that comes next there. */
static jr_status let_go(jr_staging *staging, uint64_t piece) {
    const jr_status status = jr_ring_wait_mark(staging->ring, piece);
    if (status == JR_OK) jr_ring_allow(staging->ring, jr_least(piece + 1 + JR_RING_PIECES, staging->piece_count));
    return status;
}

static jr_status send_piece(jr_staging *staging, uint64_t piece, jr_cu_deviceptr to, jr_cu_stream stream) {
    if (piece >= JR_RING_IN_FLIGHT) JR_TRY(let_go(staging, piece - JR_RING_IN_FLIGHT));
    jr_ring_wait(staging->ring, piece);
    JR_TRY(jr_memory_upload(staging->device, to, jr_ring_place(staging->ring, piece), source_of(staging, piece).count,
                            stream));
    return jr_ring_mark(staging->ring, piece, stream);
}

jr_status jr_staging_send(jr_staging *staging, const jr_staged *staged) {
    jr_status status = JR_OK;
    const uint64_t per_chunk = staging->first_pieces[staging->request.array_count];
    const uint64_t first = staging->first_pieces[staged->array], end = staging->first_pieces[staged->array + 1];
    for (uint64_t p = first; p < end && status == JR_OK; p++) {
        status = send_piece(staging, staged->chunk * per_chunk + p, staged->to + (p - first) * staging->piece_bytes,
                            staged->stream);
        if (status == JR_OK && staged->meanwhile != NULL) status = staged->meanwhile(staged->user, p + 1, per_chunk);
    }
    return status;
}

void jr_staging_start(jr_staging *staging) {
    jr_ring_start(staging->ring);
    jr_ring_allow(staging->ring, jr_least(JR_RING_PIECES, staging->piece_count));
}

void jr_staging_stop(jr_staging *staging) {
    jr_ring_stop(staging->ring);
}

static void choose_pieces(jr_staging *staging) {
    const jr_staging_request *request = &staging->request;
    uint64_t most = 0;
    for (int i = 0; i < request->array_count; i++)
        if (most < request->chunk_bytes[i]) most = request->chunk_bytes[i];
    staging->piece_bytes = jr_ring_piece(request->piece_bytes, most);
    for (int i = 0; i < request->array_count; i++) {
        const uint64_t bytes = request->chunk_bytes[i], piece = staging->piece_bytes;
        staging->first_pieces[i + 1] = staging->first_pieces[i] + jr_divide_up(bytes, piece);
    }
    staging->piece_count = request->chunk_count * staging->first_pieces[request->array_count];
}

jr_status jr_staging_create(const jr_device *device, const jr_staging_request *request, jr_staging **staging) {
    jr_staging *made = calloc(1, sizeof *made);
    if (made == NULL) return jr_fail(JR_ERROR_OUT_OF_MEMORY, "no host memory for staging's %zu bytes", sizeof *made);
    made->device = device;
    made->request = *request;
    choose_pieces(made);
    const jr_ring_request ring = {.piece_bytes = made->piece_bytes,
                                  .piece_count = made->piece_count,
                                  .thread_count = request->thread_count,
                                  .both_ways = request->both_ways,
                                  .copy = fill,
                                  .user = made};
    const jr_status status = jr_ring_create(device, &ring, &made->ring);
    if (status != JR_OK || made->ring == NULL) {
        jr_staging_destroy(made);
        return status;
    }
    *staging = made;
    return JR_OK;
}

void jr_staging_destroy(jr_staging *staging) {
    if (staging == NULL) return;
    jr_ring_destroy(staging->ring);
    free(staging);
}
