/* Exact sums by windows and digits: what their algorithms share (kernels_src/exact/exact_collect.cuh). */
#ifndef JR_EXACT_EXACT_FLAT_H
#define JR_EXACT_EXACT_FLAT_H

#include "plan/plan.h"

/* Loads of a thread: its share of what is in flight, and no more summands than stay in registers. */
int jr_exact_unroll(const jr_job *job, int block);

/* A workspace of digits and records, and what a run writes to, reads from and clears of it. */
size_t jr_exact_workspace(const jr_plan *plan);
uint64_t jr_exact_moved(const jr_plan *plan, uint64_t count);

/* As a row's; runs are split where the plan limits a launch. */
int jr_exact_launches(const jr_plan *plan, uint64_t count);
jr_status jr_exact_run(const jr_plan *plan, const jr_run *run);
jr_status jr_exact_fold(const jr_plan *plan, const jr_run *part, uint64_t partials);

#endif
