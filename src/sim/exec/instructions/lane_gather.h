/* Elements of lanes that lie anywhere in memory, to and from registers. */
#ifndef JRS_INSTRUCTIONS_GATHER_H
#define JRS_INSTRUCTIONS_GATHER_H

#include "sim/exec/sim_machine.h"

/* For the lanes of mask: the elements at their places into the instruction's registers. */
typedef void jrs_gatherer(const jrs_warp *warp, const jrs_instruction *i, uint32_t mask,
                          uint8_t *const places[JRS_LANES]);
/* And back. compares: returns whether that changes memory; otherwise returns true. */
typedef bool jrs_scatterer(const jrs_warp *warp, const jrs_instruction *i, uint32_t mask,
                           uint8_t *const places[JRS_LANES], bool compares);

/* NULL if no function has the widths of the instruction. */
jrs_gatherer *jrs_gather_load(const jrs_instruction *i);
jrs_scatterer *jrs_gather_store(const jrs_instruction *i);

#endif
