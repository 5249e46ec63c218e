/* Cuts: which elements, results and offsets or keys go through the device together, where parts are not of equal size.
 *
 * A part is as large as the limit of device memory allows. One cutter knows three shapes: whole segments, or pieces of
 * one that is too large; whole tiles of a scan; stretches along one axis of an array. */
#ifndef JR_HOST_CUTS_H
#define JR_HOST_CUTS_H

#include "device/chunks.h"
#include "jitreduce/work.h"
#include "plan/axes.h"
#include "spec/reduction.h"

/* What a part takes of the device's memory, and may take. */
typedef struct jr_cut_costs {
    uint64_t limit_bytes; /* of all buffers; 0: the usual */
    uint64_t fixed_bytes, element_bytes, result_bytes, beside_bytes;
    uint64_t piece_bytes; /* in addition to result_bytes, for each of several segments that are cut at once */
    uint64_t
        granule_count; /* elements: a piece of a segment or a part of a scan has a multiple, unless it is the last */
} jr_cut_costs;

typedef struct jr_cuts {
    jr_chunk_cut *list;
    uint64_t count;
    uint64_t piece_most;  /* of segments: elements of a piece at most; 0: each lies in one part */
    uint64_t pieces_most; /* of one segment */
} jr_cuts;
void jr_cuts_free(jr_cuts *cuts); /* one that was zeroed is fine */

/* The costs of the inputs of a reduction and of results of so many bytes each, which come back. */
jr_cut_costs jr_cuts_costs(const jr_reduction *reduction, size_t result_bytes, uint64_t limit_bytes);

/* Cuts equal segments and those of offsets, which were checked: a part is the elements of whole segments with their
 * results, or a piece of one segment, with its result when it is the last one. jr_cuts_free must follow. Errors:
 * JR_ERROR_INVALID_ARGUMENT (the limit is too small), JR_ERROR_OUT_OF_MEMORY. */
jr_status jr_cuts_segments(const jr_segment_layout *layout, const jr_work_data *data, const jr_cut_costs *costs,
                           jr_cuts *cuts);

/* The first element of a segment; for segment = count, the end of the last one. */
uint64_t jr_cuts_segment_begin(const jr_segment_layout *layout, const jr_work_data *data, uint64_t segment);

/* The elements of a scan, and what says in host memory where its segments begin. */
typedef struct jr_cut_heads {
    uint64_t count;          /* of elements */
    const uint64_t *offsets; /* segments + 1, the last one is the count; NULL: none */
    uint64_t segments;
    const void *keys; /* of each element; NULL: none */
    uint64_t *own;    /* offsets that jr_cuts_scan made: to be freed */
} jr_cut_heads;

/* Cuts a scan of segments: a part is whole granules, as for a scan without segments, since segments continue from one
 * part to the next. With it come the offsets from the last one before its first element to the first one after its
 * last; or its keys, and the key before them. If many empty segments are at one place and the limit is too small for
 * their offsets, heads omits them. Frees and errors: as jr_cuts_segments. */
jr_status jr_cuts_scan(jr_cut_heads *heads, const jr_cut_costs *costs, jr_cuts *cuts);

/* A part of an array along axes is one of two kinds: the second is what is left over at the end of the axis. */
typedef struct jr_axes_part {
    jr_segment_layout layout; /* of its elements: settled */
    uint64_t elements;
    uint64_t results; /* of which its elements are, or are a piece */
    uint64_t length;  /* elements of each */
} jr_axes_part;

typedef struct jr_axes_cuts {
    jr_cuts cuts; /* pieces have the count of their results when they are the last ones */
    bool pieces;  /* segments are cut */
    int kinds;
    jr_axes_part kind[2];
} jr_axes_cuts;

/* Cuts the array of a layout, strided or of axes, that was checked and has elements; count: of its segments. It is cut
 * along one axis, the first one of which a whole slice fits the limit: a part is some slices, so that its elements are
 * contiguous. Reduced axes before it, and the axis itself, cut segments into pieces: all pieces of the same segments
 * follow each other, in the order of the elements. costs: include a piece's accumulators as well as its results.
 * jr_cuts_free must follow. Errors: as jr_cuts_segments. */
jr_status jr_cuts_axes(const jr_segment_layout *layout, uint64_t count, const jr_cut_costs *costs, jr_axes_cuts *made);

/* Which of the kinds a part of so many elements is. */
const jr_axes_part *jr_cuts_axes_kind(const jr_axes_cuts *made, uint64_t elements);

/* For the shapes: adds a part; the error where not even the least part fits. */
jr_status jr_cuts_add(jr_cuts *cuts, const jr_chunk_cut *cut);
jr_status jr_cuts_refuse(const jr_cut_costs *costs, uint64_t least_bytes);

#endif
