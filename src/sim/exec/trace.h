/* The trace: a line for each instruction that a warp runs. */
#ifndef JRS_EXEC_TRACE_H
#define JRS_EXEC_TRACE_H

#include "machine.h"

/* Tells of an instruction that the lanes of mask have just run in this frame, which may have ended since. */
void jrs_trace(const jrs_warp *warp, const jrs_frame *frame, const jrs_instruction *instruction, uint32_t mask);

#endif
