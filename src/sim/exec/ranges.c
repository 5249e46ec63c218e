/* Ranges: a short list with the last used first, and a hashed set of pages. */
#include "ranges.h"

#include <string.h>

enum { LEAST_SHIFT = 16, TELL_APART = 1 << 14 };

static bool holds(const jrs_range *range, uint64_t address, uint64_t bytes) {
    return address >= range->begin && address < range->end && bytes <= range->end - address;
}

static const jrs_range *remember(jrs_worker *worker, jrs_range range) {
    memmove(worker->ranges + 1, worker->ranges, (JRS_RANGES - 1) * sizeof *worker->ranges);
    worker->ranges[0] = range;
    return &worker->ranges[0];
}

/* Two pages with one hash are taken for one: then a new page may not be seen. */
static void touch(jrs_worker *worker, uint64_t page) {
    const uint64_t hash = page * UINT64_C(0x9e3779b97f4a7c15) >> 32;
    uint64_t *word = &worker->touched[hash / 64 % JRS_TOUCHED_WORDS];
    worker->page = page;
    worker->fresh |= !(*word >> hash % 64 & 1);
    *word |= UINT64_C(1) << hash % 64;
}

static const jrs_range *use(jrs_worker *worker, const jrs_range *range, uint64_t address, bool write) {
    const uint64_t page = address >> worker->run->page_shift;
    if (write && range->read_only) return NULL;
    if (page != worker->page) touch(worker, page);
    return range;
}

const jrs_range *jrs_ranges_find(jrs_worker *worker, uint64_t address, uint64_t bytes, bool write) {
    jrs_range found;
    for (unsigned k = 0; k < JRS_RANGES; k++)
        if (holds(&worker->ranges[k], address, bytes)) return use(worker, &worker->ranges[k], address, write);
    if (!jrs_memory_find(worker->run->launch->memory, address, &found)) return NULL;
    if (!holds(&found, address, bytes) || found.freed) return NULL;
    return use(worker, remember(worker, found), address, write);
}

void jrs_ranges_refresh(jrs_worker *worker) {
    uint64_t version = jrs_memory_version(worker->run->launch->memory);
    if (version == worker->ranges_version) return;
    memset(worker->ranges, 0, sizeof worker->ranges);
    worker->ranges_version = version;
}

unsigned jrs_ranges_page_shift(const jrs_memory *memory) {
    jrs_memory_totals totals;
    unsigned shift = LEAST_SHIFT;
    jrs_memory_count(memory, &totals);
    while (totals.used_bytes >> shift > TELL_APART) shift++;
    return shift;
}
