/* Copies in flight: each is made when a thread waits for it, and not before. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "flight.h"
#include "mbarrier.h"
#include "ranges.h"
#include "sim/ptx/handlers.h"
#include "sim/ptx/ptx_source.h"

bool jrs_flight_begin(jrs_warp *warp, const jrs_instruction *i, unsigned lane, jrs_flights *flights,
                      const jrs_flight *flight) {
    if (flights->count == flights->capacity) {
        uint32_t capacity = flights->capacity ? 2 * flights->capacity : 64;
        jrs_flight *larger = realloc(flights->items, capacity * sizeof *larger);
        if (!larger) {
            jrs_fault(warp, i, lane, JRS_FAULT_NO_MEMORY, "for a copy in flight");
            return false;
        }
        flights->items = larger;
        flights->capacity = capacity;
    }
    jrs_flight *made = &flights->items[flights->count++];
    *made = *flight;
    made->instruction = i;
    made->warp = warp;
    if (!made->block) made->block = warp->block;
    made->lane = lane;
    made->group = flights->committed[lane];
    made->clock = jrs_now(warp);
    return true;
}

/* ---- landing ---- */

static uint8_t *global_bytes(const jrs_flight *flight, uint32_t bytes, bool write) {
    if (jrs_ranges_find(flight->warp->worker, flight->global, bytes, write))
        return (uint8_t *)(uintptr_t)flight->global; /* they are host addresses */
    jrs_fault(flight->warp, flight->instruction, flight->lane, JRS_FAULT_FREED,
              "address 0x%" PRIx64 ": the memory was freed while the copy was in flight", flight->global);
    return NULL;
}

/* clock: at which the warp that issued it is taken to have written. */
static bool finish_copy(const jrs_flight *flight, uint32_t clock) {
    const bool bulk = flight->instruction->run == jrs_op_bulk_load;
    uint8_t *to = flight->block->shared + flight->shared;
    const bool held = flight->instruction->run == jrs_op_store_async;
    const uint8_t *from = held                   ? flight->value
                          : flight->source_bytes ? global_bytes(flight, flight->source_bytes, false)
                                                 : to;
    if (!from) return false;
    if (flight->source_bytes) memcpy(to, from, flight->source_bytes);
    memset(to + flight->source_bytes, 0, flight->bytes - flight->source_bytes);
    jrs_shadow_end_copy(flight, clock, bulk);
    flight->warp->progress = true;
    return true;
}

static bool finish_store(const jrs_flight *flight) {
    jrs_block *block = flight->block;
    uint8_t *to = global_bytes(flight, flight->bytes, true);
    if (!to) return false;
    memcpy(to, block->shared + flight->shared, flight->bytes);
    block->stores--;
    flight->warp->progress = true;
    return true;
}

bool jrs_flights_wait(jrs_warp *warp, uint32_t mask, jrs_flights *flights, uint32_t kept, bool open) {
    uint32_t left = 0;
    bool good = true;
    for (uint32_t k = 0; k < flights->count; k++) {
        const jrs_flight *flight = &flights->items[k];
        uint32_t committed = flights->committed[flight->lane];
        bool due = (mask >> flight->lane & 1) && (open || (uint64_t)flight->group + kept < committed);
        if (good && due && flights == &warp->stores)
            good = finish_store(flight);
        else if (good && due)
            good = finish_copy(flight, jrs_now(warp));
        else
            flights->items[left++] = *flight;
    }
    flights->count = left;
    return good;
}

/* ---- mbarriers ---- */

/* Lands a lane's cp.async up to a clock of its warp. */
static bool finish_before(const jrs_flight *arrival) {
    jrs_flights *loads = &arrival->warp->loads;
    uint32_t left = 0;
    bool good = true;
    for (uint32_t k = 0; k < loads->count; k++) {
        const jrs_flight *flight = &loads->items[k];
        if (good && flight->lane == arrival->lane && flight->clock <= arrival->clock)
            good = finish_copy(flight, arrival->clock);
        else
            loads->items[left++] = *flight;
    }
    loads->count = left;
    return good;
}

static bool settle_one(jrs_block *block, uint32_t k, jrs_mbarrier *mbarrier) {
    const jrs_flight flight = block->bulk.items[k];
    const uint32_t entry = flight.warp->entry;
    jrs_flights *bulk = &block->bulk;
    memmove(&bulk->items[k], &bulk->items[k + 1], (--bulk->count - k) * sizeof *bulk->items);
    if (mbarrier->clock[entry] < flight.clock + 1) mbarrier->clock[entry] = flight.clock + 1;
    if (flight.bytes)
        return finish_copy(&flight, flight.clock) &&
               jrs_mbarrier_transfer(flight.warp, flight.instruction, flight.lane, mbarrier, -(int64_t)flight.bytes);
    return finish_before(&flight) && jrs_mbarrier_arrive(flight.warp, flight.instruction, flight.lane, mbarrier, 1);
}

bool jrs_flights_settle(jrs_mbarrier *mbarrier) {
    jrs_block *block = mbarrier->block;
    const uint64_t phase = mbarrier->phase;
    for (uint32_t k = 0; k < block->bulk.count && mbarrier->phase == phase;) {
        if (block->bulk.items[k].mbarrier != mbarrier->offset)
            k++;
        else if (!settle_one(block, k, mbarrier))
            return false;
    }
    return true;
}

/* ---- a block's life ---- */

bool jrs_flights_spare(jrs_warp *warp, const jrs_instruction *i, unsigned lane, jrs_span bytes) {
    const jrs_block *block = bytes.block;
    char source[JRS_SOURCE_BYTES];
    for (uint32_t w = 0; w < block->warp_count; w++) {
        const jrs_flights *stores = &block->warps[w].stores;
        for (uint32_t k = 0; k < stores->count; k++) {
            const jrs_flight *flight = &stores->items[k];
            if (bytes.offset >= flight->shared + flight->bytes || flight->shared >= bytes.offset + bytes.bytes)
                continue;
            return jrs_fault(warp, i, lane, JRS_FAULT_RACE,
                             "address 0x%" PRIx32 ": the copy of %s reads it and has not been waited for", bytes.offset,
                             jrs_source_line(block->run->function->module, flight->instruction->line, source)) ==
                   JRS_STEP;
        }
    }
    return true;
}

static void forget(jrs_block *block, jrs_flights *flights) {
    for (uint32_t k = 0; k < flights->count; k++)
        jrs_shadow_forget(block, flights->items[k].shared, flights->items[k].bytes);
    flights->count = 0;
    memset(flights->committed, 0, sizeof flights->committed);
}

void jrs_flights_begin_block(jrs_block *block) {
    for (uint32_t w = 0; w < block->warp_count; w++) {
        forget(block, &block->warps[w].loads);
        forget(block, &block->warps[w].stores);
        block->warps[w].awaited = 0;
    }
    forget(block, &block->bulk);
    for (uint32_t k = 0; k < block->mbarrier_count; k++) jrs_shadow_forget(block, block->mbarriers[k].offset, 8);
    block->mbarrier_count = block->stores = 0;
    memset(block->proxied, 0, block->run->clock_count * sizeof *block->proxied);
}

bool jrs_flights_end_block(jrs_block *block) {
    for (uint32_t k = 0; k < block->bulk.count; k++) {
        const jrs_flight *flight = &block->bulk.items[k];
        if (!flight->bytes) continue;
        jrs_fault(flight->warp, flight->instruction, flight->lane, JRS_FAULT_COPY,
                  "the block ends while the copy into its shared memory is in flight");
        return false;
    }
    return true;
}

bool jrs_flights_exit(jrs_warp *warp, const jrs_instruction *i, uint32_t mask) {
    char source[JRS_SOURCE_BYTES];
    for (uint32_t k = 0; k < warp->stores.count; k++) {
        const jrs_flight *flight = &warp->stores.items[k];
        if (!(mask >> flight->lane & 1)) continue;
        jrs_fault(warp, i, flight->lane, JRS_FAULT_COPY,
                  "the thread ends while its copy of %s from shared memory is in flight",
                  jrs_source_line(warp->block->run->function->module, flight->instruction->line, source));
        return false;
    }
    return true;
}

void jrs_flights_free(jrs_block *block) {
    for (uint32_t w = 0; block->warps && w < block->warp_count; w++) {
        free(block->warps[w].loads.items);
        free(block->warps[w].stores.items);
    }
    free(block->bulk.items);
    for (uint32_t k = 0; k < block->mbarrier_capacity; k++) free(block->mbarriers[k].clock);
    free(block->mbarriers);
}
