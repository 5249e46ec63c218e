/* Cuts segments and scans into parts. */
#include "cuts.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/whole.h"

/* ---- the list ---- */

jr_status jr_cuts_add(jr_cuts *cuts, const jr_chunk_cut *cut) {
    enum { FIRST = 64 };
    /* Room doubles each time that the count has become a power of two. */
    if (cuts->count == 0 || (cuts->count >= FIRST && (cuts->count & (cuts->count - 1)) == 0)) {
        const uint64_t room = cuts->count == 0 ? FIRST : 2 * cuts->count;
        jr_chunk_cut *list = realloc(cuts->list, (size_t)room * sizeof *list);
        if (list == NULL)
            return jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory for a list of %llu parts", (unsigned long long)room);
        cuts->list = list;
    }
    cuts->list[cuts->count++] = *cut;
    return JR_OK;
}

jr_status jr_cuts_refuse(const jr_cut_costs *costs, uint64_t least_bytes) {
    return jr_fail(JR_ERROR_INVALID_ARGUMENT,
                   "a limit of %llu bytes of device memory is too small: give at least %llu, for %d buffers of %llu "
                   "bytes",
                   (unsigned long long)costs->limit_bytes, (unsigned long long)(JR_PUMP_BUFFERS * least_bytes),
                   JR_PUMP_BUFFERS, (unsigned long long)least_bytes);
}

void jr_cuts_free(jr_cuts *cuts) {
    free(cuts->list);
    *cuts = (jr_cuts){.list = NULL};
}

jr_cut_costs jr_cuts_costs(const jr_reduction *reduction, size_t result_bytes, uint64_t limit_bytes) {
    enum { ALIGNMENT = 256 }; /* of each array in a buffer */
    jr_cut_costs costs = {.limit_bytes = limit_bytes,
                          .fixed_bytes = (uint64_t)(reduction->input_count + 2) * ALIGNMENT,
                          .result_bytes = result_bytes};
    for (int i = 0; i < reduction->input_count; i++) costs.element_bytes += reduction->inputs[i].bytes;
    return costs;
}

/* ---- the cutter: as many units (segments, granules) as fit ---- */

typedef struct cutter {
    const jr_cut_costs *costs;
    jr_cuts *cuts;
    uint64_t units;
    uint64_t room; /* bytes of a buffer, which holds one part */
    jr_chunk_cut (*part)(const struct cutter *cutter, uint64_t first, uint64_t units); /* the part of these units */
    jr_status (*add_too_large)(struct cutter *cutter, uint64_t unit); /* adds a unit that does not fit a buffer */
    const jr_segment_layout *layout;                                  /* if units are segments */
    const jr_work_data *data;                                         /* where they are */
    const jr_cut_heads *heads;                                        /* if units are granules of a scan */
} cutter;

/* Subtracts count * each bytes from *room; false, and nothing subtracted, if there is less room. */
static bool takes(uint64_t *room, uint64_t count, uint64_t each) {
    if (each > 0 && count > *room / each) return false;
    *room -= count * each;
    return true;
}

/* True if a buffer holds the part of these units. No sum overflows, whatever the sizes are. */
static bool fits(const cutter *at, uint64_t first, uint64_t units) {
    const jr_chunk_cut cut = at->part(at, first, units);
    uint64_t room = at->room;
    return takes(&room, 1, at->costs->fixed_bytes) && takes(&room, cut.results.count, at->costs->result_bytes) &&
           takes(&room, cut.beside.count, at->costs->beside_bytes) &&
           takes(&room, cut.elements.count, at->costs->element_bytes);
}

/* How many units from `first` on a buffer holds. The search is binary, as a part of more units takes no fewer bytes. */
static uint64_t count_fitting(const cutter *at, uint64_t first) {
    uint64_t fitting = 0, beyond = at->units - first + 1;
    while (beyond - fitting > 1) {
        const uint64_t middle = fitting + (beyond - fitting) / 2;
        if (fits(at, first, middle))
            fitting = middle;
        else
            beyond = middle;
    }
    return fitting;
}

static jr_status cut(cutter *at) {
    for (uint64_t first = 0; first < at->units;) {
        const uint64_t fitting = count_fitting(at, first);
        const jr_chunk_cut part = at->part(at, first, fitting > 0 ? fitting : 1);
        JR_TRY(fitting > 0 ? jr_cuts_add(at->cuts, &part) : at->add_too_large(at, first));
        first += fitting > 0 ? fitting : 1;
    }
    return JR_OK;
}

/* ---- segments ---- */

uint64_t jr_cuts_segment_begin(const jr_segment_layout *layout, const jr_work_data *data, uint64_t segment) {
    return data->offsets != NULL ? data->offsets[segment] : segment * layout->length;
}

/* The part of whole segments: one more offset than segments goes with it. */
static jr_chunk_cut segments_from(const cutter *at, uint64_t first, uint64_t count) {
    const uint64_t begin = jr_cuts_segment_begin(at->layout, at->data, first);
    return (jr_chunk_cut){.elements = {begin, jr_cuts_segment_begin(at->layout, at->data, first + count) - begin},
                          .results = {first, count},
                          .beside = {first, count + 1}};
}

/* Adds the pieces of a segment that is too large for a buffer. Only the last piece has a result, and the offset after
 * the segment. */
static jr_status add_pieces(cutter *at, uint64_t segment) {
    const jr_cut_costs *costs = at->costs;
    const jr_span all = segments_from(at, segment, 1).elements;
    const uint64_t fixed = costs->fixed_bytes + costs->result_bytes + 2 * costs->beside_bytes;
    const uint64_t most = at->room < fixed ? 0 : (at->room - fixed) / costs->element_bytes;
    const uint64_t step = most / costs->granule_count * costs->granule_count, end = all.first + all.count;
    if (step == 0) return jr_cuts_refuse(costs, fixed + costs->granule_count * costs->element_bytes);
    for (uint64_t from = all.first; from < end; from += step) {
        const uint64_t count = jr_least(end - from, step), last = from + count == end;
        const jr_chunk_cut piece = {
            .elements = {from, count}, .results = {segment, last}, .beside = {segment, last + 1}};
        JR_TRY(jr_cuts_add(at->cuts, &piece));
    }
    at->cuts->piece_most = step;
    if (at->cuts->pieces_most < all.count / step + 1) at->cuts->pieces_most = all.count / step + 1;
    return JR_OK;
}

jr_status jr_cuts_segments(const jr_segment_layout *layout, const jr_work_data *data, const jr_cut_costs *costs,
                           jr_cuts *cuts) {
    return cut(&(cutter){.costs = costs,
                         .cuts = cuts,
                         .units = data->segments,
                         .room = jr_chunks_room(costs->limit_bytes),
                         .part = segments_from,
                         .add_too_large = add_pieces,
                         .layout = layout,
                         .data = data});
}

/* ---- scans ---- */

/* How many offsets are less than the number of an element. */
static uint64_t offsets_below(const jr_cut_heads *heads, uint64_t element) {
    uint64_t from = 0, to = heads->segments + 1;
    while (from < to) {
        const uint64_t middle = from + (to - from) / 2;
        if (heads->offsets[middle] < element)
            from = middle + 1;
        else
            to = middle;
    }
    return from;
}

/* The offsets or keys that go with these elements; see jr_cuts_scan. */
static jr_span beside(const jr_cut_heads *heads, jr_span elements) {
    const uint64_t first = elements.first, end = first + elements.count, before = first > 0;
    if (heads->offsets == NULL) return (jr_span){first - before, elements.count + before};
    const uint64_t below = offsets_below(heads, first), from = below > 0 ? below - 1 : 0;
    /* The last one is the first offset that is not less than `end`; it exists, as the last of all is the count. */
    return (jr_span){from, offsets_below(heads, end) - from + 1};
}

/* The part of these granules; the last granule of all may have fewer elements than others. */
static jr_chunk_cut granules_from(const cutter *at, uint64_t first, uint64_t granules) {
    const uint64_t granule = at->costs->granule_count, begin = first * granule, left = at->heads->count - begin;
    const jr_span span = {begin, granules <= left / granule ? granules * granule : left};
    return (jr_chunk_cut){.elements = span, .results = span, .beside = beside(at->heads, span)};
}

static uint64_t granule_bytes(const cutter *at, uint64_t granule) {
    const jr_chunk_cut cut = granules_from(at, granule, 1);
    return at->costs->fixed_bytes + cut.elements.count * (at->costs->element_bytes + at->costs->result_bytes) +
           cut.beside.count * at->costs->beside_bytes;
}

/* Adds a granule that is larger than a usual buffer as a part of its own. Fails if the caller gave a limit and the
 * granule does not fit the buffers of that limit; the message names what the largest granule needs. */
static jr_status add_granule(cutter *at, uint64_t granule) {
    const uint64_t limit = at->costs->limit_bytes;
    const jr_chunk_cut cut = granules_from(at, granule, 1);
    uint64_t least = 0;
    if (limit == 0 || granule_bytes(at, granule) <= jr_chunks_room(limit)) return jr_cuts_add(at->cuts, &cut);
    for (uint64_t g = 0; g < at->units; g++) {
        const uint64_t bytes = granule_bytes(at, g);
        if (bytes > least) least = bytes;
    }
    return jr_cuts_refuse(at->costs, least);
}

static jr_status cut_scan(const jr_cut_heads *heads, const jr_cut_costs *costs, jr_cuts *cuts) {
    cuts->count = 0;
    return cut(&(cutter){.costs = costs,
                         .cuts = cuts,
                         .units = jr_divide_up(heads->count, costs->granule_count),
                         .room = jr_least(jr_chunks_room(costs->limit_bytes), jr_chunks_room(0)),
                         .part = granules_from,
                         .add_too_large = add_granule,
                         .heads = heads});
}

/* Replaces the offsets by a copy, which heads owns, without those of empty segments: they have no element to scan. */
static jr_status leave_out_empty(jr_cut_heads *heads) {
    const uint64_t all = heads->segments + 1;
    uint64_t kept = 1;
    heads->own = malloc(all * sizeof *heads->own);
    if (heads->own == NULL)
        return jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory for %llu offsets", (unsigned long long)all);
    heads->own[0] = heads->offsets[0];
    for (uint64_t s = 1; s < all; s++)
        if (heads->offsets[s] != heads->offsets[s - 1]) heads->own[kept++] = heads->offsets[s];
    heads->offsets = heads->own;
    heads->segments = kept - 1;
    return JR_OK;
}

jr_status jr_cuts_scan(jr_cut_heads *heads, const jr_cut_costs *costs, jr_cuts *cuts) {
    jr_error_saved *saved = jr_error_save();
    jr_status status = cut_scan(heads, costs, cuts);
    if (status == JR_ERROR_INVALID_ARGUMENT && heads->offsets != NULL) {
        status = leave_out_empty(heads);
        if (status == JR_OK) status = cut_scan(heads, costs, cuts);
    }
    if (status == JR_OK)
        jr_error_restore(saved);
    else
        jr_error_discard(saved);
    return status;
}
