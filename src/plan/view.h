/* Views: arrays whose elements may lie apart, backwards or upon each other, and how they are reduced. */
#ifndef JR_PLAN_VIEW_H
#define JR_PLAN_VIEW_H

#include "abi_views.h"
#include "axes.h"
#include "jitreduce/reduce.h"

/* The axes of all arrays, and where each array's elements lie along them. */
typedef struct jr_view {
    int arrays; /* how many have strides; 0: there is no view, arrays lie in C order without gaps */
    jr_axes axes;
    int64_t stride[JR_INPUTS_MAX][JR_DIMENSIONS_MAX]; /* elements from one to the next */
    uint64_t index[JR_DIMENSIONS_MAX]; /* of reduced axes: from one's index in the segment to the next's */
} jr_view;

/* The view of a caller's axis; none if its arrays lie in C order without gaps after all, or have no elements. axes: the
 * shape, and what is reduced. Errors: JR_ERROR_INVALID_ARGUMENT (strides of an array are NULL, or reach further than 64
 * bits). */
jr_status jr_view_of(const jr_axes *axes, const int64_t *const *strides, int arrays, jr_view *view);

/* The same view by as few axes as say the same. in_order: the elements of a segment must come in C order; if not, they
 * come as the first array has them in memory. Errors: JR_ERROR_NOT_APPLICABLE: more axes are left than kernels take. */
jr_status jr_view_settle(jr_view *view, bool in_order);

/* The same view as one run of elements in C order, as scans go along it, by as few axes as say the same. */
void jr_view_settle_scan(jr_view *view);

/* How many axes are reduced, or are not. */
int jr_view_count(const jr_view *view, bool reduced);

/* How many elements an array has in memory before and after its first one, with those that the view leaves out. */
void jr_view_reach(const jr_view *view, int array, uint64_t *before, uint64_t *after);

/* Where segments lie, or the elements of one; of a settled view. */
jr_view_map jr_view_map_of(const jr_view *view, bool reduced);

/* Whether neighbouring elements of a segment lie closer in the first array than neighbouring segments. */
bool jr_view_is_by_lanes(const jr_view *view);

#endif
