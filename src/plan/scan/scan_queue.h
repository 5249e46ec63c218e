/* Scans by a queue: what their algorithms have in common. Blocks draw tiles and leave their totals in slots
 * (kernels_src/scan/common/queue.cuh). */
#ifndef JR_SCAN_SCAN_QUEUE_H
#define JR_SCAN_SCAN_QUEUE_H

#include "plan/plan.h"

/* What their rows say; of the plan's row `queue` is asked for. */
int jr_scan_queue_grid(const jr_plan *plan, uint64_t count);
size_t jr_scan_queue_workspace(const jr_plan *plan);
uint64_t jr_scan_queue_moved(const jr_plan *plan, uint64_t count);
int jr_scan_queue_launches(const jr_plan *plan, uint64_t count);
uint64_t jr_scan_queue_tile_count(const jr_plan *plan);

/* Launches the plan's first kernel with (input, results, queue, of segments their heads, of runs where they go, call)
 * for as many tiles as there are slots, and again for what is left. */
jr_status jr_scan_queue_run(const jr_plan *plan, const jr_run *run);
jr_status jr_scan_queue_part(const jr_plan *plan, const jr_run *part, jr_scanned *scanned);

/* Bytes of a slot's value: the fold of a tile, and the data about segment starts in it. */
size_t jr_scan_queue_fold_bytes(const jr_plan *plan);

/* Is a scan one for bulk_copy, not for wave? */
bool jr_scan_is_large(const jr_job *job);

/* What a scan begins with: nothing, or the fold of all before it, the initial value included, which must have been
 * copied to this address in the plan's own workspace. */
jr_scanned jr_scan_queue_begin(bool continued);
jr_cu_deviceptr jr_scan_queue_carry(const jr_plan *plan);

#endif
