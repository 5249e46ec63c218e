/* One lane's address to a host pointer, after every check. */
#ifndef JRS_EXEC_ACCESS_H
#define JRS_EXEC_ACCESS_H

#include <string.h>

#include "machine.h"

/* modify: atomic; fill: an asynchronous copy writes it later */
typedef enum jrs_intent { JRS_READ, JRS_WRITE, JRS_MODIFY, JRS_FILL } jrs_intent;

/* The address of a memory instruction for a lane, constant offset included. */
static inline uint64_t jrs_address(const jrs_warp *warp, const jrs_instruction *i, unsigned lane) {
    uint64_t address;
    uint32_t narrow;
    const uint8_t *lanes = jrs_at(warp, i->s[0]);
    if (i->address_bytes == 8) {
        memcpy(&address, lanes + (size_t)lane * 8, 8);
        return address + (uint64_t)i->immediate;
    }
    memcpy(&narrow, lanes + (size_t)lane * 4, 4);
    return (uint32_t)(narrow + (uint32_t)i->immediate);
}

/* The same of one of an instruction's locations. */
static inline uint64_t jrs_locate(const jrs_warp *warp, const jrs_location *location, unsigned lane) {
    const jrs_instruction as = {.s = {location->slot}, .address_bytes = location->bytes, .immediate = location->offset};
    return jrs_address(warp, &as, lane);
}

/* What a lane accesses. */
typedef struct jrs_extent {
    uint64_t address;
    uint32_t bytes, alignment; /* alignment: a power of 2 */
    jrs_space space;
} jrs_extent;

/* NULL: the access was wrong, and the fault is reported. `bytes` is the whole access, whose alignment it is too. */
uint8_t *jrs_access(jrs_warp *warp, const jrs_instruction *i, unsigned lane, uint64_t address, uint32_t bytes,
                    jrs_intent intent);

uint8_t *jrs_access_extent(jrs_warp *warp, const jrs_instruction *i, unsigned lane, const jrs_extent *extent,
                           jrs_intent intent);

/* A range of global memory that holds all of [address, address + bytes) and may be used so, or NULL (no report). */
const jrs_range *jrs_access_range(jrs_worker *worker, uint64_t address, uint64_t bytes, bool write);

/* Forgets cached ranges when memory has been allocated or freed since. */
void jrs_access_refresh(jrs_worker *worker);

#endif
