/* Segments: many reductions in one run: of equal rows, of pieces of any lengths, by keys, or along axes of an array.
 * Manual: segment.md. */
#ifndef JITREDUCE_SEGMENT_H
#define JITREDUCE_SEGMENT_H

#include "plan.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { JR_DIMENSIONS_MAX = 8 };

/* How the elements of the input are divided into segments. */
typedef enum jr_segment_kind {
    JR_SEGMENTS_EQUAL = 1,   /* consecutive, each of `length` elements: the rows of a matrix */
    JR_SEGMENTS_OFFSETS = 2, /* consecutive; each run gets the offsets at which they begin. Any length, 0 too */
    JR_SEGMENTS_STRIDED = 3, /* `length` elements with a distance of `inner`: columns. Element k of segment s is element
                              * (s / inner * length + k) * inner + s % inner of the input */
    JR_SEGMENTS_KEYS = 4,    /* consecutive; each run gets one key per element, and a segment begins where a key differs
                              * from the one before it (by !=: each NaN is a segment of its own, -0 equals +0).
                              * Since: 0.2 */
    JR_SEGMENTS_AXES = 5     /* the input is an array of `shape` in C order, some of whose dimensions are reduced: the
                              * other dimensions number the segments, in C order, and the reduced ones number the
                              * elements of a segment, in C order. Reductions only. Since: 0.2 */
} jr_segment_kind;

typedef struct jr_segment_layout {
    size_t size; /* sizeof(jr_segment_layout) */
    jr_segment_kind kind;
    uint64_t length;  /* equal, strided: elements of a segment, may be 0; axes: the product of the reduced dimensions */
    uint64_t inner;   /* strided: distance from one element of a segment to the next, in elements, 1 or more */
    jr_type key_type; /* keys: their type; not JR_STRUCT. Since: 0.2 */
    int dimensions;   /* axes: how many entries of `shape` count, 1 to JR_DIMENSIONS_MAX. Since: 0.2 */
    uint64_t shape[JR_DIMENSIONS_MAX];
    unsigned reduced; /* axes: bit k: dimension k is reduced */
    int unused;       /* 0 */
} jr_segment_layout;

/* The segments of one run. */
typedef struct jr_segments {
    size_t size;             /* sizeof(jr_segments) */
    uint64_t count;          /* segments. strided: must be a multiple of inner; axes: must be the product of the
                              * dimensions that are not reduced; keys: ignored */
    const uint64_t *offsets; /* JR_SEGMENTS_OFFSETS: count + 1 element numbers that must not descend: segment s is
                              * elements offsets[s] up to, not including, offsets[s + 1]; otherwise NULL */
    const void *keys;  /* JR_SEGMENTS_KEYS: one key per element, aligned to its type; otherwise NULL. Since: 0.2 */
    uint64_t elements; /* JR_SEGMENTS_KEYS, and scans by offsets in device memory: elements of the input. 0 is an
                        * empty input, of which nothing is read or written: do not forget it. Otherwise 0, or what the
                        * segments have. Since: 0.2 */
    const jr_segment_layout *layout; /* jr_scan_host_segments: the layout; otherwise ignored. Since: 0.2 */
    void *run_keys;                  /* reductions by JR_SEGMENTS_KEYS: where the key of each segment's first element is
                                      * written, consecutively, aligned to its type; NULL: not written. Since: 0.2 */
    uint64_t *run_count; /* reductions by JR_SEGMENTS_KEYS: where the number of segments is written; NULL: not written.
                          * Since: 0.2 */
} jr_segments;

/* A C-ordered array, and the axis or axes along which it is reduced. */
typedef struct jr_axis {
    size_t size; /* sizeof(jr_axis) */
    const uint64_t *shape;
    int dimensions;    /* 1 to JR_DIMENSIONS_MAX */
    int axis;          /* 0 to dimensions - 1; or negative: -1 is the last one. Ignored if axes is set */
    const int *axes;   /* several axes, in any order, each at most once; NULL: the one in `axis` */
    size_t axis_count; /* how many `axes`: 1 to dimensions; 0 if axes is NULL */
} jr_axis;

/* Finds the segments along axes: what NumPy's op(array, axis) reduces, in the order of its results. Along several axes,
 * the elements of a segment are in C order of these axes, whatever the order of `axes`.
 *
 * axis: the shape of the array and its axes; read before the call returns.
 * layout: `size` must be set; the rest is written, on success only.
 * count: where the number of segments is written, on success only.
 *
 * Owns: nothing.
 * Threads: any.
 * Errors: JR_ERROR_INVALID_ARGUMENT.
 * Since: 0.1. */
JR_API jr_status jr_segment_layout_of(const jr_axis *axis, jr_segment_layout *layout, uint64_t *count);

/* Makes a plan that reduces each segment as the spec says. argmin, argmax and the `i` of expressions are indices within
 * the segment (along several axes: in C order of these axes); with keys they are indices in the whole input. An
 * operator that is not commutative gets the elements of each segment in order.
 * All functions of plans take such a plan, except those that run it for one result: jr_plan_run, jr_plan_run_arrays,
 * jr_plan_value, jr_plan_time.
 *
 * spec: copied. spec->algorithm must be 0; with keys JR_ALGORITHM_BULK_COPY is also allowed (compute capability 9.0,
 *   one array, results as wide as its elements).
 * layout: copied.
 * plan: where the plan is written, on success only.
 *
 * Owns: the caller destroys it with jr_plan_destroy before closing the context.
 * Threads: any.
 * Errors: those of jr_plan_create.
 * Since: 0.1. */
JR_API jr_status jr_segment_plan_create(jr_context *context, const jr_spec *spec, const jr_segment_layout *layout,
                                        jr_plan **plan);

/* Enqueues the reduction of segments on `stream` and returns; it is complete once the stream reaches it. What
 * jr_plan_run says of allocation, captures and kernels holds here, too.
 *
 * The result of a segment without elements, or whose elements `where` skips all, is what jr_plan_run writes for an
 * empty selection. By keys, as many results are written, and keys to run_keys, as there are segments, in their order
 * (there are at most as many as elements); run_count gets their number, and memory after the last result stays as it
 * was. The same keys and elements at the same alignment give the same bits on every run.
 *
 * d_in: device memory, aligned to the element; may be NULL if there are no elements.
 * segments: read before the call returns, but its offsets, keys, run_keys and run_count are device memory, which is
 *   read and written when the stream reaches the run. The numbers in offsets are not checked: if they descend, which
 *   is an error of jr_reduce_host_segments, or exceed the elements of d_in, the results are undefined, or the kernel
 *   faults (JR_ERROR_DEVICE_FAULT from the next call that waits).
 * d_out: device memory for jr_plan_result_bytes per segment, consecutive. d_out, run_keys and run_count must not
 *   overlap each other or anything that the run reads. A scan (jr_scan_segment_plan_create) writes one result per
 *   element instead, and its d_out may be an input, as in jr_scan_plan_create.
 * workspace: as in jr_plan_run; only plans by keys need a prepared one.
 * stream: of the plan's context; NULL: the default stream.
 *
 * Owns: nothing; the memory must stay valid until the stream reaches the end of the run.
 * Threads: any, with different workspaces.
 * Errors: JR_ERROR_INVALID_ARGUMENT, JR_ERROR_WRONG_CONTEXT, JR_ERROR_DRIVER, JR_ERROR_DEVICE_FAULT.
 * Since: 0.1. */
JR_API jr_status jr_segment_plan_run(jr_plan *plan, const void *d_in, const jr_segments *segments, void *d_out,
                                     void *workspace, jr_stream stream);

/* Enqueues the reduction of segments of several arrays that are read side by side, like jr_segment_plan_run in
 * everything else.
 *
 * d_in: one device array per input of the spec; the array of pointers is read before the call returns.
 * segments, d_out, workspace, stream: as in jr_segment_plan_run.
 *
 * Owns: nothing; the memory must stay valid until the stream reaches the end of the run.
 * Threads: any, with different workspaces.
 * Errors: JR_ERROR_INVALID_ARGUMENT, JR_ERROR_WRONG_CONTEXT, JR_ERROR_DRIVER, JR_ERROR_DEVICE_FAULT.
 * Since: 0.1. */
JR_API jr_status jr_segment_plan_run_arrays(jr_plan *plan, const void *const *d_in, const jr_segments *segments,
                                            void *d_out, void *workspace, jr_stream stream);

/* Reduces segments in host memory: copies the input to the device, reduces it, waits. If data and results need more
 * device memory than spec.device_bytes, or than is free, they are processed in parts through a few device buffers:
 * several whole segments together; a segment, or segments side by side, that are larger than a part are cut. Float
 * results may then be rounded differently. With keys this is possible only if nothing uses the index (argmin, argmax,
 * i); otherwise the data must fit, and a smaller spec.device_bytes is JR_ERROR_NOT_APPLICABLE.
 *
 * spec: read before the call returns; as in jr_segment_plan_create.
 * layout: how the segments lie; read before the call returns.
 * data: one array per input of the spec, aligned to their elements; an array may be NULL if there are no elements.
 * segments: with offsets, or keys, run_keys and run_count, in host memory; run_keys and run_count are written on
 *   success only.
 * results: room for one result per segment of jr_result_layout.bytes each (jr_result_layout_of), by keys as many as
 *   elements; no alignment required, nor of run_keys; written on success only.
 *
 * Owns: nothing.
 * Threads: any.
 * Errors: JR_ERROR_EMPTY_INPUT (a segment without elements, or whose elements `where` skips all, and an operator
 *   without a value for that; with spec.kept that segment gets what jr_plan_run writes, and its count says so), those
 *   of jr_plan_create.
 * Since: 0.1. */
JR_API jr_status jr_reduce_host_segments(jr_context *context, const jr_spec *spec, const jr_segment_layout *layout,
                                         const void *const *data, const jr_segments *segments, void *results);

/* Reduces a C-ordered array in host memory along one axis or several, like jr_reduce_host_segments in everything else.
 *
 * spec: read before the call returns.
 * data: one array of that shape per input of the spec, aligned to their elements.
 * axis: the shape and the axes; read before the call returns.
 * results: room for one result of jr_result_layout.bytes per element of the shape without the axes, in C order; no
 *   alignment required; written on success only.
 *
 * Owns: nothing.
 * Threads: any.
 * Errors: JR_ERROR_EMPTY_INPUT (the axis has a length of 0, or `where` skips all elements of a result, and an operator
 *   has no value for that, without spec.kept), those of jr_plan_create.
 * Since: 0.1. */
JR_API jr_status jr_reduce_host_axis(jr_context *context, const jr_spec *spec, const void *const *data,
                                     const jr_axis *axis, void *results);

#ifdef __cplusplus
}
#endif
#endif
