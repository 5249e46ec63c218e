/* Part of the estimate: rings in shared memory (kernels_src/scan/ring/ring.cuh, kernels_src/reduce/bulk_copy.cu). */
#ifndef JR_PLAN_ESTIMATE_RING_H
#define JR_PLAN_ESTIMATE_RING_H

#include "algorithm.h"

/* Bytes of the stage for a warp's results in a scan (kernels_src/scan/common/results.cuh). */
enum { JR_SCAN_STAGE_MOST = 1040 };

/* An unroll factor for a kernel that scans, `unroll` at most. */
int jr_estimate_fewer_for_scan(const jr_reduction *reduction, int unroll);

/* An unroll factor for a ring of squads, that of the row at most. */
int jr_estimate_ring_unroll(const jr_job *job, const jr_algorithm_row *row, int block);

/* Sets the tuning's places, and the shared memory that they take. Errors: JR_ERROR_NOT_APPLICABLE (too few fit). */
jr_status jr_estimate_fit_ring(const jr_job *job, const jr_algorithm_row *row, jr_tuning *tuning);

#endif
