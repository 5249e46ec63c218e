/* Undefined values: registers that hold what a load found unwritten in shared memory, or what an exchange took from a
 * lane that took no part.
 *
 * To have such a value is no fault: the manuals leave it open, and kernels load more than they use. To use it is one:
 * as an address, to branch, in global memory, in an atomic or a vote. Arithmetic hands it on, a selection only if it is
 * chosen. Nothing is looked for before a first such value: then the warp runs carefully, until the last one is gone. */
#ifndef JRS_JUDGE_UNDEFINED_H
#define JRS_JUDGE_UNDEFINED_H

#include "sim/exec/sim_machine.h"

/* What an instruction does to undefined values, asked before the lanes of mask run it. False: a fault was reported. */
bool jrs_undefined_step(jrs_warp *warp, const jrs_instruction *instruction, uint32_t mask);

/* The lane's register is undefined from now on: the instruction loaded it from an address that nobody wrote. */
bool jrs_undefined_load(jrs_warp *warp, const jrs_instruction *instruction, unsigned lane, jrs_slot slot,
                        uint32_t address);

/* After an exchange: each lane of mask has the source of the lane from[lane]; those of `missing` took part in none. */
bool jrs_undefined_exchange(jrs_warp *warp, const jrs_instruction *instruction, uint32_t mask, uint32_t missing,
                            const uint8_t from[JRS_LANES]);

/* The elements, a bit each, that a store would take from undefined registers of the lane. */
uint32_t jrs_undefined_elements(const jrs_warp *warp, const jrs_instruction *instruction, unsigned lane);
/* The lanes of mask use a register where an undefined value would be seen. False: there is one, and it was reported. */
bool jrs_undefined_use(jrs_warp *warp, const jrs_instruction *instruction, uint32_t mask, jrs_slot slot);

#endif
