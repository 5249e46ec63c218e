/* Segments: many reductions in one run: of equal rows, of pieces of any lengths, or along axes of an array. */
#ifndef JITREDUCE_SEGMENT_H
#define JITREDUCE_SEGMENT_H

#include "plan.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { JR_DIMENSIONS_MAX = 8 };

/* How the elements of the input lie in segments. */
typedef enum jr_segment_kind {
    JR_SEGMENTS_EQUAL = 1,   /* one behind the other, each of `length` elements: the rows of a matrix */
    JR_SEGMENTS_OFFSETS = 2, /* one behind the other; offsets, given to each run, say where. Any lengths, also 0 */
    JR_SEGMENTS_STRIDED = 3, /* `length` elements that lie `inner` apart: columns. Element k of segment s is element
                              * (s / inner * length + k) * inner + s % inner of the input */
    JR_SEGMENTS_KEYS = 4,    /* one behind the other; a key for each element, given to each run, says where: a segment
                              * begins where a key differs (by !=, so that each NaN is one of its own, and -0 and +0
                              * are equal) from the one before it. Since: 0.2 */
    JR_SEGMENTS_AXES = 5     /* the input is an array of `shape` in C order, of which some dimensions are reduced: the
                              * others number the segments, in C order, and those the elements of each, in C order. Of
                              * reductions. Since: 0.2 */
} jr_segment_kind;

typedef struct jr_segment_layout {
    size_t size; /* sizeof(jr_segment_layout) */
    jr_segment_kind kind;
    uint64_t length;  /* equal, strided: elements of a segment, may be 0; axes: the product of what is reduced */
    uint64_t inner;   /* strided: elements from one of a segment to the next, 1 or more */
    jr_type key_type; /* keys: of each; not JR_STRUCT. Since: 0.2 */
    int dimensions;   /* axes: of shape, 1 to JR_DIMENSIONS_MAX. Since: 0.2 */
    uint64_t shape[JR_DIMENSIONS_MAX];
    unsigned reduced; /* axes: bit k: dimension k is reduced */
    int unused;       /* 0 */
} jr_segment_layout;

/* The segments of one run. */
typedef struct jr_segments {
    size_t size;             /* sizeof(jr_segments) */
    uint64_t count;          /* strided: a multiple of inner; axes: the product of the dimensions that are left;
                              * keys: not looked at */
    const uint64_t *offsets; /* of JR_SEGMENTS_OFFSETS: count + 1 element numbers, none below the one before it: segment
                              * s is elements offsets[s] up to offsets[s + 1]; else NULL */
    const void *keys;        /* of JR_SEGMENTS_KEYS: one for each element, aligned to its type; else NULL. Since: 0.2 */
    uint64_t elements;       /* of JR_SEGMENTS_KEYS, and of scans by offsets in device memory: how many the input has;
                              * otherwise not looked at. Since: 0.2 */
    const jr_segment_layout *layout; /* of jr_scan_host_segments: how they lie; otherwise not looked at. Since: 0.2 */
    void *run_keys;                  /* of reductions by JR_SEGMENTS_KEYS: where the key of each segment goes, that of
                                      * its first element, one behind the other, aligned to its type; NULL: nowhere.
                                      * Since: 0.2 */
    uint64_t *run_count;             /* likewise: where their number goes. Since: 0.2 */
} jr_segments;

/* A C-ordered array, and the axis or the axes that are reduced away. */
typedef struct jr_axis {
    size_t size; /* sizeof(jr_axis) */
    const uint64_t *shape;
    int dimensions;    /* 1 to JR_DIMENSIONS_MAX */
    int axis;          /* 0 to dimensions - 1; or negative: -1 is the last one. Says nothing when axes is set */
    const int *axes;   /* several of them, in any order, none twice; NULL: the one of `axis` */
    size_t axis_count; /* of axes: 1 to dimensions; 0 when axes is NULL */
} jr_axis;

/* Finds the segments of axes: what NumPy's op(array, axis) reduces, in the order of its results. Along several axes the
 * elements of a segment are in C order of these axes, whatever order `axes` has them in.
 * Writes *layout and *count (of segments) on success only.
 * Owns: nothing. Threads: any. Errors: JR_ERROR_INVALID_ARGUMENT. Since: 0.1. */
JR_API jr_status jr_segment_layout_of(const jr_axis *axis, jr_segment_layout *layout, uint64_t *count);

/* Makes a plan for segments that lie as layout says. Each segment is reduced as the spec says; argmin and argmax give
 * the index within it, expressions see i as that index (along several axes: in C order of these alone; by keys: in the
 * whole input). All functions of plans take the plan but those that run it for one result (jr_plan_run,
 * jr_plan_run_arrays, jr_plan_value, jr_plan_time). An operator that is not commutative is given the elements of each
 * segment in order. spec: copied; algorithm 0, of runs of keys also JR_ALGORITHM_BULK_COPY (compute capability 9.0; one
 * array, results as wide as its elements). Writes *plan on success only. Owns: the caller destroys it with
 * jr_plan_destroy before closing the context. Threads: any. Errors: as jr_plan_create. Since: 0.1. */
JR_API jr_status jr_segment_plan_create(jr_context *context, const jr_spec *spec, const jr_segment_layout *layout,
                                        jr_plan **plan);

/* Runs a plan of segments on a stream, asynchronously, by the rules of jr_plan_run.
 * d_in: device memory, aligned to the element. segments: read before the call returns; its offsets, keys, run_keys and
 * run_count are device memory, and are read and written when the stream gets there. Offsets that descend make the
 * results undefined.
 * d_out: device memory for count results, one behind the other, jr_plan_result_bytes each. The result of a segment
 * without elements, or without one that `where` keeps, is what jr_plan_run (plan.h) writes when nothing is kept.
 * By keys (reduce by key): as many results, and keys at run_keys, as there are segments, in their order, and nothing
 * behind them; there are no more than elements, and run_count tells. What is written overlaps nothing that the run
 * reads or writes elsewhere. The same keys and elements at the same alignment give the same bits on every run.
 * workspace: as of jr_plan_run; only segments by keys need a prepared one.
 * Owns: nothing; all pointers must stay valid until the stream gets there. Threads: any, with different workspaces.
 * Errors: JR_ERROR_INVALID_ARGUMENT, JR_ERROR_WRONG_CONTEXT, JR_ERROR_DRIVER, JR_ERROR_DEVICE_FAULT. Since: 0.1. */
JR_API jr_status jr_segment_plan_run(jr_plan *plan, const void *d_in, const jr_segments *segments, void *d_out,
                                     void *workspace, jr_stream stream);

/* Runs a plan of segments over several arrays, read side by side.
 * d_in: as many device arrays as the spec has inputs. The rest, and all rules, as jr_segment_plan_run.
 * Owns: nothing. Threads: as jr_segment_plan_run. Errors: as jr_segment_plan_run. Since: 0.1. */
JR_API jr_status jr_segment_plan_run_arrays(jr_plan *plan, const void *const *d_in, const jr_segments *segments,
                                            void *d_out, void *workspace, jr_stream stream);

/* Reduces segments in host memory: copies the input to the device, reduces, waits. When data and results need more
 * device memory than spec.device_bytes, or than is free, they go through a few buffers of the device in turn: whole
 * segments together, and a segment, or segments side by side, that are larger than a part in pieces. Results of floats
 * may then round otherwise than without parts. Segments by keys go so where nothing sees the index (argmin, argmax, i);
 * others must fit: a smaller spec.device_bytes is JR_ERROR_NOT_APPLICABLE.
 * data: as many arrays as the spec has inputs, aligned to their elements; may hold NULL when there are no elements.
 * segments: with offsets, or keys, run_keys and run_count, in host memory.
 * results: as d_out of jr_segment_plan_run, in host memory, aligned to nothing: as many times jr_result_layout.bytes
 * (jr_result_layout_of) as there are segments; written on success only, as run_keys (aligned to nothing, too) and
 * run_count are. By keys there are no more segments than elements.
 * Owns: nothing. Threads: any, several at once. Errors: as jr_reduce_host; JR_ERROR_EMPTY_INPUT for a segment without
 * elements, or without one that `where` keeps, whose operator has no value for it. Since: 0.1. */
JR_API jr_status jr_reduce_host_segments(jr_context *context, const jr_spec *spec, const jr_segment_layout *layout,
                                         const void *const *data, const jr_segments *segments, void *results);

/* Reduces a C-ordered array in host memory along an axis, or along several at once.
 * data: as many arrays of that shape as the spec has inputs. results: one for each element of the shape without the
 * axes, in C order; the rest as of jr_reduce_host_segments.
 * Owns: nothing. Threads: any, several at once. Errors: as jr_reduce_host_segments. Since: 0.1. */
JR_API jr_status jr_reduce_host_axis(jr_context *context, const jr_spec *spec, const void *const *data,
                                     const jr_axis *axis, void *results);

#ifdef __cplusplus
}
#endif
#endif
