/* Sends chunks through the buffers in turn, and their results back. */
#include "pump.h"

#include <stdlib.h>

#include "base/error.h"
#include "gather_upload.h"
#include "landing.h"
#include "memory.h"

/* Pinning a ring has its price, too: below this the driver's own staging is left to it. */
static const uint64_t STAGE_FROM_BYTES = 128 << 20;

struct jr_pump {
    const jr_device *device;
    jr_pump_request request;
    jr_chunks chunks;
    jr_cu_deviceptr buffers;
    jr_cu_stream streams[JR_PUMP_BUFFERS];
    jr_cu_event done[JR_PUMP_BUFFERS]; /* the kernels of the buffer's chunk; of ordered chunks */
    jr_staging *staging;               /* NULL: chunks are copied from where they lie */
    bool staged[JR_PUMP_ARRAYS_MAX];
    bool direct;         /* the driver knows where results go */
    jr_landing *landing; /* NULL: results are copied to where they go */
    jr_landed waiting;   /* results that are not on their way yet, or not all */
};

/* ---- making ---- */

static jr_status create_streams(jr_pump *pump) {
    const jr_driver *driver = &pump->device->driver;
    jr_status status = JR_OK;
    for (int i = 0; i < pump->chunks.buffer_count && status == JR_OK; i++) {
        status = jr_driver_check(driver, driver->cuStreamCreate(&pump->streams[i], JR_CU_STREAM_NON_BLOCKING),
                                 "creating a stream");
        if (status != JR_OK || !pump->request.ordered) continue;
        status = jr_driver_check(driver, driver->cuEventCreate(&pump->done[i], JR_CU_EVENT_DISABLE_TIMING),
                                 "creating an event");
    }
    return status;
}

static uint64_t items_of(const jr_pump *pump, int array) {
    return pump->request.arrays[array].beside ? pump->request.beside_count : pump->request.count;
}

/* The bytes of an array that a chunk has. */
static jr_bytes part_of(const void *user, int array, uint64_t chunk) {
    const jr_pump *pump = user;
    const jr_pump_array *row = &pump->request.arrays[array];
    const jr_span items = jr_chunks_items(&pump->chunks, array, chunk);
    return (jr_bytes){(const unsigned char *)row->data + items.first * row->element_bytes,
                      items.count * row->element_bytes};
}

static uint64_t stage_from(const jr_pump *pump) {
    return pump->request.stage_from_bytes > 0 ? pump->request.stage_from_bytes : STAGE_FROM_BYTES;
}

static uint64_t result_bytes(const jr_pump *pump) {
    const jr_pump_results *results = &pump->request.results;
    return results->data == NULL ? 0 : pump->request.result_count * results->bytes;
}

/* Are results brought by a ring: not known to the driver, and many? */
static bool uses_landing(const jr_pump *pump) {
    return !pump->direct && result_bytes(pump) > 0 && result_bytes(pump) >= stage_from(pump);
}

/* Stages what the driver does not know, when it is much. */
static jr_status create_staging(jr_pump *pump) {
    const jr_pump_request *request = &pump->request;
    jr_staging_request staging = {.array_count = request->array_count,
                                  .chunk_count = pump->chunks.count,
                                  .part = part_of,
                                  .user = pump,
                                  .piece_bytes = request->piece_bytes,
                                  .thread_count = request->thread_count,
                                  .both_ways = uses_landing(pump)};
    uint64_t staged_bytes = 0;
    for (int i = 0; i < request->array_count; i++) {
        const jr_pump_array *array = &request->arrays[i];
        const uint64_t bytes = items_of(pump, i) * array->element_bytes;
        pump->staged[i] = bytes > 0 && (array->gather != NULL || !jr_memory_is_known(pump->device, array->data, bytes));
        if (!pump->staged[i]) continue;
        staging.gathers[i] = array->gather;
        staging.chunk_bytes[i] =
            array->element_bytes * (array->beside ? pump->chunks.most.beside.count : pump->chunks.most.elements.count);
        staged_bytes += bytes;
    }
    return staged_bytes < stage_from(pump) ? JR_OK : jr_staging_create(pump->device, &staging, &pump->staging);
}

static jr_status create_landing(jr_pump *pump) {
    if (!uses_landing(pump)) return JR_OK;
    return jr_landing_create(pump->device, pump->chunks.most.results.count * pump->request.results.bytes,
                             pump->request.piece_bytes, pump->request.thread_count, &pump->landing);
}

static uint64_t buffer_bytes(const jr_pump *pump) {
    return pump->chunks.offsets[pump->request.array_count + 1];
}

static jr_status fill(jr_pump *pump) {
    jr_status status = jr_chunks_choose(&pump->request, &pump->chunks);
    if (status == JR_OK)
        status = jr_memory_allocate(pump->device, buffer_bytes(pump) * (uint64_t)pump->chunks.buffer_count, NULL,
                                    &pump->buffers);
    const uint64_t bytes = result_bytes(pump);
    pump->direct = bytes > 0 && jr_memory_is_known(pump->device, pump->request.results.data, bytes);
    if (status == JR_OK) status = create_streams(pump);
    if (status == JR_OK) status = create_staging(pump);
    return status == JR_OK ? create_landing(pump) : status;
}

jr_status jr_pump_open(const jr_device *device, const jr_pump_request *request, jr_pump **pump) {
    jr_pump *made = calloc(1, sizeof *made);
    if (made == NULL) return jr_fail(JR_ERROR_OUT_OF_MEMORY, "no host memory for a pump's %zu bytes", sizeof *made);
    made->device = device;
    made->request = *request;
    const jr_status status = fill(made);
    if (status != JR_OK) {
        jr_pump_close(made);
        return status;
    }
    *pump = made;
    return JR_OK;
}

/* Waits once more: after a wait that failed, copies may still be under way. Records no error. */
void jr_pump_close(jr_pump *pump) {
    if (pump == NULL) return;
    const jr_driver *driver = &pump->device->driver;
    for (int i = 0; i < JR_PUMP_BUFFERS; i++) {
        if (pump->streams[i] == NULL) continue;
        driver->cuStreamSynchronize(pump->streams[i]);
        driver->cuStreamDestroy_v2(pump->streams[i]);
        if (pump->done[i] != NULL) driver->cuEventDestroy_v2(pump->done[i]);
    }
    jr_staging_destroy(pump->staging);
    jr_landing_destroy(pump->landing);
    jr_memory_release(pump->device, pump->buffers, NULL);
    free(pump);
}

/* ---- running ---- */

/* Waits for all streams, whatever became of the others. Keeps an earlier failure. */
static jr_status drain(const jr_pump *pump, jr_status status) {
    const jr_driver *driver = &pump->device->driver;
    for (int i = 0; i < pump->chunks.buffer_count; i++) {
        const jr_cu_result result = driver->cuStreamSynchronize(pump->streams[i]);
        if (status == JR_OK) status = jr_driver_check(driver, result, "waiting for the device");
    }
    return status;
}

static jr_chunk chunk_of(const jr_pump *pump, uint64_t index) {
    const jr_chunk_cut cut = jr_chunks_cut(&pump->chunks, index);
    const int buffer = (int)(index % (uint64_t)pump->chunks.buffer_count);
    const jr_cu_deviceptr begin = pump->buffers + (uint64_t)buffer * buffer_bytes(pump);
    jr_chunk chunk = {.index = index,
                      .first = cut.elements.first,
                      .count = cut.elements.count,
                      .results = cut.results,
                      .stream = pump->streams[buffer],
                      .buffer = buffer};
    for (int i = 0; i < pump->request.array_count; i++) chunk.in[i] = begin + pump->chunks.offsets[i];
    chunk.out = pump->request.results.upon_first ? begin : begin + pump->chunks.offsets[pump->request.array_count];
    return chunk;
}

/* As much of the results of the chunk before as is sent of this one. */
static jr_status bring_meanwhile(void *user, uint64_t sent, uint64_t all) {
    const jr_pump *pump = user;
    return jr_landing_bring(pump->landing, pump->waiting.bytes / all * sent);
}

static jr_status send_array(jr_pump *pump, const jr_chunk *chunk, int i) {
    const jr_bytes part = part_of(pump, i, chunk->index);
    const jr_staged staged = {.chunk = chunk->index,
                              .array = i,
                              .to = chunk->in[i],
                              .stream = chunk->stream,
                              .meanwhile = pump->landing != NULL ? bring_meanwhile : NULL,
                              .user = pump};
    if (pump->staging != NULL && pump->staged[i]) return jr_staging_send(pump->staging, &staged);
    const jr_gather *gather = pump->request.arrays[i].gather;
    if (gather != NULL) return jr_gather_upload(pump->device, chunk->in[i], gather, &part, chunk->stream);
    return jr_memory_upload(pump->device, chunk->in[i], part.at, part.count, chunk->stream);
}

/* Starts the copies of all results that still wait. The driver, where it copies them through its own buffers, may wait
 * for them: what is to run meanwhile is on its streams. */
static jr_status bring_rest(jr_pump *pump) {
    const jr_landed *load = &pump->waiting;
    jr_status status = JR_OK;
    if (pump->landing != NULL)
        status = jr_landing_bring(pump->landing, UINT64_MAX);
    else
        status = jr_memory_fetch(pump->device, load->to, load->from, load->bytes, load->stream);
    pump->waiting.bytes = 0;
    return status;
}

/* The results of a chunk whose kernels are on its stream. */
static jr_status take_results(jr_pump *pump, const jr_chunk *chunk) {
    const jr_pump_results *results = &pump->request.results;
    if (results->data == NULL) return JR_OK;
    pump->waiting = (jr_landed){.to = (unsigned char *)results->data + chunk->results.first * results->bytes,
                                .from = chunk->out,
                                .bytes = chunk->results.count * results->bytes,
                                .stream = chunk->stream};
    if (pump->landing != NULL) jr_landing_take(pump->landing, &pump->waiting);
    return pump->direct ? bring_rest(pump) : JR_OK;
}

/* Calls back for a chunk that was copied to the device; its kernels follow those of the chunk before, if chunks must be
 * in order. */
static jr_status call_back(const jr_pump *pump, const jr_chunk *chunk, jr_chunk_fn callback, void *user) {
    const jr_driver *driver = &pump->device->driver;
    const int before = (chunk->buffer + pump->chunks.buffer_count - 1) % pump->chunks.buffer_count;
    jr_status status = JR_OK;
    if (pump->request.ordered && chunk->index > 0)
        status = jr_driver_check(driver, driver->cuStreamWaitEvent(chunk->stream, pump->done[before], 0),
                                 "making a stream wait for an event");
    if (status == JR_OK) status = callback(user, chunk);
    if (status != JR_OK || !pump->request.ordered) return status;
    return jr_driver_check(driver, driver->cuEventRecord(pump->done[chunk->buffer], chunk->stream),
                           "recording an event");
}

static jr_status run_chunk(jr_pump *pump, uint64_t index, jr_chunk_fn callback, void *user) {
    const jr_chunk chunk = chunk_of(pump, index);
    jr_status status = JR_OK;
    for (int array = 0; array < pump->request.array_count && status == JR_OK; array++)
        status = send_array(pump, &chunk, array);
    if (status == JR_OK) status = call_back(pump, &chunk, callback, user);
    if (status == JR_OK) status = bring_rest(pump);
    return status == JR_OK ? take_results(pump, &chunk) : status;
}

jr_status jr_pump_run(jr_pump *pump, jr_chunk_fn callback, void *user) {
    jr_status status = JR_OK;
    pump->waiting = (jr_landed){.bytes = 0};
    if (pump->staging != NULL) jr_staging_start(pump->staging);
    if (pump->landing != NULL) jr_landing_start(pump->landing);
    for (uint64_t i = 0; i < pump->chunks.count && status == JR_OK; i++) status = run_chunk(pump, i, callback, user);
    if (status == JR_OK) status = bring_rest(pump);
    if (status == JR_OK && pump->landing != NULL) status = jr_landing_end(pump->landing);
    if (pump->staging != NULL) jr_staging_stop(pump->staging);
    if (pump->landing != NULL) jr_landing_stop(pump->landing);
    return drain(pump, status);
}

uint64_t jr_pump_chunk_count(const jr_pump *pump) {
    return pump->chunks.count;
}

bool jr_pump_stages(const jr_pump *pump) {
    return pump->staging != NULL;
}

bool jr_pump_uses_landing(const jr_pump *pump) {
    return pump->landing != NULL;
}
