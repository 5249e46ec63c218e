/* Streams host data through plans. */
#include "chunked.h"

#include "base/clock.h"
#include "base/error.h"
#include "device/memory.h"
#include "device/pump.h"
#include "plan/cut.h"
#include "plan/parts.h"
#include "plan/tree.h"

_Static_assert((int)JR_INPUTS_MAX <= (int)JR_PUMP_ARRAYS_MAX, "a chunk holds a part of every input");

/* A call in the making. */
typedef struct streaming {
    jr_parts parts;
    uint64_t first; /* of all data, which may be a part itself */
} streaming;

static jr_status fold_chunk(void *user, const jr_chunk *chunk) {
    streaming *at = user;
    jr_run part = {.count = chunk->count, .first = at->first + chunk->first, .stream = chunk->stream};
    for (int i = 0; i < at->parts.plan->reduction->input_count; i++) part.in[i] = (const void *)(uintptr_t)chunk->in[i];
    return jr_parts_fold(&at->parts, &part);
}

/* All chunks, then the last launch. */
static jr_status reduce_chunks(jr_pump *pump, streaming *at, const jr_run *run, jr_stats *stats) {
    const double begin = jr_clock_ms();
    jr_status status = jr_pump_run(pump, fold_chunk, at);
    stats->copy_ms = jr_clock_ms() - begin;
    const double launch = jr_clock_ms();
    if (status == JR_OK) status = jr_parts_finish(&at->parts, run);
    stats->launch_ms = jr_clock_ms() - launch;
    stats->launches = at->parts.launches;
    stats->parts = jr_pump_chunk_count(pump);
    return status;
}

/* Elements of which every chunk of the pump has whole ones. */
static uint64_t granule_of(const jr_plan *plan, uint64_t count, uint64_t device_bytes) {
    const jr_reduction *reduction = plan->reduction;
    const uint64_t room = device_bytes > 0 ? device_bytes / JR_PUMP_BUFFERS : jr_chunks_room(0);
    uint64_t bytes = 0;
    if (!plan->choice.row->tree) return jr_cut_pack_elements(reduction);
    for (int i = 0; i < reduction->input_count; i++) bytes += reduction->inputs[i].bytes;
    return jr_tree_chunk(plan, count, room / bytes / 2);
}

static jr_status open_pump(const jr_plan *plan, const void *const *data, uint64_t count, uint64_t device_bytes,
                           jr_pump **pump) {
    const jr_reduction *reduction = plan->reduction;
    jr_pump_request request = {.array_count = reduction->input_count,
                               .count = count,
                               .granule_count = granule_of(plan, count, device_bytes),
                               .limit_bytes = device_bytes};
    for (int i = 0; i < reduction->input_count; i++)
        request.arrays[i] = (jr_pump_array){.data = data[i], .element_bytes = reduction->inputs[i].bytes};
    return jr_pump_open(&plan->context->device, &request, pump);
}

/* Every chunk's launches leave accumulators; a chunk is never larger than all data. */
static uint64_t partials_bytes(const jr_plan *plan, const jr_pump *pump, uint64_t count, uint64_t chunk) {
    if (chunk > 0) return (count / chunk + 1) * plan->reduction->accumulator_bytes;
    const uint64_t launches = jr_pump_chunk_count(pump) + jr_parts_launches(plan, count);
    return launches * (uint64_t)jr_plan_grid(plan, count) * plan->reduction->accumulator_bytes;
}

jr_status jr_stream_reduce(const jr_plan *plan, const void *const *data, const jr_run *run, uint64_t device_bytes,
                           jr_stats *stats) {
    const jr_device *device = &plan->context->device;
    jr_pump *pump = NULL;
    jr_cu_deviceptr partials = 0;
    const uint64_t chunk = plan->choice.row->tree ? granule_of(plan, run->count, device_bytes) : 0;
    jr_status status = open_pump(plan, data, run->count, device_bytes, &pump);
    if (status == JR_OK)
        status = jr_memory_allocate(device, partials_bytes(plan, pump, run->count, chunk), NULL, &partials);
    streaming at = {.parts = {.plan = plan, .address = partials, .chunk = chunk}, .first = run->first};
    if (status == JR_OK) status = reduce_chunks(pump, &at, run, stats);
    if (status == JR_OK) status = jr_memory_wait(device, run->stream);
    JR_KEEP_ERROR;
    jr_pump_close(pump);
    jr_memory_release(device, partials, NULL);
    return status;
}
