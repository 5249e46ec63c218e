/* Cuts arrays into chunks, and lays out the buffers for them. */
#include "chunks.h"

#include "base/error.h"
#include "base/whole.h"

/* Two buffers would do if kernels always took less time than copies; the third covers those that now and then do not.
 * A chunk is long enough to hide the calls that one costs. */
enum { BUFFER_ALIGNMENT = 256 };
static const uint64_t CHUNK_BYTES = 64 << 20;

static uint64_t up_to_multiple(uint64_t number, uint64_t unit) {
    return (number + unit - 1) / unit * unit;
}

static uint64_t item_count(const jr_pump_array *array, const jr_chunk_cut *cut) {
    return array->beside ? cut->beside.count : cut->elements.count;
}

/* Lays out a buffer and returns its bytes. */
static uint64_t lay_out(const jr_pump_request *request, const jr_chunk_cut *most, uint64_t *offsets) {
    const jr_pump_results *results = &request->results;
    const int n = request->array_count;
    offsets[0] = 0;
    for (int i = 0; i < n; i++) {
        const uint64_t bytes = item_count(&request->arrays[i], most) * request->arrays[i].element_bytes;
        offsets[i + 1] = offsets[i] + up_to_multiple(bytes, BUFFER_ALIGNMENT);
    }
    const uint64_t bytes = results->data == NULL || results->upon_first ? 0 : most->results.count * results->bytes;
    offsets[n + 1] = offsets[n] + up_to_multiple(bytes, BUFFER_ALIGNMENT);
    return offsets[n + 1];
}

uint64_t jr_chunks_room(uint64_t limit_bytes) {
    return limit_bytes > 0 ? limit_bytes / JR_PUMP_BUFFERS : CHUNK_BYTES;
}

/* Equal chunks have one result per element. */
static jr_chunk_cut equal_cut(uint64_t first, uint64_t count) {
    return (jr_chunk_cut){.elements = {first, count}, .results = {first, count}};
}

static uint64_t equal_bytes(const jr_pump_request *request, uint64_t count) {
    uint64_t offsets[JR_PUMP_ARRAYS_MAX + 2];
    const jr_chunk_cut cut = equal_cut(0, count);
    return lay_out(request, &cut, offsets);
}

/* As many elements as fit a buffer of room_bytes, which holds a granule. */
static uint64_t count_for(const jr_pump_request *request, uint64_t granule, uint64_t room_bytes) {
    uint64_t item_bytes = 0;
    for (int i = 0; i < request->array_count; i++) item_bytes += request->arrays[i].element_bytes;
    if (request->results.data != NULL && !request->results.upon_first) item_bytes += request->results.bytes;
    if (item_bytes == 0) return granule; /* there is nothing to move */
    uint64_t count = room_bytes / item_bytes / granule * granule;
    while (count > granule && equal_bytes(request, count) > room_bytes) count -= granule;
    return count;
}

static jr_status choose_equal(const jr_pump_request *request, jr_chunks *chunks) {
    const uint64_t whole = jr_least(request->granule_count, request->count), granule = whole > 0 ? whole : 1;
    const uint64_t smallest = equal_bytes(request, granule), usual = jr_chunks_room(0);
    const uint64_t largest = smallest < usual ? usual : smallest;
    const uint64_t allowed = request->limit_bytes > 0 ? jr_chunks_room(request->limit_bytes) : largest;
    if (allowed < smallest)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT,
                       "a limit of %llu bytes of device memory is too small: give at least %llu, for %d buffers of "
                       "%llu bytes",
                       (unsigned long long)request->limit_bytes, (unsigned long long)(JR_PUMP_BUFFERS * smallest),
                       JR_PUMP_BUFFERS, (unsigned long long)smallest);
    chunks->elements = count_for(request, granule, jr_least(allowed, largest));
    chunks->count = jr_divide_up(request->count, chunks->elements);
    chunks->most = equal_cut(0, jr_least(chunks->elements, request->count));
    return JR_OK;
}

static void find_most(const jr_pump_request *request, jr_chunk_cut *most) {
    for (uint64_t i = 0; i < request->cut_count; i++) {
        const jr_chunk_cut *cut = &request->cuts[i];
        if (most->elements.count < cut->elements.count) most->elements.count = cut->elements.count;
        if (most->results.count < cut->results.count) most->results.count = cut->results.count;
        if (most->beside.count < cut->beside.count) most->beside.count = cut->beside.count;
    }
}

jr_status jr_chunks_choose(const jr_pump_request *request, jr_chunks *chunks) {
    jr_chunks made = {.request = request, .count = request->cut_count};
    jr_status status = JR_OK;
    if (request->cuts == NULL)
        status = choose_equal(request, &made);
    else
        find_most(request, &made.most);
    if (status != JR_OK) return status;
    made.buffer_count = (int)jr_least(made.count, JR_PUMP_BUFFERS);
    lay_out(request, &made.most, made.offsets);
    *chunks = made;
    return JR_OK;
}

jr_chunk_cut jr_chunks_cut(const jr_chunks *chunks, uint64_t index) {
    if (chunks->request->cuts != NULL) return chunks->request->cuts[index];
    const uint64_t first = index * chunks->elements;
    return equal_cut(first, jr_least(chunks->elements, chunks->request->count - first));
}

jr_span jr_chunks_items(const jr_chunks *chunks, int array, uint64_t index) {
    const jr_chunk_cut cut = jr_chunks_cut(chunks, index);
    const jr_pump_array *row = &chunks->request->arrays[array];
    return (jr_span){row->beside ? cut.beside.first : cut.elements.first, item_count(row, &cut)};
}
