/* One lane's address to a host pointer: windows, bounds, alignment, freed and read-only memory. */
#include <inttypes.h>
#include <string.h>

#include "sim/exec_access.h"

/* ---- global memory ---- */

static bool holds(const jrs_range *range, uint64_t address, uint64_t bytes) {
    return address >= range->begin && address < range->end && bytes <= range->end - address;
}

static const jrs_range *remember(jrs_worker *worker, jrs_range range) {
    memmove(worker->ranges + 1, worker->ranges, (JRS_RANGES - 1) * sizeof *worker->ranges);
    worker->ranges[0] = range;
    return &worker->ranges[0];
}

const jrs_range *jrs_access_range(jrs_worker *worker, uint64_t address, uint64_t bytes, bool write) {
    jrs_range found;
    for (unsigned k = 0; k < JRS_RANGES; k++) {
        const jrs_range *range = &worker->ranges[k];
        if (holds(range, address, bytes)) return write && range->read_only ? NULL : range;
    }
    if (!jrs_memory_find(worker->run->launch->memory, address, &found)) return NULL;
    if (!holds(&found, address, bytes) || found.freed) return NULL;
    const jrs_range *kept = remember(worker, found);
    return write && kept->read_only ? NULL : kept;
}

void jrs_access_refresh(jrs_worker *worker) {
    uint64_t version = jrs_memory_version(worker->run->launch->memory);
    if (version == worker->ranges_version) return;
    memset(worker->ranges, 0, sizeof worker->ranges);
    worker->ranges_version = version;
}

static void explain(jrs_warp *warp, const jrs_instruction *i, unsigned lane, uint64_t address, uint32_t bytes,
                    bool write) {
    jrs_range range;
    if (!jrs_memory_find(warp->worker->run->launch->memory, address, &range) || address < range.begin) {
        jrs_fault(warp, i, lane, JRS_FAULT_BOUNDS_GLOBAL,
                  "address 0x%" PRIx64 ": no memory was allocated there or below", address);
        return;
    }
    const char *what = range.what ? range.what : "memory";
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
    else
        jrs_fault(warp, i, lane, JRS_FAULT_READ_ONLY_GLOBAL,
                  "address 0x%" PRIx64 ": %" PRIu64 " bytes into %s [0x%" PRIx64 ", 0x%" PRIx64 ")%s", address,
                  address - range.begin, what, range.begin, range.end, write ? "" : ", which cannot be read");
}

static uint8_t *access_global(jrs_warp *warp, const jrs_instruction *i, unsigned lane, uint64_t address, uint32_t bytes,
                              bool write) {
    if (jrs_access_range(warp->worker, address, bytes, write))
        return (
            uint8_t *)(uintptr_t)address; /* NOLINT(performance-no-int-to-ptr): device addresses are host addresses */
    explain(warp, i, lane, address, bytes, write);
    return NULL;
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

static uint8_t *access_shared(jrs_warp *warp, const jrs_instruction *i, unsigned lane, uint64_t offset, uint32_t bytes,
                              jrs_intent intent) {
    jrs_block *block = warp->block;
    uint8_t *at =
        access_buffer(warp, i, lane, offset, bytes, (buffer){block->shared, block->run->shared_bytes, "shared memory"});
    if (!at) return NULL;
    if (intent != JRS_WRITE && !jrs_shadow_read(warp, i, lane, (uint32_t)offset, bytes)) return NULL;
    if (intent != JRS_READ && !jrs_shadow_write(warp, i, lane, (uint32_t)offset, bytes)) return NULL;
    return at;
}

static uint8_t *access_parameter(jrs_warp *warp, const jrs_instruction *i, unsigned lane, uint64_t offset,
                                 uint32_t bytes, jrs_intent intent) {
    /* Parameters are only read: the constness of the caller's buffer is kept by this check. */
    uint8_t *parameters = (uint8_t *)(uintptr_t)warp->block->run->launch->parameters;
    if (intent != JRS_READ) {
        jrs_fault(warp, i, lane, JRS_FAULT_READ_ONLY, "address 0x%" PRIx64 " of the kernel's parameters", offset);
        return NULL;
    }
    return access_buffer(warp, i, lane, offset, bytes,
                         (buffer){parameters, warp->block->run->function->parameter_bytes, "the kernel's parameters"});
}

static uint8_t *access_space(jrs_warp *warp, const jrs_instruction *i, unsigned lane, uint64_t address, uint32_t bytes,
                             jrs_intent intent) {
    switch (i->space) {
    case JRS_SPACE_SHARED: return access_shared(warp, i, lane, address, bytes, intent);
    case JRS_SPACE_FRAME: address += warp->group->frame->local_base; /* fall through */
    case JRS_SPACE_LOCAL:
        return access_buffer(warp, i, lane, address, bytes,
                             (buffer){jrs_local(warp, lane), warp->local_stride, "local memory"});
    case JRS_SPACE_PARAMETER: return access_parameter(warp, i, lane, address, bytes, intent);
    default: return access_global(warp, i, lane, address, bytes, intent != JRS_READ);
    }
}

static uint8_t *access_generic(jrs_warp *warp, const jrs_instruction *i, unsigned lane, uint64_t address,
                               uint32_t bytes, jrs_intent intent) {
    uint64_t offset = address & ((UINT64_C(1) << JRS_WINDOW_SHIFT) - 1);
    switch (address >> JRS_WINDOW_SHIFT) {
    case JRS_WINDOW_SHARED: return access_shared(warp, i, lane, offset, bytes, intent);
    case JRS_WINDOW_LOCAL:
        return access_buffer(warp, i, lane, offset, bytes,
                             (buffer){jrs_local(warp, lane), warp->local_stride, "local memory"});
    case JRS_WINDOW_PARAMETER: return access_parameter(warp, i, lane, offset, bytes, intent);
    default: return access_global(warp, i, lane, address, bytes, intent != JRS_READ);
    }
}

uint8_t *jrs_access(jrs_warp *warp, const jrs_instruction *i, unsigned lane, uint64_t address, uint32_t bytes,
                    jrs_intent intent) {
    if (address & (bytes - 1)) {
        jrs_fault(warp, i, lane, JRS_FAULT_MISALIGNED, "address 0x%" PRIx64 ": %u bytes must be aligned to %u", address,
                  bytes, bytes);
        return NULL;
    }
    if (i->space == JRS_SPACE_GENERIC) return access_generic(warp, i, lane, address, bytes, intent);
    return access_space(warp, i, lane, address, bytes, intent);
}
