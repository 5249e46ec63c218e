/* What a run reports to an observer: the trace of a warp, and the trace of rounds. */
#ifndef JRS_OBSERVE_OBSERVER_H
#define JRS_OBSERVE_OBSERVER_H

#include "sim/exec/sim_machine.h"

/* ---- the trace (sim_trace.c) ---- */
/* Traces an instruction that the lanes of mask have just run in this frame; the instruction may have ended the
 * frame. */
void jrs_trace(const jrs_warp *warp, const jrs_frame *frame, const jrs_instruction *instruction, uint32_t mask);

/* ---- rounds (rounds.c) ---- */
/* The addresses and operands of an instruction, saved before it overwrites the registers that hold them. */
typedef struct jrs_rounds_addresses {
    uint64_t addresses[JRS_LANES];
    uint8_t gave[JRS_LANES * 16]; /* the source of a shuffle, or of an atomic */
} jrs_rounds_addresses;
void jrs_rounds_before(const jrs_warp *warp, const jrs_instruction *instruction, jrs_rounds_addresses *before);
/* Writes the lines of an instruction that the lanes of mask have run. */
void jrs_rounds_write(const jrs_warp *warp, const jrs_instruction *instruction, uint32_t mask,
                      const jrs_rounds_addresses *before);
void jrs_rounds_launch(const jrs_run *run);
void jrs_rounds_barrier(const jrs_block *block, uint32_t line); /* the barrier is complete */
void jrs_rounds_end(const jrs_block *block);                    /* all threads have exited */

#endif
