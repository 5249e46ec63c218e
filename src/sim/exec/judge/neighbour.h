/* Shared memory of other blocks of the cluster: who may touch it, and when. */
#ifndef JRS_JUDGE_NEIGHBOUR_H
#define JRS_JUDGE_NEIGHBOUR_H

#include "sim/exec/shared.h"

/* The block whose shared memory an address names, whose offset is put into *offset; NULL: a fault was reported. cta:
 * only that of the own block may be named. */
jrs_block *jrs_neighbour_reach(jrs_warp *warp, const jrs_instruction *instruction, unsigned lane, uint64_t address,
                               bool cta);
/* Whether nobody may still be using the shared memory of the block, whose last thread has exited by `instruction`. */
bool jrs_neighbour_leave(jrs_warp *warp, const jrs_instruction *instruction, unsigned lane);

#endif
