/* Cuts scans of segments into parts. */
#include "scan_parts.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/whole.h"

/* What is to be cut. */
typedef struct cutter {
    const jr_run *heads;
    const jr_part_costs *costs;
} cutter;

/* How many offsets are below a place. */
static uint64_t offsets_below(const jr_run *heads, uint64_t place) {
    uint64_t from = 0, to = heads->segments + 1;
    while (from < to) {
        const uint64_t middle = from + (to - from) / 2;
        if (heads->offsets[middle] < place)
            from = middle + 1;
        else
            to = middle;
    }
    return from;
}

/* What comes beside elements. */
static jr_span beside(const jr_run *heads, jr_span elements) {
    const uint64_t first = elements.first, end = first + elements.count, before = first > 0;
    if (heads->offsets == NULL) return (jr_span){first - before, elements.count + before};
    const uint64_t below = offsets_below(heads, first), from = below > 0 ? below - 1 : 0;
    return (jr_span){from, offsets_below(heads, end) - from + 1}; /* none is behind the last one */
}

static uint64_t bytes_of(const cutter *at, jr_span elements) {
    return at->costs->fixed_bytes + elements.count * at->costs->element_bytes +
           beside(at->heads, elements).count * at->costs->segment_bytes;
}

/* So many granules from an element on, or what is left. */
static jr_span span_of(const cutter *at, uint64_t first, uint64_t granules) {
    const uint64_t left = at->heads->count - first, granule = at->costs->granule_count;
    return (jr_span){first, granules <= left / granule ? granules * granule : left};
}

/* How many granules fit into a buffer: what fits grows with the count. */
static uint64_t count_fitting(const cutter *at, uint64_t first, uint64_t room) {
    uint64_t fitting = 0, beyond = jr_divide_up(at->heads->count - first, at->costs->granule_count) + 1;
    while (beyond - fitting > 1) {
        const uint64_t middle = fitting + (beyond - fitting) / 2;
        if (bytes_of(at, span_of(at, first, middle)) <= room)
            fitting = middle;
        else
            beyond = middle;
    }
    return fitting;
}

/* The most that a granule takes. */
static uint64_t least_bytes(const cutter *at) {
    uint64_t least = 0;
    for (uint64_t first = 0; first < at->heads->count; first += at->costs->granule_count) {
        const uint64_t bytes = bytes_of(at, span_of(at, first, 1));
        if (bytes > least) least = bytes;
    }
    return least;
}

static jr_status cut(const cutter *at, jr_segment_parts *parts) {
    const jr_run *heads = at->heads;
    const jr_part_costs *costs = at->costs;
    const uint64_t allowed = costs->limit_bytes > 0 ? jr_chunks_room(costs->limit_bytes) : UINT64_MAX;
    const uint64_t room = jr_least(allowed, jr_chunks_room(0));
    jr_status status = JR_OK;
    parts->count = 0;
    for (uint64_t first = 0; first < heads->count && status == JR_OK;) {
        const uint64_t fitting = count_fitting(at, first, room);
        const jr_span span = span_of(at, first, fitting > 0 ? fitting : 1);
        const jr_chunk_cut part = {.elements = span, .results = span, .beside = beside(heads, span)};
        if (bytes_of(at, span) > allowed) return jr_segment_parts_refuse(costs, least_bytes(at));
        status = jr_segment_parts_add(parts, &part);
        first += span.count;
    }
    return status;
}

/* Leaves out offsets of segments that are empty, which nothing is asked of. */
static jr_status leave_out_empty(jr_scan_parts *parts) {
    jr_run *heads = &parts->heads;
    const uint64_t all = heads->segments + 1;
    uint64_t kept = 1;
    parts->offsets = malloc(all * sizeof *parts->offsets);
    if (parts->offsets == NULL)
        return jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory for %llu offsets", (unsigned long long)all);
    parts->offsets[0] = heads->offsets[0];
    for (uint64_t s = 1; s < all; s++)
        if (heads->offsets[s] != heads->offsets[s - 1]) parts->offsets[kept++] = heads->offsets[s];
    heads->offsets = parts->offsets;
    heads->segments = kept - 1;
    return JR_OK;
}

jr_status jr_scan_parts_cut(const jr_part_costs *costs, jr_scan_parts *parts) {
    const cutter at = {.heads = &parts->heads, .costs = costs};
    jr_error_saved *saved = jr_error_save();
    jr_status status = cut(&at, &parts->list);
    if (status == JR_ERROR_INVALID_ARGUMENT && parts->heads.offsets != NULL) {
        status = leave_out_empty(parts);
        if (status == JR_OK) status = cut(&at, &parts->list);
    }
    if (status == JR_OK)
        jr_error_restore(saved);
    else
        jr_error_discard(saved);
    return status;
}

void jr_scan_parts_free(jr_scan_parts *parts) {
    jr_segment_parts_free(&parts->list);
    free(parts->offsets);
}
