/* mbarriers as counts of arrivals and bytes. NULL and false: a fault was reported. */
#ifndef JRS_JUDGE_MBARRIER_H
#define JRS_JUDGE_MBARRIER_H

#include "sim/exec/sim_machine.h"

enum { JRS_MBARRIER_COUNT_MAX = (1 << 20) - 1, JRS_MBARRIER_BYTES = 8 };

/* The live mbarrier that a location of the instruction names; one at an offset of a block's shared memory. */
jrs_mbarrier *jrs_mbarrier_at(jrs_warp *warp, const jrs_instruction *instruction, unsigned lane, unsigned location);
jrs_mbarrier *jrs_mbarrier_in(jrs_warp *warp, const jrs_instruction *instruction, unsigned lane, const jrs_block *block,
                              uint32_t offset);
/* fence.mbarrier_init: all see the mbarriers of its block that the warp has seen, after a barrier of the cluster.
 */
void jrs_mbarrier_publish(jrs_warp *warp);
bool jrs_mbarrier_arrive(jrs_warp *warp, const jrs_instruction *instruction, unsigned lane, jrs_mbarrier *mbarrier,
                         uint32_t count);
/* Expects bytes, or with a negative number completes them. */
bool jrs_mbarrier_transfer(jrs_warp *warp, const jrs_instruction *instruction, unsigned lane, jrs_mbarrier *mbarrier,
                           int64_t bytes);
/* Writes what the mbarrier waits for, for a report; "" when no mbarrier is at the offset. */
void jrs_mbarrier_describe(const jrs_block *block, uint32_t offset, char out[160]);
/* In whose shared memory, and at which offset, the place is that a location of the instruction names. */
jrs_block *jrs_mbarrier_place(jrs_warp *warp, const jrs_instruction *instruction, unsigned lane, unsigned location,
                              uint32_t *offset);

#endif
