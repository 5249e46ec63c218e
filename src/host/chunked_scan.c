/* Scans in chunks: each continues where the one before ended. A chunk of columns is whole slabs; of a slab that is
 * larger than a chunk, it is some rows, or some columns of one row, which continue the fold of their columns. */
#include <stdlib.h>

#include "base/error.h"
#include "base/whole.h"
#include "chunked.h"
#include "plan/scan/scan_columns.h"
#include "plan/scan/scan_queue.h"
#include "spec/dtype.h"

typedef struct scanning {
    jr_chunked chunked;
    jr_cut_heads heads;
    jr_cuts cuts; /* the parts, if offsets or keys say where segments begin */
    jr_scanned scanned;
    jr_axes_cuts axes; /* the parts, if columns are scanned; chunked.memory: the accumulators of unfinished ones */
} scanning;

/* True if a chunk may have results of no elements, for which kernels set the mark: the first chunk of a scan without
 * segments, any chunk of a scan with segments. */
static bool is_marked(const scanning *at, const jr_chunk *chunk) {
    const jr_host_call *call = at->chunked.call;
    return call->plan->layout.kind != 0 || (chunk->index == 0 && !call->continued);
}

static jr_run part_of(const scanning *at, const jr_chunk *chunk) {
    jr_run part = jr_chunked_part(at->chunked.call->plan, chunk);
    part.count = chunk->count;
    part.first = at->chunked.call->first + chunk->first;
    part.mark = is_marked(at, chunk) ? at->chunked.mark->address : 0;
    part.scan.goes_on = chunk->first + chunk->count < at->chunked.count;
    return part;
}

/* What a part takes in a buffer. Results overwrite the first input's elements if both have the same size. */
static jr_cut_costs costs_of(const scanning *at, jr_pump_request *request) {
    const jr_reduction *reduction = at->chunked.call->plan->reduction;
    jr_cut_costs costs = jr_cuts_costs(reduction, 0, request->limit_bytes);
    request->results.upon_first = reduction->inputs[0].bytes == reduction->output_bytes;
    if (!request->results.upon_first) costs.element_bytes += reduction->output_bytes;
    return costs;
}

/* ---- by a queue of tiles ---- */

/* Sets where the part's offsets or keys lie. A chunk's keys begin with the key before its first element, if there is
 * one: the part's keys are those after it. */
static void set_heads(const scanning *at, const jr_chunk *chunk, jr_run *part) {
    const jr_plan *plan = at->chunked.call->plan;
    if (at->cuts.list == NULL) return;
    const jr_span *beside = &at->cuts.list[chunk->index].beside;
    const jr_cu_deviceptr heads = chunk->in[plan->reduction->input_count];
    if (plan->layout.kind == JR_SEGMENTS_KEYS) {
        const uint64_t before = chunk->first - beside->first;
        part->segments.keys = heads + before * jr_dtype_find(plan->layout.key_type)->bytes;
    } else {
        part->segments.offsets = heads;
        part->segments.count = beside->count - 1;
    }
}

/* Adds the array of offsets or keys to the request, and cuts it together with the elements. */
static jr_status add_heads(scanning *at, const jr_cut_costs *asked, jr_pump_request *request) {
    jr_cut_heads *heads = &at->heads;
    const bool offsets = heads->offsets != NULL;
    jr_cut_costs costs = *asked;
    costs.beside_bytes =
        offsets ? sizeof *heads->offsets : jr_dtype_find(at->chunked.call->plan->layout.key_type)->bytes;
    costs.granule_count = request->granule_count;
    JR_TRY(jr_cuts_scan(heads, &costs, &at->cuts));
    request->arrays[request->array_count++] =
        (jr_pump_array){.data = offsets ? (const void *)heads->offsets : heads->keys,
                        .element_bytes = costs.beside_bytes,
                        .beside = true};
    request->beside_count = offsets ? heads->segments + 1 : heads->count;
    request->cuts = at->cuts.list;
    request->cut_count = at->cuts.count;
    return JR_OK;
}

static jr_status open_queue(jr_chunked *chunked, jr_pump_request *request) {
    scanning *at = (scanning *)chunked;
    const jr_plan *plan = chunked->call->plan;
    const jr_cut_costs costs = costs_of(at, request);
    const bool beside = plan->layout.kind == JR_SEGMENTS_OFFSETS || plan->layout.kind == JR_SEGMENTS_KEYS;
    request->granule_count = plan->choice.row->scan->tile_count(plan);
    at->scanned = jr_scan_queue_begin(chunked->call->continued);
    return beside ? add_heads(at, &costs, request) : JR_OK;
}

static jr_status scan_tiles(jr_chunked *chunked, const jr_chunk *chunk) {
    scanning *at = (scanning *)chunked;
    const jr_plan *plan = chunked->call->plan;
    jr_run part = part_of(at, chunk);
    set_heads(at, chunk, &part);
    JR_TRY(plan->choice.row->scan->part(plan, &part, &at->scanned));
    chunked->launches = (int)at->scanned.launches - chunked->call->continued;
    return JR_OK;
}

/* ---- of columns ---- */

/* Cuts along the axes. A chunk has as many results as elements. If columns are cut into pieces, the accumulators of
 * neighbouring columns are neighbours in chunked->memory. */
static jr_status open_columns(jr_chunked *chunked, jr_pump_request *request) {
    scanning *at = (scanning *)chunked;
    const jr_plan *plan = chunked->call->plan;
    jr_cut_costs costs = costs_of(at, request);
    costs.piece_bytes = plan->reduction->accumulator_bytes;
    JR_TRY(jr_cuts_axes(&plan->layout, chunked->count / plan->layout.length, &costs, &at->axes));
    for (uint64_t i = 0; i < at->axes.cuts.count; i++) at->axes.cuts.list[i].results = at->axes.cuts.list[i].elements;
    if (at->axes.pieces)
        chunked->memory_bytes = jr_least(plan->layout.inner, at->axes.kind[0].elements) * costs.piece_bytes;
    request->cuts = at->axes.cuts.list;
    request->cut_count = at->axes.cuts.count;
    return JR_OK;
}

/* The rows that a chunk has: those of whole slabs, some rows of one slab, or some columns of one row. */
static jr_scan_rows rows_of(const scanning *at, const jr_chunk *chunk) {
    const jr_segment_layout *layout = &at->chunked.call->plan->layout;
    const uint64_t length = layout->length, inner = layout->inner;
    if (!at->axes.pieces && length > 1)
        return (jr_scan_rows){
            .all = at->chunked.count / length, .columns = chunk->count / length, .length = length, .inner = inner};
    const uint64_t width = at->axes.pieces ? jr_least(inner, chunk->count) : chunk->count;
    return (jr_scan_rows){.all = width,
                          .columns = width,
                          .length = chunk->count / width,
                          .inner = width,
                          .before = at->axes.pieces ? chunk->first / inner % length : 0,
                          .carry = at->chunked.memory};
}

static jr_status scan_rows(jr_chunked *chunked, const jr_chunk *chunk) {
    const scanning *at = (scanning *)chunked;
    const jr_plan *plan = chunked->call->plan;
    const jr_run part = part_of(at, chunk);
    const jr_scan_rows rows = rows_of(at, chunk);
    chunked->launches += jr_scan_rows_launches(plan, &rows);
    return jr_scan_rows_run(plan, &part, &rows);
}

jr_status jr_chunked_scan(jr_host_call *call, const void *const *data, const jr_cut_heads *heads, void *results) {
    static const jr_chunked_kind queue = {.open = open_queue, .take = scan_tiles},
                                 columns = {.open = open_columns, .take = scan_rows};
    const jr_reduction *reduction = call->plan->reduction;
    scanning at = {.chunked = {.kind = call->plan->layout.kind == JR_SEGMENTS_STRIDED ? &columns : &queue,
                               .call = call,
                               .data = data,
                               .count = heads->count,
                               .results = results,
                               .result_bytes = reduction->output_bytes,
                               .result_count = heads->count,
                               .mark = &call->plan->mailbox,
                               .checks_first_chunk = reduction->empty_op != JR_OP_NONE && !call->continued},
                   .heads = *heads};
    const jr_status status = jr_chunked_run(&at.chunked);
    free(at.heads.own);
    jr_cuts_free(&at.cuts);
    jr_cuts_free(&at.axes.cuts);
    return status;
}
