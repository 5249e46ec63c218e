/* Uploads elements that lie apart. */
#include "gather_upload.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/whole.h"
#include "memory.h"

/* Pinning a ring has its price: below this one piece of pageable memory does. */
static const uint64_t RING_FROM_BYTES = 16 << 20, PIECE_BYTES = 1 << 20;

static jr_status upload_by_pieces(const jr_device *device, jr_cu_deviceptr to, const jr_gather *gather,
                                  const jr_bytes *from, jr_cu_stream stream) {
    const uint64_t most = jr_least(PIECE_BYTES, from->count);
    jr_status status = JR_OK;
    void *piece = malloc((size_t)most + 1);
    if (piece == NULL)
        return jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory for a piece of %llu bytes", (unsigned long long)most);
    for (uint64_t done = 0; done < from->count && status == JR_OK; done += most) {
        const uint64_t bytes = jr_least(most, from->count - done);
        jr_gather_read(gather, (const unsigned char *)from->at + done, bytes, piece);
        status = jr_memory_upload(device, to + done, piece, bytes, stream);
    }
    free(piece);
    return status;
}

static jr_bytes part_of(const void *user, int array, uint64_t chunk) {
    (void)array;
    (void)chunk;
    return *(const jr_bytes *)user;
}

jr_status jr_gather_upload(const jr_device *device, jr_cu_deviceptr to, const jr_gather *gather, const jr_bytes *from,
                           jr_cu_stream stream) {
    const jr_staging_request request = {.array_count = 1,
                                        .chunk_count = 1,
                                        .chunk_bytes = {from->count},
                                        .gathers = {gather},
                                        .part = part_of,
                                        .user = from};
    jr_staging *staging = NULL;
    if (from->count >= RING_FROM_BYTES) JR_TRY(jr_staging_create(device, &request, &staging));
    if (staging == NULL) return upload_by_pieces(device, to, gather, from, stream);
    jr_staging_start(staging);
    jr_status status = jr_staging_send(staging, &(jr_staged){.to = to, .stream = stream});
    jr_staging_stop(staging);
    if (status == JR_OK) status = jr_memory_wait(device, stream);
    JR_KEEP_ERROR;
    if (status != JR_OK) (void)jr_memory_wait(device, stream); /* copies may still be under way */
    jr_staging_destroy(staging);
    return status;
}
