/* Barriers of a block and of a cluster: what other instructions call. */
#ifndef JRS_INSTRUCTIONS_BARRIER_H
#define JRS_INSTRUCTIONS_BARRIER_H

#include "sim/exec/sim_machine.h"

/* Lanes of the warp have exited: completes the barriers at which only they were missing. */
void jrs_barrier_leave(jrs_warp *warp);
uint32_t jrs_barrier_needed(const jrs_block *block, const jrs_barrier *barrier); /* threads that complete it */
void jrs_cluster_leave(jrs_warp *warp, uint32_t mask);                           /* the lanes of mask have exited */

#endif
