/* One lane's address to a host pointer, after every check. */
#ifndef JRS_EXEC_ACCESS_H
#define JRS_EXEC_ACCESS_H

#include <string.h>

#include "machine.h"

/* store: a write that is followed by jrs_shadow_settle when warp->clash has bytes; modify: atomic; fill: an
 * asynchronous copy writes it later */
typedef enum jrs_intent { JRS_READ, JRS_WRITE, JRS_STORE, JRS_MODIFY, JRS_FILL } jrs_intent;

/* The address that a location gives for a lane, constant offset included. */
static inline uint64_t jrs_locate(const jrs_warp *warp, const jrs_location *location, unsigned lane) {
    uint64_t address;
    uint32_t narrow;
    const uint8_t *lanes = jrs_at(warp, location->slot);
    if (location->bytes == 8) {
        memcpy(&address, lanes + (size_t)lane * 8, 8);
        return address + (uint64_t)location->offset;
    }
    memcpy(&narrow, lanes + (size_t)lane * 4, 4);
    return (uint32_t)(narrow + (uint32_t)location->offset);
}

/* What a lane accesses. */
typedef struct jrs_extent {
    uint64_t address;
    uint32_t bytes, alignment; /* alignment: a power of 2 */
    jrs_space space;
} jrs_extent;

/* Of an instruction of the memory family. NULL: the access was wrong, and the fault is reported. `bytes` is the whole
 * access, whose alignment it is too. */
uint8_t *jrs_access(jrs_warp *warp, const jrs_instruction *i, unsigned lane, uint64_t address, uint32_t bytes,
                    jrs_intent intent);

uint8_t *jrs_access_extent(jrs_warp *warp, const jrs_instruction *i, unsigned lane, const jrs_extent *extent,
                           jrs_intent intent);

#endif
