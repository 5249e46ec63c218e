/* Runs chunked calls, and reduces to one result by them. */
#include "chunked.h"

#include "base/clock.h"
#include "base/error.h"
#include "plan/cut.h"
#include "plan/parts.h"
#include "plan/tree.h"

_Static_assert((int)JR_INPUTS_MAX + 1 <= (int)JR_PUMP_ARRAYS_MAX,
               "a chunk holds a part of every input, and of offsets or keys");

/* ---- the driver ---- */

static jr_status check_mark(const jr_chunked *chunked) {
    const bool set = chunked->mark != NULL && *(const jr_u32 *)chunked->mark->host != 0;
    return set ? jr_reduction_check_kept(chunked->call->plan->reduction) : JR_OK;
}

static jr_status take(void *user, const jr_chunk *chunk) {
    jr_chunked *chunked = user;
    const double begin = jr_clock_ms();
    JR_TRY(chunked->kind->take(chunked, chunk));
    chunked->call->stats.launch_ms += jr_clock_ms() - begin;
    if (chunk->index > 0 || !chunked->checks_first_chunk) return JR_OK;
    JR_TRY(jr_memory_wait(&chunked->call->plan->context->device, chunk->stream));
    return check_mark(chunked);
}

static jr_status finish(jr_chunked *chunked) {
    const double begin = jr_clock_ms();
    if (chunked->kind->finish != NULL) JR_TRY(chunked->kind->finish(chunked));
    chunked->call->stats.launch_ms += jr_clock_ms() - begin;
    return check_mark(chunked);
}

/* The pump is open. */
static jr_status run(jr_chunked *chunked, jr_pump *pump) {
    jr_host_call *call = chunked->call;
    const double begin = jr_clock_ms();
    call->stats.launch_ms = 0;
    JR_TRY(jr_stopwatch_start(&call->watch, call->stream));
    JR_TRY(jr_pump_run(pump, take, chunked));
    call->stats.copy_ms = jr_clock_ms() - begin;
    call->stats.parts = jr_pump_chunk_count(pump);
    JR_TRY(finish(chunked));
    call->stats.launches = chunked->launches;
    JR_TRY(jr_stopwatch_stop(&call->watch, call->stream));
    return jr_memory_wait(&call->plan->context->device, call->stream);
}

static jr_status open_pump(jr_chunked *chunked, jr_pump **pump) {
    const jr_reduction *reduction = chunked->call->plan->reduction;
    jr_pump_request request = {.array_count = reduction->input_count,
                               .count = chunked->count,
                               .results = {.data = chunked->results, .bytes = chunked->result_bytes},
                               .result_count = chunked->result_count,
                               .limit_bytes = chunked->call->device_bytes,
                               .ordered = chunked->results != NULL};
    for (int i = 0; i < reduction->input_count; i++)
        request.arrays[i] = (jr_pump_array){.data = chunked->data[i],
                                            .element_bytes = reduction->inputs[i].bytes,
                                            .gather = jr_host_call_gather_of(chunked->call, i)};
    JR_TRY(chunked->kind->open(chunked, &request));
    return jr_pump_open(&chunked->call->plan->context->device, &request, pump);
}

jr_status jr_chunked_run(jr_chunked *chunked) {
    const jr_device *device = &chunked->call->plan->context->device;
    jr_pump *pump = NULL;
    jr_status status = open_pump(chunked, &pump);
    if (status == JR_OK) status = jr_memory_allocate(device, chunked->memory_bytes, NULL, &chunked->memory);
    if (status == JR_OK) status = run(chunked, pump);
    JR_KEEP_ERROR;
    jr_pump_close(pump);
    jr_memory_release(device, chunked->memory, NULL);
    return status;
}

jr_run jr_chunked_part(const jr_plan *plan, const jr_chunk *chunk) {
    jr_run run = {.out = chunk->out, .workspace = plan->workspace, .stream = chunk->stream};
    for (int i = 0; i < plan->reduction->input_count; i++) run.in[i] = chunk->in[i];
    return run;
}

jr_chunked jr_chunked_of(const jr_chunked_kind *kind, jr_host_call *call, const jr_job *job,
                         const jr_chunked_places *of) {
    return (jr_chunked){.kind = kind,
                        .call = call,
                        .data = of->data->in,
                        .count = of->elements,
                        .results = of->places,
                        .result_bytes = job->reduction->place_bytes,
                        .result_count = of->data->segments};
}

/* ---- to one result: each chunk leaves accumulators ---- */

typedef struct folding {
    jr_chunked chunked;
    jr_parts parts;
} folding;

/* How many elements a granule has: every chunk but the last one has a multiple of them. */
static uint64_t granule_of(const jr_plan *plan, uint64_t count, uint64_t device_bytes) {
    const jr_reduction *reduction = plan->reduction;
    const uint64_t room = device_bytes > 0 ? device_bytes / JR_PUMP_BUFFERS : jr_chunks_room(0);
    uint64_t bytes = 0;
    if (!plan->choice.row->tree) return jr_cut_pack_elements(reduction);
    for (int i = 0; i < reduction->input_count; i++) bytes += reduction->inputs[i].bytes;
    return jr_tree_chunk(plan, count, room / bytes / 2);
}

/* Sets the granule, and memory_bytes to what holds the accumulators of all launches. */
static jr_status open_fold(jr_chunked *chunked, jr_pump_request *request) {
    jr_parts *parts = &((folding *)chunked)->parts;
    const jr_plan *plan = chunked->call->plan;
    const uint64_t bytes = plan->reduction->accumulator_bytes, count = chunked->count;
    jr_chunks chunks;
    request->granule_count = granule_of(plan, count, request->limit_bytes);
    JR_TRY(jr_chunks_choose(request, &chunks));
    parts->plan = plan;
    if (plan->choice.row->tree) parts->chunk = request->granule_count;
    chunked->memory_bytes = parts->chunk > 0 ? (count / parts->chunk + 1) * bytes
                                             : (chunks.count + jr_parts_launches(plan, count)) *
                                                   (uint64_t)jr_plan_grid(plan, count) * bytes;
    return JR_OK;
}

static jr_status fold_chunk(jr_chunked *chunked, const jr_chunk *chunk) {
    jr_parts *parts = &((folding *)chunked)->parts;
    jr_run part = jr_chunked_part(parts->plan, chunk);
    part.count = chunk->count;
    part.first = chunked->call->first + chunk->first; /* of all data, which may be a part itself */
    parts->address = chunked->memory;
    return jr_parts_fold(parts, &part);
}

static jr_status finish_fold(jr_chunked *chunked) {
    jr_parts *parts = &((folding *)chunked)->parts;
    const jr_run run = jr_host_call_run(chunked->call, chunked->count);
    JR_TRY(jr_parts_finish(parts, &run));
    chunked->launches = parts->launches;
    return JR_OK;
}

jr_status jr_chunked_reduce(jr_host_call *call, const void *const *data, uint64_t count) {
    static const jr_chunked_kind kind = {.open = open_fold, .take = fold_chunk, .finish = finish_fold};
    folding at = {.chunked = {.kind = &kind, .call = call, .data = data, .count = count}};
    return jr_chunked_run(&at.chunked);
}
