/* Segments: many reductions in one run: of equal rows, of pieces of any lengths, by keys, or along axes of an array.
 * Manual: segment.md. */
#ifndef JITREDUCE_SEGMENT_H
#define JITREDUCE_SEGMENT_H

#include "plan.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { JR_DIMENSIONS_MAX = 8 };

/* A work with a layout (jr_work.layout and jr_work.axis in work.h) reduces each segment as its spec says, or scans it
 * (scan.h). argmin, argmax and the `i` of expressions are indices within the segment (along several axes: in C order of
 * these axes); with keys they are indices in the whole input. An operator that is not commutative gets the elements of
 * each segment in order. All functions of plans take plans of segments, except jr_plan_value and jr_plan_time. */

/* How the elements of the input are divided into segments. */
typedef enum jr_segment_kind {
    JR_SEGMENTS_EQUAL = 1,   /* consecutive, each of `length` elements: the rows of a matrix */
    JR_SEGMENTS_OFFSETS = 2, /* consecutive; each run gets the offsets at which they begin. Any length, 0 too */
    JR_SEGMENTS_STRIDED = 3, /* `length` elements with a distance of `inner`: columns. Element k of segment s is element
                              * (s / inner * length + k) * inner + s % inner of the input */
    JR_SEGMENTS_KEYS = 4,    /* consecutive; each run gets one key per element, and a segment begins where a key differs
                              * from the one before it (by !=: each NaN is a segment of its own, -0 equals +0).
                              * Since: 0.2 */
    JR_SEGMENTS_AXES = 5,    /* the input is an array of `shape` in C order, some of whose dimensions are reduced: the
                              * other dimensions number the segments, in C order, and the reduced ones number the
                              * elements of a segment, in C order. Reductions only. Since: 0.2 */
    JR_SEGMENTS_ARRAYS = 6   /* many arrays, each a segment, anywhere in memory and of several types of floats
                              * (many.md): the table `arrays`, which a plan copies. One result more follows those of the
                              * arrays, of all elements together. JR_WORK_REDUCE and JR_WORK_APPLY. Since: 0.3 */
} jr_segment_kind;

/* One of many arrays. Keeps its layout in all versions. */
typedef struct jr_array {
    const void *data; /* aligned to its elements; may be NULL if count is 0. JR_WORK_APPLY writes there */
    uint64_t count;   /* elements, may be 0 */
    jr_type type;     /* 0: the spec's type. A spec of f32 takes f16 and bf16, too, one of f64 also f32 */
    int unused;       /* 0 */
} jr_array;

typedef struct jr_segment_layout {
    size_t size; /* sizeof(jr_segment_layout) */
    jr_segment_kind kind;
    uint64_t length;  /* equal, strided: elements of a segment, may be 0; axes: the product of the reduced dimensions */
    uint64_t inner;   /* strided: distance from one element of a segment to the next, in elements, 1 or more */
    jr_type key_type; /* keys: their type; not JR_STRUCT. Since: 0.2 */
    int dimensions;   /* axes: how many entries of `shape` count, 1 to JR_DIMENSIONS_MAX. Since: 0.2 */
    uint64_t shape[JR_DIMENSIONS_MAX];
    unsigned reduced;       /* axes: bit k: dimension k is reduced */
    int unused;             /* 0 */
    const jr_array *arrays; /* arrays: the table, read before the call that is given the layout returns; a pack needs
                             * none. Since: 0.3 */
    uint64_t array_count;   /* arrays: how many there are, fewer than 2^28. Since: 0.3 */
} jr_segment_layout;

/* The shape of the arrays, and the axis or axes along which they are reduced. They lie in C order without gaps, or as
 * `strides` says. */
typedef struct jr_axis {
    size_t size; /* sizeof(jr_axis) */
    const uint64_t *shape;
    int dimensions;                /* 1 to JR_DIMENSIONS_MAX */
    int axis;                      /* 0 to dimensions - 1; or negative: -1 is the last one. Ignored if axes is set */
    const int *axes;               /* several axes, in any order, each at most once; NULL: the one in `axis` */
    size_t axis_count;             /* how many `axes`: 1 to dimensions; 0 if axes is NULL */
    const int64_t *const *strides; /* one array per input of the spec: of each dimension, how many elements lie from one
                                    * to the next; negative: backwards; 0: the same one again. The input's address is
                                    * that of its first element, whose indices are 0. NULL: C order without gaps.
                                    * Since: 0.3 */
} jr_axis;

/* Finds the segments along axes: what NumPy's op(array, axis) reduces, in the order of its results. Along several axes,
 * the elements of a segment are in C order of these axes, whatever the order of `axes`.
 *
 * axis: the shape of the array and its axes, without strides; read before the call returns.
 * layout: `size` must be set; the rest is written, on success only.
 * count: where the number of segments is written, on success only.
 *
 * Owns: nothing.
 * Threads: any.
 * Errors: JR_ERROR_INVALID_ARGUMENT.
 * Since: 0.1. */
JR_API jr_status jr_segment_layout_of(const jr_axis *axis, jr_segment_layout *layout, uint64_t *count);

#ifdef __cplusplus
}
#endif
#endif
