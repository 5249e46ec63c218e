/* The inputs of kernels that scan: of arrays in C order, and of views. */
#ifndef JR_SCAN_SCAN_VIEW_H
#define JR_SCAN_SCAN_VIEW_H

#include "abi_views.h"
#include "plan/plan.h"

/* All axes of a view, the last one first (kernels_src/scan/views/scan_views.cu). */
typedef struct jr_view_axes {
    jr_view_map maps[2];
} jr_view_axes;

/* The cut of a run's inputs; if the plan has a view, as if their elements lay in C order from a 16-byte boundary on. */
jr_cut jr_scan_cut(const jr_plan *plan, const jr_run *run);

/* Sets the axes of the plan's view; without one leaves them as they are, since no kernel takes them. */
void jr_scan_view_axes(const jr_plan *plan, jr_view_axes *axes);

#endif
