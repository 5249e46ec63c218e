/* One lane's address to a host pointer: windows, bounds, alignment, freed and read-only memory. */
#include <inttypes.h>

#include "access.h"
#include "flight.h"
#include "neighbour.h"
#include "ranges.h"
#include "sim/exec/frame.h"
#include "sim/exec/memory/heap.h"
#include "watch.h"

/* ---- global memory ---- */

enum { NULL_BYTES = 64 << 10 }; /* addresses that an index into a null pointer leads to: the kernel maps none of them */

/* Reports an address that is nearer to the range above it than to the one below it (`below`; NULL: no range begins
 * below), unless it is far from both, as a null pointer is. False: it reported nothing. */
static bool explain_before(jrs_warp *warp, const jrs_instruction *i, unsigned lane, uint64_t address,
                           const jrs_range *below) {
    jrs_range above;
    if (!jrs_memory_find_above(warp->worker->run->launch->memory, address, &above) ||
        above.begin - address > UINT32_MAX ||
        (below != NULL && (address < below->end || address - below->end < above.begin - address)))
        return false;
    jrs_fault(warp, i, lane, JRS_FAULT_BOUNDS_GLOBAL,
              "address 0x%" PRIx64 ": %" PRIu64 " bytes before the begin of %s [0x%" PRIx64 ", 0x%" PRIx64 ")%s",
              address, above.begin - address, above.what ? above.what : "memory", above.begin, above.end,
              above.freed ? ", which was freed" : "");
    return true;
}

static void explain(jrs_warp *warp, const jrs_instruction *i, unsigned lane, uint64_t address, uint32_t bytes,
                    bool write) {
    jrs_range range;
    const jrs_memory *memory = warp->worker->run->launch->memory;
    const bool found = jrs_memory_find(memory, address, &range);
    if (jrs_memory_is_application(memory, address)) {
        jrs_fault(warp, i, lane, JRS_FAULT_BOUNDS_GLOBAL,
                  "address 0x%" PRIx64 ": this is memory of the host: copy it to the device (jr_memory_write), or call "
                  "a function that takes host memory (jr_reduce_host)",
                  address);
        return;
    }
    if (explain_before(warp, i, lane, address, found ? &range : NULL)) return;
    if (!found || (address > range.end && address - range.end > UINT32_MAX)) {
        jrs_fault(warp, i, lane, JRS_FAULT_BOUNDS_GLOBAL, "address 0x%" PRIx64 ": no memory was allocated there%s",
                  address, address < NULL_BYTES ? " (a null pointer?)" : "");
        return;
    }
    const char *what = range.what ? range.what : "memory";
    const jrs_view *view = warp->worker->run->launch->view;
    uint64_t past = address - range.end;
    if (address >= range.end)
        jrs_fault(warp, i, lane, JRS_FAULT_BOUNDS_GLOBAL,
                  "address 0x%" PRIx64 ": %" PRIu64 " bytes past the end of %s [0x%" PRIx64 ", 0x%" PRIx64 ")%s",
                  address, past, what, range.begin, range.end, range.freed ? ", which was freed" : "");
    else if (range.freed)
        jrs_fault(warp, i, lane, JRS_FAULT_FREED,
                  "address 0x%" PRIx64 ": %" PRIu64 " bytes into freed %s [0x%" PRIx64 ", 0x%" PRIx64 ")", address,
                  address - range.begin, what, range.begin, range.end);
    else if (bytes > range.end - address)
        jrs_fault(warp, i, lane, JRS_FAULT_BOUNDS_GLOBAL,
                  "address 0x%" PRIx64 ": %u bytes reach %" PRIu64 " bytes past the end of %s [0x%" PRIx64
                  ", 0x%" PRIx64 ")",
                  address, bytes, bytes - (range.end - address), what, range.begin, range.end);
    else if (!jrs_view_has(view, &range))
        jrs_fault(warp, i, lane, JRS_FAULT_PEER,
                  "address 0x%" PRIx64 ": %" PRIu64 " bytes into %s [0x%" PRIx64 ", 0x%" PRIx64 ") of device %u, which "
                  "the kernel's context, of device %u, may not touch: call cuCtxEnablePeerAccess with the context of "
                  "device %u while that of device %u is current",
                  address, address - range.begin, what, range.begin, range.end, range.owner.device, view->device,
                  range.owner.device, view->device);
    else
        jrs_fault(warp, i, lane, JRS_FAULT_READ_ONLY_GLOBAL,
                  "address 0x%" PRIx64 ": %" PRIu64 " bytes into %s [0x%" PRIx64 ", 0x%" PRIx64 ")%s", address,
                  address - range.begin, what, range.begin, range.end, write ? "" : ", which cannot be read");
}

/* Bytes of a heap that nobody allocated: whether the kernel may go on all the same. */
static bool trespass(jrs_warp *warp, const jrs_instruction *i, unsigned lane, uint64_t address, uint32_t bytes) {
    char text[JRS_HEAP_TEXT];
    bool freed;
    uint64_t wrong = address;
    const jrs_heap *heap = warp->worker->found->heap;
    while (wrong - address < bytes && jrs_heap_holds(heap, wrong, 1)) wrong++;
    jrs_heap_explain(heap, wrong, text, &freed);
    return jrs_fault(warp, i, lane, freed ? JRS_FAULT_HEAP_FREED : JRS_FAULT_HEAP_BOUNDS,
                     "address 0x%" PRIx64 ", %u bytes: %s", address, bytes, text) == JRS_STEP;
}

/* True if the lane may touch global memory there; else it reports the fault. */
static bool may_touch(jrs_warp *warp, const jrs_instruction *i, unsigned lane, uint64_t address, uint32_t bytes,
                      bool write) {
    if (jrs_ranges_find(warp->worker, address, bytes, write)) return true;
    if (jrs_ranges_reach(warp->worker, address, bytes, write)) return trespass(warp, i, lane, address, bytes);
    explain(warp, i, lane, address, bytes, write);
    return false;
}

static uint8_t *access_global(jrs_warp *warp, const jrs_instruction *i, unsigned lane, uint64_t address, uint32_t bytes,
                              bool write) {
    if (warp->early >> lane & 1 &&
        jrs_fault(warp, i, lane, JRS_FAULT_EARLY, "address 0x%" PRIx64, address) == JRS_FAULT)
        return NULL;
    if (!may_touch(warp, i, lane, address, bytes, write)) return NULL;
    if (warp->worker->found->watched && !jrs_watch_access(warp, i, lane, (jrs_piece){address, bytes, write}))
        return NULL;
    return (uint8_t *)(uintptr_t)address; /* device addresses are host addresses */
}

/* ---- the other spaces: an offset into a buffer ---- */

/* What an offset leads into. */
typedef struct buffer {
    uint8_t *bytes;
    uint64_t size;
    const char *what;
} buffer;

static uint8_t *access_buffer(jrs_warp *warp, const jrs_instruction *i, unsigned lane, uint64_t offset, uint32_t bytes,
                              buffer into) {
    const uint64_t size = into.size;
    const char *what = into.what;
    if (offset <= size && bytes <= size - offset) return into.bytes + offset;
    if (offset >= size)
        jrs_fault(warp, i, lane, JRS_FAULT_BOUNDS,
                  "address 0x%" PRIx64 ": %" PRIu64 " bytes past the end of %s (%" PRIu64 " bytes)", offset,
                  offset - size, what, size);
    else
        jrs_fault(warp, i, lane, JRS_FAULT_BOUNDS,
                  "address 0x%" PRIx64 ": %u bytes reach %" PRIu64 " bytes past the end of %s (%" PRIu64 " bytes)",
                  offset, bytes, bytes - (size - offset), what, size);
    return NULL;
}

static bool note_shared(jrs_warp *warp, const jrs_instruction *i, unsigned lane, jrs_span bytes, jrs_intent intent) {
    if (bytes.block->run->launch->judge == JRS_JUDGE_OFF && intent != JRS_HOLD) return true;
    if (intent > JRS_LOAD && bytes.block->stores && !jrs_flights_spare(warp, i, lane, bytes)) return false;
    return jrs_shadow_access(warp, i, lane, bytes, intent);
}

static uint8_t *access_shared(jrs_warp *warp, const jrs_instruction *i, unsigned lane, const jrs_extent *extent,
                              jrs_intent intent) {
    jrs_block *block = warp->block;
    uint64_t offset = extent->address;
    if (offset >> JRS_RANK_SHIFT && jrs_shared_block(warp, offset)) {
        block = jrs_neighbour_reach(warp, i, lane, offset, extent->space == JRS_SPACE_SHARED);
        if (!block) return NULL;
        offset = jrs_shared_offset(offset);
    }
    const buffer shared = {block->shared, block->run->shared_bytes, "shared memory"};
    uint8_t *at = access_buffer(warp, i, lane, offset, extent->bytes, shared);
    return at && note_shared(warp, i, lane, (jrs_span){block, (uint32_t)offset, extent->bytes}, intent) ? at : NULL;
}

static uint8_t *access_parameter(jrs_warp *warp, const jrs_instruction *i, unsigned lane, const jrs_extent *extent,
                                 jrs_intent intent) {
    /* Parameters are only read: the constness of the caller's buffer is kept by this check. */
    const buffer parameters = {(uint8_t *)(uintptr_t)warp->block->run->launch->parameters,
                               warp->block->run->function->parameter_bytes, "the kernel's parameters"};
    if (intent <= JRS_LOAD) return access_buffer(warp, i, lane, extent->address, extent->bytes, parameters);
    jrs_fault(warp, i, lane, JRS_FAULT_READ_ONLY, "address 0x%" PRIx64 " of the kernel's parameters", extent->address);
    return NULL;
}

static uint8_t *access_local(jrs_warp *warp, const jrs_instruction *i, unsigned lane, uint64_t offset, uint32_t bytes) {
    return access_buffer(warp, i, lane, offset, bytes,
                         (buffer){jrs_local(warp, lane), warp->local_stride, "local memory"});
}

static uint8_t *access_space(jrs_warp *warp, const jrs_instruction *i, unsigned lane, const jrs_extent *extent,
                             jrs_intent intent) {
    const uint64_t base = warp->group->frame->local_base;
    switch (extent->space) {
    case JRS_SPACE_SHARED:
    case JRS_SPACE_CLUSTER: return access_shared(warp, i, lane, extent, intent);
    case JRS_SPACE_FRAME: return access_local(warp, i, lane, extent->address + base, extent->bytes);
    case JRS_SPACE_LOCAL: return access_local(warp, i, lane, extent->address, extent->bytes);
    case JRS_SPACE_PARAMETER: return access_parameter(warp, i, lane, extent, intent);
    default: return access_global(warp, i, lane, extent->address, extent->bytes, intent > JRS_LOAD);
    }
}

/* A generic address names its space in its top byte. */
static jrs_extent resolve(const jrs_extent *extent) {
    static const jrs_space spaces[] = {[JRS_WINDOW_GLOBAL] = JRS_SPACE_GLOBAL,
                                       [JRS_WINDOW_SHARED] = JRS_SPACE_CLUSTER,
                                       [JRS_WINDOW_LOCAL] = JRS_SPACE_LOCAL,
                                       [JRS_WINDOW_PARAMETER] = JRS_SPACE_PARAMETER};
    jrs_extent found = *extent;
    uint64_t window = extent->address >> JRS_WINDOW_SHIFT;
    found.space = window < sizeof spaces / sizeof *spaces ? spaces[window] : JRS_SPACE_GLOBAL;
    if (found.space != JRS_SPACE_GLOBAL) found.address &= (UINT64_C(1) << JRS_WINDOW_SHIFT) - 1;
    return found;
}

uint8_t *jrs_access_extent(jrs_warp *warp, const jrs_instruction *i, unsigned lane, const jrs_extent *extent,
                           jrs_intent intent) {
    if (extent->address & (extent->alignment - 1)) {
        jrs_fault(warp, i, lane, JRS_FAULT_MISALIGNED, "address 0x%" PRIx64 ": %u bytes must be aligned to %u",
                  extent->address, extent->bytes, extent->alignment);
        return NULL;
    }
    if (extent->space != JRS_SPACE_GENERIC) return access_space(warp, i, lane, extent, intent);
    const jrs_extent found = resolve(extent);
    return access_space(warp, i, lane, &found, intent);
}

uint8_t *jrs_access(jrs_warp *warp, const jrs_instruction *i, unsigned lane, uint64_t address, uint32_t bytes,
                    jrs_intent intent) {
    const jrs_extent extent = {address, bytes, bytes, (jrs_space)i->memory.at.space};
    return jrs_access_extent(warp, i, lane, &extent, intent);
}
