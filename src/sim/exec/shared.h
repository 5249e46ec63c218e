/* Addresses of shared memory: offsets, and whose it is. */
#ifndef JRS_EXEC_SHARED_H
#define JRS_EXEC_SHARED_H

#include "sim_machine.h"

static inline bool jrs_is_shared(const jrs_location *location, uint64_t address) {
    return location->space == JRS_SPACE_SHARED || location->space == JRS_SPACE_CLUSTER ||
           (location->space == JRS_SPACE_GENERIC && address >> JRS_WINDOW_SHIFT == JRS_WINDOW_SHARED);
}

/* Shared memory has offsets below, and above them whose it is: 0: the own block's, else a rank of the cluster and 1. */
enum { JRS_RANK_SHIFT = 24 };
static inline uint32_t jrs_shared_offset(uint64_t address) {
    return (uint32_t)address & ((1u << JRS_RANK_SHIFT) - 1);
}

/* Whose shared memory a shared address names, with its window or without; NULL: there is no such block. */
static inline jrs_block *jrs_shared_block(const jrs_warp *warp, uint64_t address) {
    const uint64_t owner = (address & ((UINT64_C(1) << JRS_WINDOW_SHIFT) - 1)) >> JRS_RANK_SHIFT;
    if (!owner) return warp->block;
    return owner <= warp->block->cluster->count ? &warp->block->cluster->blocks[owner - 1] : NULL;
}

/* The address by which all blocks of the cluster may name a place of the block's shared memory. */
static inline uint32_t jrs_shared_address(const jrs_block *block, uint32_t offset) {
    return (block->rank + 1) << JRS_RANK_SHIFT | offset;
}

#endif
