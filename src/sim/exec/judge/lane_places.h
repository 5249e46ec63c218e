/* Host memory of a whole warp's access, checked at once. */
#ifndef JRS_JUDGE_PLACES_H
#define JRS_JUDGE_PLACES_H

#include "sim/exec/sim_machine.h"

/* Finds where the lanes of mask access global memory. True if all of these accesses are plain and right, which it
 * remembers as jrs_access would. False: the caller makes the access lane by lane with jrs_access, which reports what is
 * wrong. */
bool jrs_places_find(jrs_warp *warp, const jrs_instruction *i, uint32_t mask, bool write, uint8_t *places[JRS_LANES]);

/* The same for their own local memory. */
bool jrs_places_find_local(const jrs_warp *warp, const jrs_instruction *i, uint32_t mask, uint8_t *places[JRS_LANES]);

#endif
