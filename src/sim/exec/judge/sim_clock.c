/* Vector clocks: what each warp has seen of the other warps of its cluster.
 *
 * Barriers join the clocks of those who meet; an atomic or strong access joins through a clock hashed by its address;
 * everything that synchronises a warp ticks its own entry. */
#include <string.h>

#include "sim_clock.h"

void jrs_clock_tick(jrs_warp *warp) {
    warp->clock[warp->entry] += warp->tick;
}

void jrs_clock_fence(jrs_warp *warp) {
    jrs_clock_tick(warp);
    if (warp->fenced) memcpy(warp->fenced, warp->clock, warp->block->run->clock_count * sizeof *warp->clock);
}

void jrs_clock_join(uint32_t *into, const uint32_t *from, uint32_t count) {
    for (uint32_t k = 0; k < count; k++)
        if (from[k] > into[k]) into[k] = from[k];
}

void jrs_clock_sync(jrs_warp *warp, const jrs_instruction *i, uint64_t address) {
    const jrs_block *block = warp->block;
    const uint32_t count = block->run->clock_count;
    if (block->cluster->count > 1 && jrs_is_shared(&i->memory.at, address)) /* all its names are one place */
        address = jrs_shared_address(jrs_shared_block(warp, address), jrs_shared_offset(address));
    uint32_t *shared = block->sync_clocks + ((address * UINT64_C(0x9e3779b97f4a7c15)) >> 60) * count;
    if (count > 1) jrs_clock_join(warp->clock, shared, count);
    jrs_clock_tick(warp);
    if (count > 1) jrs_clock_join(shared, warp->clock, count);
}
