/* Shared memory of a whole warp's access. */
#ifndef JRS_JUDGE_LANE_SHARED_H
#define JRS_JUDGE_LANE_SHARED_H

#include "sim/exec/sim_machine.h"

/* Finds where the lanes of mask access their own block's shared memory by a plain load or store of whole words. True if
 * all of these accesses are right, which it remembers as jrs_access would. False: the caller makes the access lane by
 * lane with jrs_access, which judges again: what was remembered already makes no difference to that. */
bool jrs_lane_shared_find(jrs_warp *warp, const jrs_instruction *i, uint32_t mask, bool write,
                          uint8_t *places[JRS_LANES]);

#endif
