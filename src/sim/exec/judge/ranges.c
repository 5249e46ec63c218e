/* Ranges: a short list with the last used first, and a hashed set of pages. */
#include <string.h>

#include "ranges.h"
#include "sim/exec/memory/heap.h"
#include "watch.h"

enum { LEAST_SHIFT = 16, TELL_APART = 1 << 14 };

static bool holds(const jrs_range *range, uint64_t address, uint64_t bytes) {
    return address >= range->begin && address < range->end && bytes <= range->end - address;
}

/* Two pages with one hash are taken for one: then a new page may not be seen. */
void jrs_ranges_touch(jrs_worker *worker, uint64_t address) {
    const uint64_t page = address >> worker->run->page_shift;
    if (page == worker->page) return;
    const uint64_t hash = page * UINT64_C(0x9e3779b97f4a7c15) >> 32;
    uint64_t *word = &worker->touched[hash / 64 % JRS_TOUCHED_WORDS];
    worker->page = page;
    worker->fresh |= !(*word >> hash % 64 & 1);
    *word |= UINT64_C(1) << hash % 64;
}

bool jrs_ranges_reach(jrs_worker *worker, uint64_t address, uint64_t bytes, bool write) {
    const jrs_range *range = worker->ranges, *end = range + JRS_RANGES;
    while (range < end && !holds(range, address, bytes)) range++;
    if (range == end) {
        jrs_range found;
        if (!jrs_memory_find(worker->run->launch->memory, address, &found)) return false;
        if (!holds(&found, address, bytes) || found.freed || !jrs_view_has(worker->run->launch->view, &found))
            return false;
        found.watched = jrs_watch_has(worker->run->launch->watch, &found);
        memmove(worker->ranges + 1, worker->ranges, (JRS_RANGES - 1) * sizeof *worker->ranges);
        worker->ranges[0] = found;
        range = worker->ranges;
    }
    if (write && range->read_only) return false;
    worker->found = range;
    jrs_ranges_touch(worker, address);
    return true;
}

bool jrs_ranges_find(jrs_worker *worker, uint64_t address, uint64_t bytes, bool write) {
    if (!jrs_ranges_reach(worker, address, bytes, write)) return false;
    const jrs_heap *heap = worker->found->heap;
    return !heap || worker->run->launch->judge == JRS_JUDGE_OFF || jrs_heap_holds(heap, address, bytes);
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
    uint64_t used = 0;
    jrs_memory_count(memory, &totals);
    for (unsigned k = 0; k < JRS_DEVICES; k++) used += totals.used_bytes[k];
    while (used >> shift > TELL_APART) shift++;
    return shift;
}
