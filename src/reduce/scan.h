/* Scans: plans that write a result for every element. */
#ifndef JR_REDUCE_SCAN_H
#define JR_REDUCE_SCAN_H

#include "jitreduce/scan.h"
#include "plan.h"

/* Source: row-wise reduce-then-scan, in which one block folds all rows' sums. */
enum { JR_SCAN_ROWS_MAX = 1000 };

/* Makes what the public jr_scan_plan_create does; jr_plan_free frees it. */
jr_status jr_scan_plan_make(jr_context *context, const jr_spec *spec, jr_scan_kind kind, jr_plan **plan);

/* Checks what a scan asks of a spec beyond what a reduction does, and works it out. */
jr_status jr_scan_check(const jr_spec *spec, jr_scan_kind kind, jr_reduction **reduction);

/* Checks that a run's results lie beside its inputs, or exactly upon one of the same element size. */
jr_status jr_scan_check_places(const jr_reduction *reduction, const jr_run *run);

/* Does what the public jr_scan_host_arrays does; the arguments have been checked for NULL. */
jr_status jr_scan_host_run(jr_context *context, const jr_spec *spec, jr_scan_kind kind, const void *const *data,
                           uint64_t count, void *out);

#endif
