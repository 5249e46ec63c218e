/* Memory in words: whether a span may be touched, and if not, how it misses what is there. */
#include <inttypes.h>
#include <stdio.h>
#include <sys/mman.h>

#include "pages.h"
#include "sim_memory.h"

bool jrs_memory_holds(const jrs_memory *memory, uint64_t address, size_t bytes) {
    jrs_memory_block block;
    return jrs_memory_block_at(memory, address, &block) && bytes <= block.end - address;
}

static bool is_mapped(uint64_t address) {
    enum { PAGE = 4096 };
    unsigned char resident[1];
    return mincore((void *)(uintptr_t)(address / PAGE * PAGE), 1, resident) == 0;
}

/* Gaps and what is left of chunks are mapped, too: they lie within this distance of a range. */
static uint64_t near(const jrs_range *range) {
    const size_t gap = jrs_pages_gap(range->end - range->begin);
    return gap > JRS_CHUNK_BYTES ? gap : JRS_CHUNK_BYTES;
}

bool jrs_memory_is_application(const jrs_memory *memory, uint64_t address) {
    jrs_range below, above;
    if (jrs_memory_find(memory, address, &below) && (address < below.end || address - below.end <= near(&below)))
        return false;
    if (jrs_memory_find_above(memory, address, &above) && above.begin - address <= near(&above)) return false;
    return is_mapped(address);
}

void jrs_memory_explain(const jrs_memory *memory, uint64_t address, size_t bytes, char *reason, size_t reason_bytes) {
    jrs_range range;
    if (!jrs_memory_find(memory, address, &range)) {
        snprintf(reason, reason_bytes, "0x%" PRIx64 " is in no allocation", address);
        return;
    }
    if (range.heap && address < range.end) {
        snprintf(reason, reason_bytes, "0x%" PRIx64 " is in the heap of malloc in kernels, which they alone can reach",
                 address);
        return;
    }
    const char *relation = "after the end of";
    uint64_t distance = address - range.end;
    if (address < range.end && range.freed) {
        relation = "into the freed";
        distance = address - range.begin;
    } else if (address < range.end) {
        relation = "past the end of";
        distance = address + bytes - range.end;
    }
    snprintf(reason, reason_bytes, "%zu bytes at 0x%" PRIx64 ": %" PRIu64 " bytes %s %s [0x%" PRIx64 ", 0x%" PRIx64 ")",
             bytes, address, distance, relation, range.what, range.begin, range.end);
}
