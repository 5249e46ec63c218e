/* The elements of 32 lanes, side by side in memory, to and from registers. */
#ifndef JRS_INSTRUCTIONS_INTERLEAVE_H
#define JRS_INSTRUCTIONS_INTERLEAVE_H

#include "sim/exec/sim_machine.h"

typedef void jrs_spreader(const jrs_warp *warp, const jrs_instruction *instruction, const uint8_t *from);
typedef void jrs_collector(const jrs_warp *warp, const jrs_instruction *instruction, uint8_t *to);

/* What loads, or stores, all lanes of the instruction at once; NULL: one at a time. */
jrs_spreader *jrs_interleave_load(const jrs_instruction *instruction);
jrs_collector *jrs_interleave_store(const jrs_instruction *instruction);

#endif
