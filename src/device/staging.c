/* Fills the ring of pinned pieces with several threads and sends them to the device.
 *
 * Piece i lies at place i % PIECES. A place is filled, sent, and let go of when the copy is over; its next piece is
 * filled then. The caller's thread sends and lets go, in order; it waits for a copy only when IN_FLIGHT are under way,
 * so that the copy engine always has the next one. */
#include "staging.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/log.h"
#include "base/own_thread.h"
#include "memory.h"

/* A piece is long enough on the bus to hide the calls that send it and a thread's waking up; a slice fits into a core's
 * own cache. */
enum { PIECES = 8, IN_FLIGHT = 4, SLICES = 8, PIECE_BYTES = 4 << 20, PAGE_BYTES = 4096 };

/* Threads: at most, and at most by our own choice, which leaves cores of a large machine to the application. */
enum { THREADS_MAX = 16, THREADS_CHOSEN_MAX = 8 };

/* A chunk's pieces are those of its first array, then of the second, and so on. */
struct jr_staging {
    const jr_device *device;
    jr_staged_array arrays[JR_PUMP_ARRAYS_MAX];
    uint64_t first_pieces[JR_PUMP_ARRAYS_MAX + 1]; /* of each array in a chunk; then how many a chunk has */
    int array_count;
    uint64_t piece_count; /* of all chunks */
    uint64_t piece_bytes, slice_bytes;
    unsigned char *ring; /* pinned */
    jr_cu_event sent[PIECES];
    pthread_t threads[THREADS_MAX];
    int threads_wanted, thread_count;
    pthread_mutex_t lock;    /* guards what follows */
    pthread_cond_t room;     /* a place was let go of, or it is time to stop */
    pthread_cond_t filled;   /* a piece is complete */
    uint64_t claimed;        /* slices of all pieces, in order, that a thread took */
    uint64_t let_go;         /* pieces whose places may be filled anew */
    int open_slices[PIECES]; /* not filled yet, of the piece that has the place */
    bool stopping;
};

static uint64_t least(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

static uint64_t up_to_multiple(uint64_t number, uint64_t unit) {
    return (number + unit - 1) / unit * unit;
}

/* Where a piece comes from. */
typedef struct span {
    const unsigned char *from;
    uint64_t bytes; /* 0: the array ends before it */
} span;

static span span_of(const jr_staging *staging, uint64_t piece) {
    const uint64_t per_chunk = staging->first_pieces[staging->array_count];
    const uint64_t chunk = piece / per_chunk, within = piece % per_chunk;
    int i = 0;
    while (within >= staging->first_pieces[i + 1]) i++;
    const jr_staged_array *array = &staging->arrays[i];
    const uint64_t skipped = (within - staging->first_pieces[i]) * staging->piece_bytes;
    const uint64_t begin = least(chunk * array->chunk_bytes + skipped, array->bytes);
    return (span){(const unsigned char *)array->data + begin,
                  least(least(staging->piece_bytes, array->chunk_bytes - skipped), array->bytes - begin)};
}

static unsigned char *place_of(const jr_staging *staging, uint64_t piece) {
    return staging->ring + piece % PIECES * staging->piece_bytes;
}

/* ---- filling; lock held ---- */

static bool may_fill(const jr_staging *staging) {
    return staging->claimed / SLICES < least(staging->piece_count, staging->let_go + PIECES);
}

/* Lets the lock go meanwhile. A short piece's last slices may be empty. */
static void fill_slice(jr_staging *staging) {
    const uint64_t piece = staging->claimed / SLICES, from = staging->claimed % SLICES * staging->slice_bytes;
    staging->claimed++;
    pthread_mutex_unlock(&staging->lock);
    const span source = span_of(staging, piece);
    const uint64_t begin = least(from, source.bytes);
    memcpy(place_of(staging, piece) + begin, source.from + begin, least(staging->slice_bytes, source.bytes - begin));
    pthread_mutex_lock(&staging->lock);
    if (--staging->open_slices[piece % PIECES] == 0) pthread_cond_signal(&staging->filled);
}

static void *serve(void *argument) {
    jr_staging *staging = argument;
    pthread_mutex_lock(&staging->lock);
    while (!staging->stopping && staging->claimed < staging->piece_count * SLICES)
        if (may_fill(staging))
            fill_slice(staging);
        else
            pthread_cond_wait(&staging->room, &staging->lock);
    pthread_mutex_unlock(&staging->lock);
    return NULL;
}

/* ---- sending; no lock held ---- */

static jr_status let_go(jr_staging *staging, uint64_t piece) {
    const jr_driver *driver = &staging->device->driver;
    const jr_cu_result result = driver->cuEventSynchronize(staging->sent[piece % PIECES]);
    if (result != JR_CUDA_SUCCESS) return jr_driver_check(driver, result, "waiting for a copy to the device");
    pthread_mutex_lock(&staging->lock);
    staging->open_slices[piece % PIECES] = SLICES;
    staging->let_go = piece + 1;
    pthread_cond_broadcast(&staging->room);
    pthread_mutex_unlock(&staging->lock);
    return JR_OK;
}

/* Helps while it waits, so that it also works without any thread. */
static void wait_filled(jr_staging *staging, uint64_t piece) {
    pthread_mutex_lock(&staging->lock);
    while (staging->open_slices[piece % PIECES] > 0)
        if (may_fill(staging))
            fill_slice(staging);
        else
            pthread_cond_wait(&staging->filled, &staging->lock);
    pthread_mutex_unlock(&staging->lock);
}

static jr_status send_piece(jr_staging *staging, uint64_t piece, jr_cu_deviceptr to, jr_cu_stream stream) {
    const jr_driver *driver = &staging->device->driver;
    jr_status status = piece < IN_FLIGHT ? JR_OK : let_go(staging, piece - IN_FLIGHT);
    if (status != JR_OK) return status;
    wait_filled(staging, piece);
    status = jr_memory_upload(staging->device, to, place_of(staging, piece), span_of(staging, piece).bytes, stream);
    if (status != JR_OK) return status;
    const jr_cu_result result = driver->cuEventRecord(staging->sent[piece % PIECES], stream);
    return jr_driver_check(driver, result, "recording an event");
}

jr_status jr_staging_send(jr_staging *staging, uint64_t chunk, int array, jr_cu_deviceptr to, jr_cu_stream stream) {
    jr_status status = JR_OK;
    const uint64_t chunk_piece = chunk * staging->first_pieces[staging->array_count];
    const uint64_t first = chunk_piece + staging->first_pieces[array];
    const uint64_t end = chunk_piece + staging->first_pieces[array + 1];
    for (uint64_t piece = first; piece < end && status == JR_OK; piece++)
        status = send_piece(staging, piece, to + (piece - first) * staging->piece_bytes, stream);
    return status;
}

/* ---- threads ---- */

void jr_staging_start(jr_staging *staging) {
    staging->claimed = staging->let_go = 0;
    staging->stopping = false;
    for (int i = 0; i < PIECES; i++) staging->open_slices[i] = SLICES;
    while (staging->thread_count < staging->threads_wanted &&
           jr_own_thread_begin(&staging->threads[staging->thread_count], NULL, serve, staging) == 0)
        staging->thread_count++;
}

void jr_staging_stop(jr_staging *staging) {
    pthread_mutex_lock(&staging->lock);
    staging->stopping = true;
    pthread_cond_broadcast(&staging->room);
    pthread_mutex_unlock(&staging->lock);
    while (staging->thread_count > 0) pthread_join(staging->threads[--staging->thread_count], NULL);
}

/* ---- making ---- */

static int choose_threads(int wanted) {
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    if (wanted <= 0) wanted = cores < THREADS_CHOSEN_MAX ? (int)cores : THREADS_CHOSEN_MAX;
    return wanted < THREADS_MAX ? wanted : THREADS_MAX;
}

/* Small chunks make the pieces small. */
static void choose_sizes(const jr_staging_request *request, jr_staging *staging) {
    uint64_t largest = 1;
    for (int i = 0; i < request->array_count; i++)
        if (largest < request->arrays[i].chunk_bytes) largest = request->arrays[i].chunk_bytes;
    const uint64_t wanted = request->piece_bytes > 0 ? request->piece_bytes : PIECE_BYTES;
    staging->piece_bytes = up_to_multiple(least(wanted, largest), PAGE_BYTES);
    staging->slice_bytes = staging->piece_bytes / SLICES;
    staging->array_count = request->array_count;
    for (int i = 0; i < request->array_count; i++) {
        staging->arrays[i] = request->arrays[i];
        staging->first_pieces[i + 1] =
            staging->first_pieces[i] + (request->arrays[i].chunk_bytes - 1) / staging->piece_bytes + 1;
    }
    staging->piece_count = request->chunk_count * staging->first_pieces[request->array_count];
}

/* False when the host gives none. */
static bool allocate_ring(jr_staging *staging) {
    void *ring = NULL;
    const size_t bytes = (size_t)(least(staging->piece_count, PIECES) * staging->piece_bytes);
    const jr_cu_result result = staging->device->driver.cuMemHostAlloc(&ring, bytes, 0);
    if (result != JR_CUDA_SUCCESS)
        jr_log(JR_LOG_WARNING, "%zu bytes of host memory could not be pinned (driver error %d): copies will be slower",
               bytes, result);
    else
        staging->ring = ring;
    return result == JR_CUDA_SUCCESS;
}

/* A thread that waits for these sleeps: spinning would take a core from those that fill. */
static jr_status create_events(jr_staging *staging) {
    const jr_driver *driver = &staging->device->driver;
    jr_status status = JR_OK;
    for (int i = 0; i < PIECES && status == JR_OK; i++)
        status = jr_driver_check(
            driver, driver->cuEventCreate(&staging->sent[i], JR_CU_EVENT_BLOCKING | JR_CU_EVENT_DISABLE_TIMING),
            "creating an event");
    return status;
}

jr_status jr_staging_create(const jr_device *device, const jr_staging_request *request, jr_staging **staging) {
    jr_staging *made = calloc(1, sizeof *made);
    if (made == NULL)
        return jr_fail(JR_ERROR_OUT_OF_MEMORY, "no host memory for a staging ring's %zu bytes", sizeof *made);
    made->device = device;
    made->threads_wanted = choose_threads(request->thread_count);
    pthread_mutex_init(&made->lock, NULL);
    pthread_cond_init(&made->room, NULL);
    pthread_cond_init(&made->filled, NULL);
    choose_sizes(request, made);
    const bool pinned = allocate_ring(made);
    const jr_status status = pinned ? create_events(made) : JR_OK;
    if (status != JR_OK || !pinned) {
        jr_staging_destroy(made);
        made = NULL;
    }
    if (status == JR_OK) *staging = made;
    return status;
}

void jr_staging_destroy(jr_staging *staging) {
    if (staging == NULL) return;
    const jr_driver *driver = &staging->device->driver;
    for (int i = 0; i < PIECES; i++)
        if (staging->sent[i] != NULL) driver->cuEventDestroy_v2(staging->sent[i]);
    if (staging->ring != NULL) driver->cuMemFreeHost(staging->ring);
    pthread_cond_destroy(&staging->filled);
    pthread_cond_destroy(&staging->room);
    pthread_mutex_destroy(&staging->lock);
    free(staging);
}
