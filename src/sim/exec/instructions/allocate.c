/* malloc, free and aligned allocation in kernels: `new` and `delete` are made of them. */
#include <inttypes.h>
#include <stdio.h>

#include "atomics.h"
#include "sim/exec/fault.h"
#include "sim/exec/frame.h"
#include "sim/exec/memory/heap.h"
#include "sim/ptx/handlers.h"
#include "sim/ptx/ptx_source.h"

/* "kernel k, saxpy.cu:12, PTX line 41": who allocates or frees. */
static void name_site(const jrs_warp *warp, const jrs_instruction *i, char who[JRS_HEAP_TEXT]) {
    char source[JRS_SOURCE_BYTES];
    const jrs_function *kernel = warp->block->run->function;
    snprintf(who, JRS_HEAP_TEXT, "kernel %.100s, %.300s", kernel->name,
             jrs_source_line(kernel->module, i->line, source));
}

/* The heap is full: whoever tries again may wait for another warp to free something. */
static jrs_next allocate(jrs_warp *warp, const jrs_instruction *i, uint32_t mask, bool aligned) {
    jrs_heap *heap = warp->block->run->launch->heap;
    char who[JRS_HEAP_TEXT];
    bool failed = false;
    name_site(warp, i, who);
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        const unsigned lane = jrs_first(rest);
        const uint64_t alignment = aligned ? jrs_call_argument(warp, i, lane, 1) : 1;
        const bool possible = heap && alignment && (alignment & (alignment - 1)) == 0;
        const uint64_t address =
            possible ? jrs_heap_take(heap, jrs_call_argument(warp, i, lane, 0), alignment, who) : 0;
        jrs_call_result(warp, i, lane, &address, sizeof address);
        warp->progress |= address != 0;
        failed |= address == 0;
    }
    return failed ? jrs_polled(warp) : JRS_STEP;
}

jrs_next jrs_op_malloc(jrs_warp *warp, const jrs_instruction *i, uint32_t mask) {
    return allocate(warp, i, mask, false);
}

jrs_next jrs_op_malloc_aligned(jrs_warp *warp, const jrs_instruction *i, uint32_t mask) {
    return allocate(warp, i, mask, true);
}

/* ---- free ---- */

/* A GPU stops at a second free and at what it cannot read; of other addresses that were never allocated it takes no
 * notice, or corrupts its heap. */
static jrs_next refuse(const jrs_warp *warp, const jrs_instruction *i, unsigned lane, uint64_t address,
                       jrs_heap_verdict verdict) {
    char text[JRS_HEAP_TEXT];
    bool freed;
    if (verdict == JRS_HEAP_OUTSIDE && address >> JRS_WINDOW_SHIFT)
        return jrs_fault(warp, i, lane, JRS_FAULT_BAD_FREE, "0x%" PRIx64 " is not an address of global memory",
                         address);
    if (verdict == JRS_HEAP_OUTSIDE)
        return jrs_fault(warp, i, lane, JRS_FAULT_FREE_OUTSIDE, "0x%" PRIx64 " is not in the heap of this context",
                         address);
    jrs_heap_explain(warp->block->run->launch->heap, address, text, &freed);
    return jrs_fault(warp, i, lane, verdict == JRS_HEAP_TWICE ? JRS_FAULT_FREED_TWICE : JRS_FAULT_BAD_FREE,
                     "0x%" PRIx64 ": %s", address, text);
}

jrs_next jrs_op_free(jrs_warp *warp, const jrs_instruction *i, uint32_t mask) {
    jrs_heap *heap = warp->block->run->launch->heap;
    char who[JRS_HEAP_TEXT];
    name_site(warp, i, who);
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        const unsigned lane = jrs_first(rest);
        const uint64_t address = jrs_call_argument(warp, i, lane, 0);
        if (address == 0) continue;
        const jrs_heap_verdict verdict = heap ? jrs_heap_give(heap, address, who) : JRS_HEAP_OUTSIDE;
        if (verdict != JRS_HEAP_FREED && refuse(warp, i, lane, address, verdict) == JRS_FAULT) return JRS_FAULT;
        warp->progress |= verdict == JRS_HEAP_FREED;
    }
    return JRS_STEP;
}
