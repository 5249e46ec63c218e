/* Frames: the registers and local memory of one activation of a function, for the lanes that called it together. */
#include <stdlib.h>
#include <string.h>

#include "fault.h"
#include "frame.h"

enum { FRAME_BYTES = (sizeof(jrs_frame) + 63) / 64 * 64 }; /* registers follow, aligned as the widest of them */

uint8_t *jrs_local(const jrs_warp *warp, unsigned lane) {
    return warp->local + (size_t)lane * warp->local_stride;
}

/* Makes room for `bytes` of local memory a lane; what is there keeps its offsets. */
static bool grow_local(jrs_warp *warp, uint32_t bytes) {
    uint32_t stride = warp->local_stride ? warp->local_stride : 256;
    while (stride < bytes) stride *= 2;
    if (stride == warp->local_stride) return true;
    uint8_t *larger = calloc(JRS_LANES, stride);
    if (!larger) return false;
    for (unsigned lane = 0; warp->local && lane < JRS_LANES; lane++)
        memcpy(larger + (size_t)lane * stride, jrs_local(warp, lane), warp->local_stride);
    if (warp->owns_local) free(warp->local);
    warp->owns_local = true;
    warp->local = larger;
    warp->local_stride = stride;
    return true;
}

jrs_frame *jrs_frame_push(jrs_warp *warp, const jrs_instruction *instruction, const jrs_function *callee,
                          uint32_t mask) {
    jrs_frame *caller = warp->group->frame;
    unsigned lane = jrs_first(mask);
    uint32_t base = caller->local_base + caller->function->local_bytes;
    uint64_t needed = (uint64_t)base + callee->local_bytes;
    if (caller->depth + 1 >= JRS_MAX_DEPTH || needed > JRS_STACK_BYTES) {
        jrs_fault(warp, instruction, lane, JRS_FAULT_STACK, "%u calls deep, %llu bytes of local memory",
                  caller->depth + 1, (unsigned long long)needed);
        return NULL;
    }
    jrs_frame *frame = calloc(1, FRAME_BYTES + callee->frame_bytes);
    if (!frame || !grow_local(warp, (uint32_t)needed)) {
        free(frame);
        jrs_fault(warp, instruction, lane, JRS_FAULT_NO_MEMORY, "for the call of %s", callee->name);
        return NULL;
    }
    frame->registers = (uint8_t *)frame + FRAME_BYTES;
    frame->caller = caller;
    frame->function = callee;
    frame->call = instruction->call;
    frame->return_pc = warp->group->pc + 1;
    frame->depth = caller->depth + 1;
    frame->local_base = base;
    frame->lanes = mask;
    return frame;
}

void jrs_frame_leave(jrs_frame *frame, uint32_t mask, bool all_callers) {
    while (frame) {
        jrs_frame *caller = frame->caller;
        frame->lanes &= ~mask;
        if (caller && !frame->lanes) {
            free(frame->doubts);
            free(frame);
        }
        if (!all_callers) return;
        frame = caller;
    }
}
