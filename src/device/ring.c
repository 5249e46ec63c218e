/* Copies between pinned pieces and host memory with several threads. */
#include "ring.h"

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/error.h"
#include "base/log.h"
#include "base/own_thread.h"

/* A piece is long enough on the bus to hide the calls that send it and a thread's waking up; a slice fits into a core's
 * own cache. */
enum { SLICES = 8, PIECE_BYTES = 4 << 20, PAGE_BYTES = 4096 };

/* Threads: at most, and at most by our own choice, which leaves cores of a large machine to the application. */
enum { THREADS_MAX = 16, THREADS_CHOSEN_MAX = 8 };

struct jr_ring {
    const jr_device *device;
    jr_ring_copy copy;
    const void *user;
    uint64_t piece_bytes, slice_bytes;
    unsigned char *memory; /* pinned */
    jr_cu_event marks[JR_RING_PIECES];
    pthread_t threads[THREADS_MAX];
    int threads_wanted, thread_count;
    pthread_mutex_t lock;            /* guards what follows */
    pthread_cond_t room;             /* more is allowed, or it is time to stop */
    pthread_cond_t copied;           /* a piece is complete */
    uint64_t claimed;                /* slices of all pieces, in order, that a thread took */
    uint64_t end;                    /* of the pieces that may be copied */
    int open_slices[JR_RING_PIECES]; /* not copied yet, of the piece that has the place */
    bool stopping;
};

unsigned char *jr_ring_place(const jr_ring *ring, uint64_t piece) {
    return ring->memory + piece % JR_RING_PIECES * ring->piece_bytes;
}

/* ---- copying; lock held ---- */

static bool may_copy(const jr_ring *ring) {
    return ring->claimed / SLICES < ring->end;
}

/* Lets the lock go meanwhile. */
static void copy_slice(jr_ring *ring) {
    const uint64_t piece = ring->claimed / SLICES, from = ring->claimed % SLICES * ring->slice_bytes;
    ring->claimed++;
    pthread_mutex_unlock(&ring->lock);
    ring->copy(ring->user, piece, jr_ring_place(ring, piece), from, ring->slice_bytes);
    pthread_mutex_lock(&ring->lock);
    if (--ring->open_slices[piece % JR_RING_PIECES] == 0) pthread_cond_signal(&ring->copied);
}

static void *serve(void *argument) {
    jr_ring *ring = argument;
    pthread_mutex_lock(&ring->lock);
    while (!ring->stopping)
        if (may_copy(ring))
            copy_slice(ring);
        else
            pthread_cond_wait(&ring->room, &ring->lock);
    pthread_mutex_unlock(&ring->lock);
    return NULL;
}

/* ---- the caller's thread; no lock held ---- */

void jr_ring_allow(jr_ring *ring, uint64_t end) {
    pthread_mutex_lock(&ring->lock);
    for (; ring->end < end; ring->end++) ring->open_slices[ring->end % JR_RING_PIECES] = SLICES;
    pthread_cond_broadcast(&ring->room);
    pthread_mutex_unlock(&ring->lock);
}

void jr_ring_wait(jr_ring *ring, uint64_t piece) {
    pthread_mutex_lock(&ring->lock);
    while (ring->open_slices[piece % JR_RING_PIECES] > 0)
        if (may_copy(ring))
            copy_slice(ring);
        else
            pthread_cond_wait(&ring->copied, &ring->lock);
    pthread_mutex_unlock(&ring->lock);
}

jr_status jr_ring_mark(const jr_ring *ring, uint64_t piece, jr_cu_stream stream) {
    const jr_driver *driver = &ring->device->driver;
    const jr_cu_result result = driver->cuEventRecord(ring->marks[piece % JR_RING_PIECES], stream);
    return jr_driver_check(driver, result, "recording an event");
}

jr_status jr_ring_wait_mark(const jr_ring *ring, uint64_t piece) {
    const jr_driver *driver = &ring->device->driver;
    const jr_cu_result result = driver->cuEventSynchronize(ring->marks[piece % JR_RING_PIECES]);
    return jr_driver_check(driver, result, "waiting for a copy to or from the device");
}

/* ---- threads ---- */

void jr_ring_start(jr_ring *ring) {
    ring->claimed = ring->end = 0;
    ring->stopping = false;
    for (int i = 0; i < JR_RING_PIECES; i++) ring->open_slices[i] = 0;
    while (ring->thread_count < ring->threads_wanted &&
           jr_own_thread_begin(&ring->threads[ring->thread_count], NULL, serve, ring) == 0)
        ring->thread_count++;
}

void jr_ring_stop(jr_ring *ring) {
    pthread_mutex_lock(&ring->lock);
    ring->stopping = true;
    pthread_cond_broadcast(&ring->room);
    pthread_mutex_unlock(&ring->lock);
    while (ring->thread_count > 0) pthread_join(ring->threads[--ring->thread_count], NULL);
}

/* ---- making ---- */

static int choose_threads(int wanted) {
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    if (wanted <= 0) wanted = cores < THREADS_CHOSEN_MAX ? (int)cores : THREADS_CHOSEN_MAX;
    return wanted < THREADS_MAX ? wanted : THREADS_MAX;
}

uint64_t jr_ring_piece(uint64_t wanted, uint64_t most) {
    if (wanted == 0) wanted = PIECE_BYTES;
    const uint64_t bytes = wanted < most ? wanted : most;
    return bytes == 0 ? PAGE_BYTES : (bytes + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES;
}

/* False when the host gives none. */
static bool allocate(const jr_ring_request *request, jr_ring *ring) {
    void *memory = NULL;
    const uint64_t pieces = request->piece_count < JR_RING_PIECES ? request->piece_count : JR_RING_PIECES;
    const size_t bytes = (size_t)(pieces * ring->piece_bytes);
    const jr_cu_result result = ring->device->driver.cuMemHostAlloc(&memory, bytes, 0);
    if (result != JR_CUDA_SUCCESS)
        jr_log(JR_LOG_WARNING, "%zu bytes of host memory could not be pinned (driver error %d): copies will be slower",
               bytes, result);
    else
        ring->memory = memory;
    return result == JR_CUDA_SUCCESS;
}

/* A thread that waits for these sleeps: spinning would take a core from those that copy. But where one thread waits for
 * both ways, waking up each time is too long, if there are cores enough. Measured on an H200 with 16 cores, a scan
 * of 8.6 GB of host memory: sleeping 31 to 34 GB/s each way, spinning 38. */
static jr_status create_marks(const jr_ring_request *request, jr_ring *ring) {
    const jr_driver *driver = &ring->device->driver;
    const bool spins = request->both_ways && sysconf(_SC_NPROCESSORS_ONLN) >= 2L * ring->threads_wanted;
    const unsigned flags = JR_CU_EVENT_DISABLE_TIMING | (spins ? 0 : JR_CU_EVENT_BLOCKING);
    jr_status status = JR_OK;
    for (int i = 0; i < JR_RING_PIECES && status == JR_OK; i++)
        status = jr_driver_check(driver, driver->cuEventCreate(&ring->marks[i], flags), "creating an event");
    return status;
}

jr_status jr_ring_create(const jr_device *device, const jr_ring_request *request, jr_ring **ring) {
    jr_ring *made = calloc(1, sizeof *made);
    if (made == NULL) return jr_fail(JR_ERROR_OUT_OF_MEMORY, "no host memory for a ring's %zu bytes", sizeof *made);
    made->device = device;
    made->copy = request->copy;
    made->user = request->user;
    made->threads_wanted = choose_threads(request->thread_count);
    made->piece_bytes = request->piece_bytes;
    made->slice_bytes = made->piece_bytes / SLICES;
    pthread_mutex_init(&made->lock, NULL);
    pthread_cond_init(&made->room, NULL);
    pthread_cond_init(&made->copied, NULL);
    const bool pinned = allocate(request, made);
    const jr_status status = pinned ? create_marks(request, made) : JR_OK;
    if (status != JR_OK || !pinned) {
        jr_ring_destroy(made);
        made = NULL;
    }
    if (status == JR_OK) *ring = made;
    return status;
}

void jr_ring_destroy(jr_ring *ring) {
    if (ring == NULL) return;
    const jr_driver *driver = &ring->device->driver;
    for (int i = 0; i < JR_RING_PIECES; i++)
        if (ring->marks[i] != NULL) driver->cuEventDestroy_v2(ring->marks[i]);
    if (ring->memory != NULL) driver->cuMemFreeHost(ring->memory);
    pthread_cond_destroy(&ring->copied);
    pthread_cond_destroy(&ring->room);
    pthread_mutex_destroy(&ring->lock);
    free(ring);
}
