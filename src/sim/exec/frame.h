/* Frames: activations of functions, which the lanes that called one enter and leave. Calls of functions that the system
 * provides (vprintf, malloc, ...) have their arguments and results in the caller's frame. */
#ifndef JRS_EXEC_FRAME_H
#define JRS_EXEC_FRAME_H

#include "sim_machine.h"

jrs_frame *jrs_frame_push(jrs_warp *warp, const jrs_instruction *instruction, const jrs_function *callee,
                          uint32_t mask); /* NULL: a fault was reported */
void jrs_frame_leave(jrs_frame *frame, uint32_t mask, bool all_callers);
uint8_t *jrs_local(const jrs_warp *warp, unsigned lane); /* lane's local memory */

static inline uint8_t *jrs_call_memory(const jrs_warp *warp, unsigned lane, const jrs_parameter *parameter) {
    return jrs_local(warp, lane) + warp->group->frame->local_base + parameter->offset;
}

/* Argument `index` of a lane's call; 0 when the call has fewer arguments. */
static inline uint64_t jrs_call_argument(const jrs_warp *warp, const jrs_instruction *i, unsigned lane,
                                         unsigned index) {
    uint64_t value = 0;
    if (index >= i->call->argument_count) return 0;
    const jrs_parameter *parameter = &i->call->arguments[index];
    memcpy(&value, jrs_call_memory(warp, lane, parameter), parameter->bytes < 8 ? parameter->bytes : 8);
    return value;
}

/* The call's result, when it has one of so many bytes. */
static inline void jrs_call_result(const jrs_warp *warp, const jrs_instruction *i, unsigned lane, const void *value,
                                   unsigned bytes) {
    if (i->call->result_count && i->call->results[0].bytes == bytes)
        memcpy(jrs_call_memory(warp, lane, &i->call->results[0]), value, bytes);
}

#endif
