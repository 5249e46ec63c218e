/* The fold along axes: launches that reduce elements, or accumulators, along axes of an array
 * (segmented/axes/axes.cuh). */
#ifndef JR_SEGMENTS_AXES_FOLD_H
#define JR_SEGMENTS_AXES_FOLD_H

#include "parts_join.h"
#include "plan/axes.h"

/* The kernels of a plan that folds so: axes.cu, or axes_join.cu; and that of parts. */
enum { JR_AXES_FOLD, JR_AXES_JOIN };

/* Reduces merged axes of elements or accumulators to the results of a run: one launch, and another one over the parts
 * when segments were cut. parts: address of jr_parts_join_bytes, aligned to 16. input: what the first kernel takes:
 * a jr_cut, or the address of accumulators. */
jr_status jr_axes_fold(const jr_plan *plan, const jr_run *run, uint64_t parts, void *input, const jr_axes *axes);

#endif
