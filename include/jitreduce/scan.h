/* Scans (running results): one result per element, the reduction of all elements up to it.
 * Manual: scan.md. */
#ifndef JITREDUCE_SCAN_H
#define JITREDUCE_SCAN_H

#include "segment.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Which elements the result of element k covers. */
typedef enum jr_scan_kind {
    JR_SCAN_INCLUSIVE = 0, /* all elements up to and including k: 3 1 4 -> 3 4 8 */
    JR_SCAN_EXCLUSIVE = 1  /* all elements before k: 3 1 4 -> 0 3 4 */
} jr_scan_kind;

/* A scan takes the spec of a reduction, and each of its results is what the reduction of those elements is, in the same
 * type. The elements are folded in order, so a custom operator must be associative but need not be commutative; float
 * sums may be rounded differently from one addition after the other. The initial value is folded in before the first
 * element. An element that `where` or JR_NAN_IGNORE skips has a result, too: that of the element before it. The n of
 * `finish`, and the divisor of mean, is the number of elements that a result covers.
 *
 * What a spec of a scan must be:
 * - one operator: spec.ops is not allowed;
 * - spec.algorithm: 0, JR_ALGORITHM_SINGLE_PASS, JR_ALGORITHM_ONE_BLOCK, JR_ALGORITHM_BULK_COPY (compute capability
 *   9.0), JR_ALGORITHM_WAVE (spec.grid must be 0) or JR_ALGORITHM_THREE_PASS (spec.grid, its rows, is at most 1000);
 * - spec.shared: not JR_SHARED_DYNAMIC; spec.max_launch_ms: 0.
 *
 * Results of no elements: the first result of an exclusive scan is the initial value, else the result of an empty
 * input. min and max therefore need an initial value, and argmin and argmax have no exclusive scan. A result before the
 * first element that `where` keeps covers no elements, either: in device memory it is the value that jr_plan_run writes
 * for an empty selection; a call on host memory fails with JR_ERROR_EMPTY_INPUT if the operator has no value for that.
 */

/* Makes a plan of a scan. It is used like a plan of a reduction (plan.h); jr_plan_run then writes `count` results to
 * d_out, consecutive, jr_plan_result_bytes each, of type jr_plan_result_type. d_out may be one of the inputs if its
 * elements are as large as the results; otherwise d_out must not overlap the inputs. If `count` is 0, nothing is
 * written and d_out may be NULL.
 *
 * spec: copied; what it must be is said above.
 * kind: inclusive or exclusive.
 * plan: where the plan is written, on success only.
 *
 * Owns: the caller destroys it with jr_plan_destroy before closing the context.
 * Threads: any.
 * Errors: JR_ERROR_EMPTY_INPUT (an exclusive scan whose first result has no value), those of jr_plan_create.
 * Since: 0.1. */
JR_API jr_status jr_scan_plan_create(jr_context *context, const jr_spec *spec, jr_scan_kind kind, jr_plan **plan);

/* Scans an array in host memory: copies it to the device, scans it, copies the results back, waits. If data and results
 * need more device memory than spec.device_bytes, or than is free, they are processed in parts through a few device
 * buffers (not with JR_ALGORITHM_THREE_PASS). Parts are whole tiles, and the results have the same bits as without
 * parts.
 *
 * Unlike other out-arguments, `out` may be written although the call fails: without parts by a failed copy back only,
 * with parts as soon as the first part is complete. A result that has no value is found before anything is written.
 *
 * spec: must have one input; read before the call returns.
 * kind: inclusive or exclusive.
 * data: `count` elements of spec->type, aligned to the element; may be NULL if `count` is 0.
 * count: elements; may be 0.
 * out: room for `count` results, aligned to their type; it may be `data` if the results are as large as the elements,
 *   otherwise it must not overlap `data`; may be NULL if `count` is 0.
 *
 * Owns: nothing.
 * Threads: any.
 * Errors: JR_ERROR_EMPTY_INPUT (a result covers no elements and has no value), those of jr_plan_create.
 * Since: 0.1; in parts: 0.2. */
JR_API jr_status jr_scan_host(jr_context *context, const jr_spec *spec, jr_scan_kind kind, const void *data,
                              uint64_t count, void *out);

/* Scans several arrays in host memory that are read side by side, like jr_scan_host in everything else.
 *
 * spec: with any number of inputs; read before the call returns.
 * kind: inclusive or exclusive.
 * data: one array per input of the spec, `count` elements each.
 * count: elements of each array; may be 0.
 * out: as in jr_scan_host; it may be any of the arrays whose elements are as large as the results.
 *
 * Owns: nothing.
 * Threads: any.
 * Errors: JR_ERROR_EMPTY_INPUT (a result covers no elements and has no value), those of jr_plan_create.
 * Since: 0.1. */
JR_API jr_status jr_scan_host_arrays(jr_context *context, const jr_spec *spec, jr_scan_kind kind,
                                     const void *const *data, uint64_t count, void *out);

/* Makes a plan that scans each segment by itself: the results of a segment cover its own elements only, and the initial
 * value is folded in before its first element. The `i` of expressions and the results of argmin and argmax are indices
 * within the segment (with keys: in the whole input); the n of `finish` counts from the segment's first element.
 * Elements before the first offset form a segment, and so do those after the last.
 *
 * Run the plan with jr_segment_plan_run or jr_segment_plan_run_arrays, which write one result per element; jr_plan_run
 * and jr_plan_time refuse it. The bits of a result depend only on the plan's tuning, and with strided segments on
 * length, inner and count.
 *
 * spec: copied. spec->algorithm must be 0; if segments are consecutive, JR_ALGORITHM_SINGLE_PASS is also allowed, and
 *   JR_ALGORITHM_BULK_COPY for one array of numbers whose results have the same size, without `finish`, statistics and
 *   use of the index (compute capability 9.0).
 * kind: inclusive or exclusive.
 * layout: copied; equal, strided (from jr_segment_layout_of: one axis), offsets or keys.
 * plan: where the plan is written, on success only.
 *
 * Owns: the caller destroys it with jr_plan_destroy before closing the context.
 * Threads: any.
 * Errors: JR_ERROR_EMPTY_INPUT (an exclusive scan whose first result has no value), those of jr_plan_create
 *   (JR_ERROR_UNSUPPORTED_TYPE also for the type of the keys).
 * Since: 0.2. */
JR_API jr_status jr_scan_segment_plan_create(jr_context *context, const jr_spec *spec, jr_scan_kind kind,
                                             const jr_segment_layout *layout, jr_plan **plan);

/* Scans segments in host memory, each by itself, like jr_scan_host in everything else. In parts, the results have the
 * same bits as without, with one exception: if strided segments that lie side by side do not fit into a part together
 * (a third of spec.device_bytes), they are cut into rows or columns, and floats may be rounded differently. In parts, a
 * result without a value may be found after others were written.
 *
 * spec: as in jr_scan_segment_plan_create; read before the call returns.
 * kind: inclusive or exclusive.
 * data: one array per input of the spec, aligned to their elements.
 * segments: its `layout` must be set; offsets and keys are host memory; `elements` counts with keys only.
 * out: room for one result per element, aligned to their type; it may be one of the arrays if the results are as large
 *   as its elements, otherwise it must not overlap them; it must not overlap offsets and keys.
 *
 * Owns: nothing.
 * Threads: any.
 * Errors: JR_ERROR_EMPTY_INPUT (a result covers no elements and has no value), those of jr_plan_create.
 * Since: 0.2. */
JR_API jr_status jr_scan_host_segments(jr_context *context, const jr_spec *spec, jr_scan_kind kind,
                                       const void *const *data, const jr_segments *segments, void *out);

/* Scans a C-ordered array in host memory along an axis, as NumPy's cumsum(array, axis) does; like jr_scan_host_segments
 * in everything else.
 *
 * spec: read before the call returns.
 * kind: inclusive or exclusive.
 * data: one array of that shape per input of the spec, aligned to their elements.
 * axis: the shape and the axis; read before the call returns.
 * out: room for an array of that shape; it may be one of the arrays if the results are as large as its elements,
 *   otherwise it must not overlap them.
 *
 * Owns: nothing.
 * Threads: any.
 * Errors: JR_ERROR_EMPTY_INPUT (a result covers no elements and has no value), those of jr_plan_create.
 * Since: 0.2. */
JR_API jr_status jr_scan_host_axis(jr_context *context, const jr_spec *spec, jr_scan_kind kind, const void *const *data,
                                   const jr_axis *axis, void *out);

#ifdef __cplusplus
}
#endif
#endif
