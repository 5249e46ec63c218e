/* Cuts arrays into chunks of elements and sends them through the buffers in turn. */
#include "pump.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "memory.h"
#include "staging.h"

/* Two buffers would do if kernels always took less time than copies; the third covers those that now and then do not.
 * A chunk is long enough to hide the calls that one costs. */
enum { BUFFER_ALIGNMENT = 256 };
static const uint64_t CHUNK_BYTES = 64 << 20;

/* Pinning the ring has its price, too: below this the driver's own staging is left to it. */
static const uint64_t STAGE_FROM_BYTES = 128 << 20;

struct jr_pump {
    const jr_device *device;
    jr_pump_array arrays[JR_PUMP_ARRAYS_MAX];
    int array_count;
    uint64_t count;                           /* elements of each array */
    uint64_t chunk_count, chunk_elements;     /* how many chunks; elements of each but the last */
    uint64_t offsets[JR_PUMP_ARRAYS_MAX + 1]; /* of each array in a buffer; then the buffer's bytes */
    int buffer_count;                         /* no more than chunks */
    jr_cu_deviceptr buffers;
    jr_cu_stream streams[JR_PUMP_BUFFERS];
    jr_staging *staging;            /* NULL: chunks are copied from where they lie */
    int places[JR_PUMP_ARRAYS_MAX]; /* of each array among those that are staged; below 0: it is not */
};

static uint64_t least(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

static uint64_t up_to_multiple(uint64_t number, uint64_t unit) {
    return (number + unit - 1) / unit * unit;
}

/* Lays out a buffer for count elements of each array and returns its bytes. */
static uint64_t lay_out(const jr_pump_request *request, uint64_t count, uint64_t offsets[JR_PUMP_ARRAYS_MAX + 1]) {
    offsets[0] = 0;
    for (int i = 0; i < request->array_count; i++)
        offsets[i + 1] = offsets[i] + up_to_multiple(count * request->arrays[i].element_bytes, BUFFER_ALIGNMENT);
    return offsets[request->array_count];
}

/* As many elements as fit a buffer of room_bytes, which holds a granule. */
static uint64_t count_for(const jr_pump_request *request, uint64_t granule, uint64_t room_bytes) {
    uint64_t offsets[JR_PUMP_ARRAYS_MAX + 1], item_bytes = 0;
    for (int i = 0; i < request->array_count; i++) item_bytes += request->arrays[i].element_bytes;
    if (item_bytes == 0) return granule; /* there is nothing to move */
    uint64_t count = room_bytes / item_bytes / granule * granule;
    while (count > granule && lay_out(request, count, offsets) > room_bytes) count -= granule;
    return count;
}

/* The largest chunks that bring something, but no larger than limit and arrays ask for. */
static jr_status choose_chunks(const jr_pump_request *request, jr_pump *pump) {
    const uint64_t granule = request->granule_count > 0 ? request->granule_count : 1;
    const uint64_t smallest = lay_out(request, granule, pump->offsets), needed = JR_PUMP_BUFFERS * smallest;
    const uint64_t largest = smallest < CHUNK_BYTES ? CHUNK_BYTES : smallest;
    const uint64_t allowed = request->limit_bytes > 0 ? request->limit_bytes / JR_PUMP_BUFFERS : largest;
    if (allowed < smallest)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT,
                       "a limit of %llu bytes of device memory is too small: give at least %llu, for %d buffers of "
                       "%llu bytes",
                       (unsigned long long)request->limit_bytes, (unsigned long long)needed, JR_PUMP_BUFFERS,
                       (unsigned long long)smallest);
    pump->chunk_elements = count_for(request, granule, least(allowed, largest));
    pump->chunk_count = request->count / pump->chunk_elements + (request->count % pump->chunk_elements != 0);
    pump->buffer_count = (int)least(pump->chunk_count, JR_PUMP_BUFFERS);
    lay_out(request, least(pump->chunk_elements, request->count), pump->offsets);
    return JR_OK;
}

static jr_status create_streams(jr_pump *pump) {
    const jr_driver *driver = &pump->device->driver;
    jr_status status = JR_OK;
    for (int i = 0; i < pump->buffer_count && status == JR_OK; i++)
        status = jr_driver_check(driver, driver->cuStreamCreate(&pump->streams[i], JR_CU_STREAM_NON_BLOCKING),
                                 "creating a stream");
    return status;
}

/* Stages what the driver does not know, when it is much. */
static jr_status create_staging(const jr_pump_request *request, jr_pump *pump) {
    const uint64_t from = request->stage_from_bytes > 0 ? request->stage_from_bytes : STAGE_FROM_BYTES;
    jr_staging_request staging = {
        .chunk_count = pump->chunk_count, .piece_bytes = request->piece_bytes, .thread_count = request->thread_count};
    uint64_t staged_bytes = 0;
    for (int i = 0; i < pump->array_count; i++) {
        const jr_pump_array *array = &pump->arrays[i];
        const uint64_t bytes = pump->count * array->element_bytes;
        pump->places[i] = -1;
        if (bytes == 0 || jr_memory_is_known(pump->device, array->data, bytes)) continue;
        pump->places[i] = staging.array_count++;
        staging.arrays[pump->places[i]] =
            (jr_staged_array){array->data, bytes, least(pump->chunk_elements * array->element_bytes, bytes)};
        staged_bytes += bytes;
    }
    return staged_bytes < from ? JR_OK : jr_staging_create(pump->device, &staging, &pump->staging);
}

jr_status jr_pump_open(const jr_device *device, const jr_pump_request *request, jr_pump **pump) {
    jr_pump *made = calloc(1, sizeof *made);
    if (made == NULL) return jr_fail(JR_ERROR_OUT_OF_MEMORY, "no host memory for a pump's %zu bytes", sizeof *made);
    made->device = device;
    made->array_count = request->array_count;
    made->count = request->count;
    memcpy(made->arrays, request->arrays, sizeof made->arrays);
    jr_status status = choose_chunks(request, made);
    if (status == JR_OK)
        status =
            jr_memory_allocate(device, made->offsets[made->array_count] * (uint64_t)made->buffer_count, &made->buffers);
    if (status == JR_OK) status = create_streams(made);
    if (status == JR_OK) status = create_staging(request, made);
    if (status != JR_OK) {
        jr_pump_close(made);
        return status;
    }
    *pump = made;
    return JR_OK;
}

/* Waits for all streams, whatever became of the others. Keeps an earlier failure. */
static jr_status drain(const jr_pump *pump, jr_status status) {
    const jr_driver *driver = &pump->device->driver;
    for (int i = 0; i < pump->buffer_count; i++) {
        const jr_cu_result result = driver->cuStreamSynchronize(pump->streams[i]);
        if (status == JR_OK) status = jr_driver_check(driver, result, "waiting for the device");
    }
    return status;
}

/* Waits once more: after a wait that failed, copies may still be under way. Records no error. */
void jr_pump_close(jr_pump *pump) {
    if (pump == NULL) return;
    const jr_driver *driver = &pump->device->driver;
    for (int i = 0; i < pump->buffer_count; i++) {
        if (pump->streams[i] == NULL) continue;
        driver->cuStreamSynchronize(pump->streams[i]);
        driver->cuStreamDestroy_v2(pump->streams[i]);
    }
    jr_staging_destroy(pump->staging);
    jr_memory_release(pump->device, pump->buffers);
    free(pump);
}

static jr_chunk chunk_of(const jr_pump *pump, uint64_t index) {
    const uint64_t first = index * pump->chunk_elements;
    const int buffer = (int)(index % (uint64_t)pump->buffer_count);
    jr_chunk chunk = {.index = index,
                      .first = first,
                      .count = least(pump->chunk_elements, pump->count - first),
                      .stream = pump->streams[buffer],
                      .buffer = buffer};
    for (int i = 0; i < pump->array_count; i++)
        chunk.in[i] = pump->buffers + (uint64_t)buffer * pump->offsets[pump->array_count] + pump->offsets[i];
    return chunk;
}

static jr_status send_array(const jr_pump *pump, const jr_chunk *chunk, int i) {
    const jr_pump_array *array = &pump->arrays[i];
    const unsigned char *from = (const unsigned char *)array->data + chunk->first * array->element_bytes;
    if (pump->staging != NULL && pump->places[i] >= 0)
        return jr_staging_send(pump->staging, chunk->index, pump->places[i], chunk->in[i], chunk->stream);
    return jr_memory_upload(pump->device, chunk->in[i], from, chunk->count * array->element_bytes, chunk->stream);
}

jr_status jr_pump_run(jr_pump *pump, jr_chunk_fn callback, void *user) {
    jr_status status = JR_OK;
    if (pump->staging != NULL) jr_staging_start(pump->staging);
    for (uint64_t i = 0; i < pump->chunk_count && status == JR_OK; i++) {
        const jr_chunk chunk = chunk_of(pump, i);
        for (int array = 0; array < pump->array_count && status == JR_OK; array++)
            status = send_array(pump, &chunk, array);
        if (status == JR_OK) status = callback(user, &chunk);
    }
    if (pump->staging != NULL) jr_staging_stop(pump->staging);
    return drain(pump, status);
}

uint64_t jr_pump_chunk_count(const jr_pump *pump) {
    return pump->chunk_count;
}

bool jr_pump_stages(const jr_pump *pump) {
    return pump->staging != NULL;
}
