/* Scans (prefix reductions): a result for every element instead of one of all. */
#ifndef JITREDUCE_SCAN_H
#define JITREDUCE_SCAN_H

#include "segment.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Which elements the result at an index is of. */
typedef enum jr_scan_kind {
    JR_SCAN_INCLUSIVE = 0, /* of all elements up to it: 3 1 4 -> 3 4 8 */
    JR_SCAN_EXCLUSIVE = 1  /* of all elements before it: 3 1 4 -> 0 3 4 */
} jr_scan_kind;

/* Every result is what the reduction of those elements is, in the type that the reduction's result has: a spec says
 * the same of a scan and of a reduction. The elements are folded in order, so that a custom operator need not be
 * commutative, only associative; float sums round differently from one addition after the other. The initial value
 * comes before the first element. Elements that `where` or JR_NAN_IGNORE leaves out have a result, too: that of the
 * element before. The n of `finish`, and the divisor of mean, is the number of elements that the result is of. Not for
 * lists of operators; spec.algorithm is 0, JR_ALGORITHM_SINGLE_PASS, JR_ALGORITHM_ONE_BLOCK, JR_ALGORITHM_BULK_COPY
 * (compute capability 9.0), JR_ALGORITHM_WAVE (spec.grid 0) or JR_ALGORITHM_THREE_PASS, whose spec.grid (rows) is at
 * most 1000; spec.shared is not JR_SHARED_DYNAMIC, max_launch_ms 0.
 *
 * An exclusive scan's first result is of no elements: the initial value, else what the reduction of an empty input is.
 * min and max therefore need an initial value, argmin and argmax cannot be scanned exclusively. Results before the
 * first element that `where` keeps are of no elements, too: in device memory the values that jr_plan_run (plan.h) says,
 * an error of host calls where that is one. */

/* Makes a plan of a scan. What can be done with a plan of a reduction can be done with it (plan.h), where
 * jr_plan_run writes count results from d_out on, each of jr_plan_result_bytes and of jr_plan_result_type. d_out may be
 * one of the inputs if its elements are as large as the results; else it must not overlap them. Of a count of 0 nothing
 * is written, and d_out may be NULL.
 * spec: copied. Writes *plan on success only.
 * Owns: the caller destroys it (jr_plan_destroy) before closing the context. Threads: any. Errors: as jr_plan_create,
 * and JR_ERROR_EMPTY_INPUT (an exclusive scan whose first result has no value). Since: 0.1. */
JR_API jr_status jr_scan_plan_create(jr_context *context, const jr_spec *spec, jr_scan_kind kind, jr_plan **plan);

/* Scans count elements in host memory: copies them to the device, scans, copies the results back, waits. When data and
 * results need more device memory than spec.device_bytes, or than is free, they go through a few buffers of the device
 * in turn: a part comes and another one goes back while the one between is scanned (not by JR_ALGORITHM_THREE_PASS).
 * Parts are whole tiles, and the results have the same bits as without parts.
 * data: count elements of spec->type, aligned to the element; may be NULL when count is 0. out: count results, aligned
 * to their type; may be data if the results are as large as the elements, else apart from it; may be NULL when count is
 * 0. Results are not written before all of them have been computed, so that only a failure of the copy back can leave
 * some there; but in parts they are written as they come, and a failure leaves those that were. That a result is of no
 * elements and has no value is found before any is written. The spec must have one input.
 * Owns: nothing. Threads: any, several at once. Errors: as jr_reduce_host. Since: 0.1; in parts: 0.2. */
JR_API jr_status jr_scan_host(jr_context *context, const jr_spec *spec, jr_scan_kind kind, const void *data,
                              uint64_t count, void *out);

/* Scans several arrays in host memory, read side by side.
 * data: as many arrays as the spec has inputs, count elements each; out may be any of them if its elements are as large
 * as the results. The rest as jr_scan_host.
 * Owns: nothing. Threads: any, several at once. Errors: as jr_reduce_host. Since: 0.1. */
JR_API jr_status jr_scan_host_arrays(jr_context *context, const jr_spec *spec, jr_scan_kind kind,
                                     const void *const *data, uint64_t count, void *out);

/* Makes a plan that scans segments, each for itself: as jr_scan_plan_create, with the results of a segment made of its
 * own elements alone, the initial value before its first one; expressions see i as the index within the segment, argmin
 * and argmax give that, and the n of `finish` counts from its first element; but of segments by keys i and these
 * indices are those in the whole input. Run it with jr_segment_plan_run or jr_segment_plan_run_arrays, which write a
 * result for each element; jr_plan_run and jr_plan_time do not take it. The elements before the first offset form a
 * segment, and those behind the last one, too. The bits of a result depend on the plan's tuning, of strided segments on
 * length, inner and count, and on nothing else. spec: copied; algorithm 0, or, where segments lie one behind the other,
 * JR_ALGORITHM_SINGLE_PASS, or, of compute capability 9.0 on, for results as wide as the numbers of one array, without
 * finish, statistics and a look at the index, JR_ALGORITHM_BULK_COPY. layout: rows (equal segments), an axis
 * (jr_segment_layout_of), offsets, or keys. Writes *plan on success only. Source: G. Blelloch, "Prefix Sums and Their
 * Applications" (1990), segmented scans. Owns: the caller destroys it (jr_plan_destroy) before closing the context.
 * Threads: any. Errors: as jr_scan_plan_create; JR_ERROR_UNSUPPORTED_TYPE (a type of keys). Since: 0.2. */
JR_API jr_status jr_scan_segment_plan_create(jr_context *context, const jr_spec *spec, jr_scan_kind kind,
                                             const jr_segment_layout *layout, jr_plan **plan);

/* Scans segments in host memory, each for itself.
 * data: as many arrays as the spec has inputs. segments: with their layout; offsets and keys in host memory; elements
 * only of keys. out: a result for each element, by the rules of jr_scan_host. Results in parts have the same bits as
 * without; but of strided segments only where all that lie side by side fit into a part together (a third of
 * spec.device_bytes): else they come by some rows at a time, or some columns of a row, and floats may round otherwise.
 * In parts that a result has no value may be found when others were written, and out must not overlap offsets or keys.
 * Owns: nothing. Threads: any, several at once. Errors: as jr_scan_host and jr_scan_segment_plan_create. Since: 0.2. */
JR_API jr_status jr_scan_host_segments(jr_context *context, const jr_spec *spec, jr_scan_kind kind,
                                       const void *const *data, const jr_segments *segments, void *out);

/* Scans a C-ordered array in host memory along an axis: NumPy's cumsum(array, axis) and its like.
 * data: as many arrays of that shape as the spec has inputs. out: an array of that shape, by the rules of jr_scan_host.
 * Owns: nothing. Threads: any, several at once. Errors: as jr_scan_host_segments. Since: 0.2. */
JR_API jr_status jr_scan_host_axis(jr_context *context, const jr_spec *spec, jr_scan_kind kind, const void *const *data,
                                   const jr_axis *axis, void *out);

#ifdef __cplusplus
}
#endif
#endif
