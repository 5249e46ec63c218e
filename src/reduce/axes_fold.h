/* The fold along axes: launches that reduce elements, or accumulators, along axes of an array (segmented/axes.cuh). */
#ifndef JR_REDUCE_AXES_FOLD_H
#define JR_REDUCE_AXES_FOLD_H

#include "axes.h"
#include "segments.h"

/* Which of a plan's kernels fold, and where parts of segments go between them. */
typedef struct jr_axes_kernels {
    int first, join; /* the second one is axes_join.cu */
    uint64_t parts;  /* address of jr_axes_parts_bytes, aligned to 16 */
} jr_axes_kernels;

/* Bytes for the parts of segments of any run of a plan. */
size_t jr_axes_parts_bytes(const jr_plan *plan);

/* Reduces merged axes of elements or accumulators to the results of a run: one launch, and another one over the parts
 * when segments were cut. input: what the first kernel takes: a jr_cut, or the address of accumulators. */
jr_status jr_axes_fold(const jr_plan *plan, const jr_run *run, const jr_axes_kernels *kernels, void *input,
                       const jr_axes *axes);

/* Reduces what several parts of each segment have left, `parts` rows of an accumulator a segment, to the results of a
 * run: one launch. */
jr_status jr_axes_join(const jr_plan *plan, const jr_run *run, const jr_axes_kernels *kernels, uint64_t parts);

#endif
