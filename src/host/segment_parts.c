/* Cuts segments into parts. */
#include "segment_parts.h"

#include <stdlib.h>

#include "base/error.h"

uint64_t jr_segment_parts_begin(const jr_segment_layout *layout, const jr_segments *segments, uint64_t segment) {
    return segments->offsets != NULL ? segments->offsets[segment] : segment * layout->length;
}

jr_status jr_segment_parts_add(jr_segment_parts *parts, const jr_chunk_cut *cut) {
    enum { FIRST = 64 };
    /* Room doubles each time that the count has become a power of two. */
    if (parts->count == 0 || (parts->count >= FIRST && (parts->count & (parts->count - 1)) == 0)) {
        const uint64_t room = parts->count == 0 ? FIRST : 2 * parts->count;
        jr_chunk_cut *cuts = realloc(parts->cuts, (size_t)room * sizeof *cuts);
        if (cuts == NULL)
            return jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory for a list of %llu parts", (unsigned long long)room);
        parts->cuts = cuts;
    }
    parts->cuts[parts->count++] = *cut;
    return JR_OK;
}

jr_status jr_segment_parts_refuse(const jr_part_costs *costs, uint64_t least_bytes) {
    return jr_fail(JR_ERROR_INVALID_ARGUMENT,
                   "a limit of %llu bytes of device memory is too small: give at least %llu, for %d buffers of %llu "
                   "bytes",
                   (unsigned long long)costs->limit_bytes, (unsigned long long)(JR_PUMP_BUFFERS * least_bytes),
                   JR_PUMP_BUFFERS, (unsigned long long)least_bytes);
}

void jr_segment_parts_free(jr_segment_parts *parts) {
    free(parts->cuts);
    *parts = (jr_segment_parts){.cuts = NULL};
}

/* What is to be cut. */
typedef struct cutter {
    const jr_segment_layout *layout;
    const jr_segments *segments;
    const jr_part_costs *costs;
    uint64_t room; /* of a buffer, beside what is fixed */
    jr_segment_parts *parts;
} cutter;

static uint64_t begin_of(const cutter *at, uint64_t segment) {
    return jr_segment_parts_begin(at->layout, at->segments, segment);
}

/* Elements of segments, with their offsets. */
static jr_status add(const cutter *at, jr_span elements, jr_span segments) {
    const jr_chunk_cut cut = {
        .elements = elements, .results = segments, .beside = {segments.first, segments.count + 1}};
    return jr_segment_parts_add(at->parts, &cut);
}

static bool fits(const cutter *at, uint64_t first, uint64_t count) {
    const uint64_t elements = begin_of(at, first + count) - begin_of(at, first);
    return count <= at->room / at->costs->segment_bytes &&
           elements <= (at->room - count * at->costs->segment_bytes) / at->costs->element_bytes;
}

/* How many segments from the first one on fit into a part: what fits grows with the count. */
static uint64_t count_fitting(const cutter *at, uint64_t first) {
    uint64_t fitting = 0, beyond = at->segments->count - first + 1;
    while (beyond - fitting > 1) {
        const uint64_t middle = fitting + (beyond - fitting) / 2;
        if (fits(at, first, middle))
            fitting = middle;
        else
            beyond = middle;
    }
    return fitting;
}

static jr_status cut_segment(cutter *at, uint64_t segment) {
    const uint64_t begin = begin_of(at, segment), end = begin_of(at, segment + 1), granule = at->costs->granule_count;
    const uint64_t bytes = at->room < at->costs->segment_bytes ? 0 : at->room - at->costs->segment_bytes;
    const uint64_t most = bytes / at->costs->element_bytes / granule * granule;
    const uint64_t least = at->costs->fixed_bytes + at->costs->segment_bytes + granule * at->costs->element_bytes;
    jr_status status = JR_OK;
    if (most == 0) return jr_segment_parts_refuse(at->costs, least);
    for (uint64_t from = begin; from < end && status == JR_OK; from += most) {
        const uint64_t count = end - from < most ? end - from : most;
        status = add(at, (jr_span){from, count}, (jr_span){segment, from + count == end});
    }
    const uint64_t pieces = (end - begin) / most + 1;
    at->parts->piece_most = most;
    if (at->parts->pieces_most < pieces) at->parts->pieces_most = pieces;
    return status;
}

jr_status jr_segment_parts_cut(const jr_segment_layout *layout, const jr_segments *segments, const jr_part_costs *costs,
                               jr_segment_parts *parts) {
    const uint64_t room = jr_chunks_room(costs->limit_bytes);
    cutter at = {.layout = layout,
                 .segments = segments,
                 .costs = costs,
                 .room = room > costs->fixed_bytes ? room - costs->fixed_bytes : 0,
                 .parts = parts};
    jr_status status = JR_OK;
    for (uint64_t s = 0; s < segments->count && status == JR_OK;) {
        const uint64_t count = count_fitting(&at, s), begin = begin_of(&at, s);
        if (count > 0)
            status = add(&at, (jr_span){begin, begin_of(&at, s + count) - begin}, (jr_span){s, count});
        else
            status = cut_segment(&at, s);
        s += count > 0 ? count : 1;
    }
    return status;
}
