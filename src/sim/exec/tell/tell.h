/* What a run reports to an observer: the trace of a warp, and the trace of rounds. */
#ifndef JRS_TELL_TELL_H
#define JRS_TELL_TELL_H

#include "sim/exec/sim_machine.h"

/* ---- the trace (sim_trace.c) ---- */
/* Tells of an instruction that the lanes of mask have just run in this frame, which may have ended since. */
void jrs_trace(const jrs_warp *warp, const jrs_frame *frame, const jrs_instruction *instruction, uint32_t mask);

/* ---- rounds (rounds.c) ---- */
/* What an instruction is about to do to memory, looked at before it changes its own address. */
typedef struct jrs_look {
    uint64_t addresses[JRS_LANES];
    uint8_t gave[JRS_LANES * 16]; /* the source of a shuffle, or of an atomic */
} jrs_look;
void jrs_rounds_look(const jrs_warp *warp, const jrs_instruction *instruction, jrs_look *look);
/* The instruction has been run for the lanes of mask. */
void jrs_rounds_tell(const jrs_warp *warp, const jrs_instruction *instruction, uint32_t mask, const jrs_look *look);
void jrs_rounds_launch(const jrs_run *run);
void jrs_rounds_barrier(const jrs_block *block, uint32_t line); /* it is complete */
void jrs_rounds_end(const jrs_block *block);                    /* all threads have exited */

#endif
