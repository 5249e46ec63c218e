/* Cuts arrays along axes. */
#include "cuts.h"

#include "base/error.h"
#include "base/whole.h"
#include "plan/segment_layout.h"

/* How an array is cut. */
typedef struct cutter {
    jr_axes axes;
    const jr_cut_costs *costs;
    uint64_t room;             /* bytes of a buffer, less fixed_bytes */
    int axis;                  /* the axis that is cut */
    bool reduced;              /* true: that axis is reduced, so that the cut divides segments */
    uint64_t unit;             /* elements of one slice of the axis */
    uint64_t results, lengths; /* of the axes after it: the product of those that are kept, and of those that are
                                * reduced */
    uint64_t step;             /* elements of the axis that a part has, but the last */
    jr_axes_cuts *made;
} cutter;

static jr_axes axes_of(const jr_segment_layout *layout, uint64_t count) {
    if (layout->kind == JR_SEGMENTS_AXES) return jr_axes_of(layout);
    const jr_axes columns = {
        .size = {count / layout->inner, layout->length, layout->inner}, .count = 3, .reduced = 1u << 1};
    return jr_axes_merge(&columns);
}

/* Bytes of a result in a buffer, with its accumulators if segments are cut into pieces. */
static uint64_t bytes_of_result(const cutter *at) {
    return at->costs->result_bytes + (at->made->pieces ? at->costs->piece_bytes : 0);
}

/* True if one slice of the axis, with its results, fits a buffer. */
static bool fits(const cutter *at) {
    const uint64_t each = bytes_of_result(at);
    return (each == 0 || at->results <= at->room / each) &&
           at->unit <= (at->room - at->results * bytes_of_result(at)) / at->costs->element_bytes;
}

/* How many slices a part has: parts are made equal rather than as large as possible, so that the last is not small. */
static uint64_t choose_step(const cutter *at) {
    const uint64_t size = at->axes.size[at->axis], once = at->results * bytes_of_result(at);
    const uint64_t each = at->unit * at->costs->element_bytes + (at->reduced ? 0 : once);
    const uint64_t room = at->reduced ? at->room - once : at->room, most = room / each;
    return most >= size ? size : jr_divide_up(size, jr_divide_up(size, most));
}

static jr_status choose_axis(cutter *at) {
    const uint64_t least = at->costs->fixed_bytes + at->costs->element_bytes + at->costs->result_bytes;
    for (at->axis = 0; at->axis < at->axes.count; at->axis++) {
        at->reduced = jr_axes_is_reduced(&at->axes, at->axis);
        at->made->pieces = at->axis > 0 || at->reduced;
        at->unit = jr_axes_stride(&at->axes, at->axis);
        jr_axes_product(&at->axes, at->axis + 1, at->axes.count, false, &at->results); /* fits: so does the array */
        jr_axes_product(&at->axes, at->axis + 1, at->axes.count, true, &at->lengths);
        if (!fits(at)) continue;
        at->step = choose_step(at);
        return JR_OK;
    }
    return jr_cuts_refuse(at->costs, least + at->costs->piece_bytes);
}

/* Sets a part's layout, of its axes. If none of these is reduced, an axis of size 1 stands for the reduced axis before
 * them, since a layout needs one. */
static jr_status settle(const cutter *at, uint64_t size, jr_axes_part *part) {
    jr_segment_layout *layout = &part->layout;
    const bool none = at->axes.reduced >> at->axis == 0;
    *layout = (jr_segment_layout){.kind = JR_SEGMENTS_AXES, .length = part->length};
    if (none) layout->shape[layout->dimensions++] = 1;
    for (int i = at->axis; i < at->axes.count; i++)
        layout->shape[layout->dimensions++] = i == at->axis ? size : at->axes.size[i];
    layout->reduced = none ? 1 : at->axes.reduced >> at->axis;
    return jr_segment_layout_settle(layout, false);
}

static jr_status add_kind(const cutter *at, uint64_t size) {
    jr_axes_part *part = &at->made->kind[at->made->kinds++];
    part->elements = size * at->unit;
    part->results = (at->reduced ? 1 : size) * at->results;
    part->length = (at->reduced ? size : 1) * at->lengths;
    return settle(at, size, part);
}

/* The first element of the number-th combination of indices of the axes before the cut one: of those that are reduced,
 * or of those that are not. */
static uint64_t place_of(const cutter *at, uint64_t number, bool reduced) {
    uint64_t place = 0;
    for (int i = at->axis - 1; i >= 0; i--) {
        if (jr_axes_is_reduced(&at->axes, i) != reduced) continue;
        place += number % at->axes.size[i] * jr_axes_stride(&at->axes, i);
        number /= at->axes.size[i];
    }
    return place;
}

/* Adds all pieces of the same results: those of `size` slices of a kept axis, or of all slices of a reduced axis. */
static jr_status add_pieces(const cutter *at, uint64_t outer, uint64_t from, uint64_t size) {
    const uint64_t axis_size = at->axes.size[at->axis], end = at->reduced ? axis_size : from + 1;
    const uint64_t numbered = at->reduced ? outer : outer * axis_size + from;
    const jr_span results = {numbered * at->results, (at->reduced ? 1 : size) * at->results};
    const uint64_t place = place_of(at, outer, false);
    uint64_t turns = 1;
    jr_status status = JR_OK;
    jr_axes_product(&at->axes, 0, at->axis, true, &turns);
    for (uint64_t turn = 0; turn < turns; turn++)
        for (uint64_t i = from; i < end && status == JR_OK; i += at->step) {
            const uint64_t count = at->reduced && end - i < at->step ? end - i : at->reduced ? at->step : size;
            const bool last = turn + 1 == turns && i + at->step >= end;
            const jr_chunk_cut cut = {.elements = {place + place_of(at, turn, true) + i * at->unit, count * at->unit},
                                      .results = {results.first, last ? results.count : 0}};
            status = jr_cuts_add(&at->made->cuts, &cut);
        }
    return status;
}

static jr_status add_parts(const cutter *at) {
    const uint64_t size = at->axes.size[at->axis];
    uint64_t outers = 1;
    jr_status status = JR_OK;
    jr_axes_product(&at->axes, 0, at->axis, false, &outers);
    for (uint64_t outer = 0; outer < outers; outer++)
        for (uint64_t from = 0; from < (at->reduced ? 1 : size) && status == JR_OK; from += at->step)
            status = add_pieces(at, outer, from, size - from < at->step ? size - from : at->step);
    return status;
}

jr_status jr_cuts_axes(const jr_segment_layout *layout, uint64_t count, const jr_cut_costs *costs, jr_axes_cuts *made) {
    const uint64_t room = jr_chunks_room(costs->limit_bytes);
    cutter at = {.axes = axes_of(layout, count),
                 .costs = costs,
                 .room = room > costs->fixed_bytes ? room - costs->fixed_bytes : 0,
                 .made = made};
    JR_TRY(choose_axis(&at));
    const uint64_t left = at.axes.size[at.axis] % at.step;
    JR_TRY(add_kind(&at, at.step));
    if (left > 0) JR_TRY(add_kind(&at, left));
    return add_parts(&at);
}

const jr_axes_part *jr_cuts_axes_kind(const jr_axes_cuts *made, uint64_t elements) {
    return &made->kind[elements == made->kind[0].elements ? 0 : 1];
}
