/* The scheduler: clusters take turns on a worker, blocks in a cluster, warps in a block, lane groups in a warp. */
#ifndef JRS_SCHEDULER_SCHEDULE_H
#define JRS_SCHEDULER_SCHEDULE_H

#include "sim/exec/sim_machine.h"

bool jrs_block_allocate(jrs_block *block, jrs_worker *worker);
void jrs_block_free(jrs_block *block);
void jrs_block_begin(jrs_block *block, uint32_t first_clock); /* its index is set */
typedef enum jrs_outcome {
    JRS_FINISHED,
    JRS_BUSY,    /* the slice is over */
    JRS_POLLING, /* it polled memory, or slept */
    JRS_WAITING, /* no group could run: all wait for others of the block or of the cluster */
    JRS_STOPPED  /* a fault, here or elsewhere */
} jrs_outcome;
bool jrs_cluster_allocate(jrs_cluster *cluster, jrs_worker *worker);
void jrs_cluster_free(jrs_cluster *cluster);
void jrs_cluster_begin(jrs_cluster *cluster, uint64_t number);
jrs_outcome jrs_cluster_run(jrs_cluster *cluster); /* a turn of each block */
jrs_outcome jrs_block_run(jrs_block *block);       /* a turn of many slices */
jrs_outcome jrs_warp_run(jrs_warp *warp);          /* one slice */
/* standstill.c: counts a slice's steps; polled: it ended polling. False: a limit was reached and reported. */
bool jrs_worker_count(jrs_worker *worker, jrs_warp *warp, uint32_t steps, bool polled);

void jrs_standstill_explain(jrs_cluster *cluster); /* no group of the cluster can run: reports why */

#endif
