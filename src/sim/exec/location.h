/* Locations: the address that an operand in brackets gives for a lane. */
#ifndef JRS_EXEC_LOCATION_H
#define JRS_EXEC_LOCATION_H

#include <string.h>

#include "machine.h"

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

static inline bool jrs_is_shared(const jrs_location *location, uint64_t address) {
    return location->space == JRS_SPACE_SHARED ||
           (location->space == JRS_SPACE_GENERIC && address >> JRS_WINDOW_SHIFT == JRS_WINDOW_SHARED);
}

#endif
