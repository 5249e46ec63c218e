/* One lane's address to a host pointer, after every check. */
#ifndef JRS_EXEC_ACCESS_H
#define JRS_EXEC_ACCESS_H

#include <string.h>

#include "machine.h"

typedef enum jrs_intent {
    JRS_READ,
    JRS_LOAD, /* a read whose instruction settles what warp->finding holds after it */
    JRS_WRITE,
    JRS_STORE,  /* a write whose instruction does so, by jrs_shadow_settle */
    JRS_MODIFY, /* atomic */
    JRS_FILL    /* an asynchronous copy writes it later */
} jrs_intent;

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
