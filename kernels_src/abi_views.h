/* What host and kernels both know of views, whose elements may lie apart: part of no other header, so that other
 * kernels do not depend on it. */
#ifndef JR_ABI_VIEWS_H
#define JR_ABI_VIEWS_H

#include "abi.h"

/* Maps a number, in C order along axes, to an element of each array: the sizes of the axes, the last axis first, and
 * how many elements lie from one neighbour to the next, modulo 2^64. A missing axis has size 1 and stride 0. */
typedef struct jr_view_map {
    jr_u64 size[JR_AXES_MAX];
    jr_u64 stride[JR_ARRAYS_MAX][JR_AXES_MAX];
    jr_u64 index[JR_AXES_MAX]; /* from one neighbour's index in the segment to the next one's */
} jr_view_map;

/* Segments of a view: where each lies, and where the elements of one lie from its first one on. Blocks share them as
 * they share columns. */
typedef struct jr_view_cut {
    jr_column_cut columns;
    jr_view_map segments, elements;
    JR_ADDRESS(const void) arrays[JR_ARRAYS_MAX];
    jr_u32 by_lanes; /* 1: neighbouring threads take neighbouring elements of a segment; 0: neighbouring segments */
    jr_u32 unused;   /* 0 */
} jr_view_cut;
JR_STATIC_ASSERT(sizeof(jr_view_cut) == 56 + 2 * 192 + 40, "jr_view_cut: the layout differs");

#endif
