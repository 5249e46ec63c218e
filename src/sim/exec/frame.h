/* Frames: activations of functions, which the lanes that called one enter and leave. */
#ifndef JRS_EXEC_FRAME_H
#define JRS_EXEC_FRAME_H

#include "sim_machine.h"

jrs_frame *jrs_frame_push(jrs_warp *warp, const jrs_instruction *instruction, const jrs_function *callee,
                          uint32_t mask); /* NULL: a fault was reported */
void jrs_frame_leave(jrs_frame *frame, uint32_t mask, bool all_callers);
uint8_t *jrs_local(const jrs_warp *warp, unsigned lane); /* lane's local memory */

#endif
