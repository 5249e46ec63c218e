/* Axes: an array's dimensions, as few as say the same, and where the elements along them lie. */
#ifndef JR_PLAN_AXES_H
#define JR_PLAN_AXES_H

#include <stdbool.h>

#include "abi.h"
#include "jitreduce/segment.h"

/* In C order; those that are reduced are the elements of a segment, the others number the segments. */
typedef struct jr_axes {
    uint64_t size[JR_DIMENSIONS_MAX];
    int count;        /* 0: a single element */
    unsigned reduced; /* bit k: axis k */
} jr_axes;

/* The axes of a layout of JR_SEGMENTS_AXES. */
jr_axes jr_axes_of(const jr_segment_layout *layout);

bool jr_axes_is_reduced(const jr_axes *axes, int axis);

/* The same array without axes of size 1, and with neighbouring axes merged that are both reduced or both not: they take
 * turns then. */
jr_axes jr_axes_merge(const jr_axes *axes);

/* The product of those axes from `first` to `last` - 1 that are reduced, or that are not; 1 without any. False: it does
 * not fit 64 bits. */
bool jr_axes_product(const jr_axes *axes, int first, int last, bool reduced, uint64_t *product);

/* How many elements lie from one along an axis to the next. */
uint64_t jr_axes_stride(const jr_axes *axes, int axis);

/* Where elements along the axes that are reduced, or those that are not, lie; of merged axes. */
jr_axis_map jr_axes_map(const jr_axes *axes, bool reduced);

#endif
