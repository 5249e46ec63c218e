/* Scans (running results): one result per element, the reduction of all elements up to it.
 * Manual: scan.md. */
#ifndef JITREDUCE_SCAN_H
#define JITREDUCE_SCAN_H

#include "segment.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A scan (JR_WORK_SCAN_INCLUSIVE, JR_WORK_SCAN_EXCLUSIVE in work.h) takes the spec of a reduction, and each of its
 * results is what the reduction of those elements is, in the same type. The elements are folded in order, so a custom
 * operator must be associative but need not be commutative; float sums may be rounded differently from one addition
 * after the other. The initial value is folded in before the first element. An element that `where` or JR_NAN_IGNORE
 * skips has a result, too: that of the element before it. The n of `finish`, and the divisor of mean, is the number of
 * elements that a result covers.
 *
 * What a spec of a scan must be:
 * - one operator: spec.ops is not allowed;
 * - spec.algorithm: 0, JR_ALGORITHM_SINGLE_PASS, JR_ALGORITHM_ONE_BLOCK, JR_ALGORITHM_BULK_COPY (compute capability
 *   9.0), JR_ALGORITHM_WAVE (spec.grid must be 0) or JR_ALGORITHM_THREE_PASS (spec.grid, its rows, is at most 1000);
 * - spec.shared: not JR_SHARED_DYNAMIC; spec.max_launch_ms: 0.
 *
 * Results of no elements: the first result of an exclusive scan is the initial value, else the result of an empty
 * input. min and max therefore need an initial value, and argmin and argmax have no exclusive scan. A result before the
 * first element that `where` keeps covers no elements, either: in device memory it is the value that jr_work_plan_run
 * writes for an empty selection; a call on host memory fails with JR_ERROR_EMPTY_INPUT if the operator has no value for
 * that. A result before the first element that JR_NAN_IGNORE keeps is NaN, that of argmin and argmax -1, in both.
 *
 * With a layout (equal, strided from jr_segment_layout_of with one axis, offsets or keys), each segment is scanned by
 * itself: the results of a segment cover its own elements only, and the initial value is folded in before its first
 * element. The `i` of expressions and the results of argmin and argmax are indices within the segment (with keys: in
 * the whole input); the n of `finish` counts from the segment's first element. Elements before the first offset form a
 * segment, and so do those after the last. The bits of a result depend only on the plan's tuning, and with strided
 * segments on length, inner and count. */

#ifdef __cplusplus
}
#endif
#endif
