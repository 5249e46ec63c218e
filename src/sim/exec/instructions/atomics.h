/* Strong accesses to memory that other threads of the host may touch at the same time. */
#ifndef JRS_INSTRUCTIONS_ATOMICS_H
#define JRS_INSTRUCTIONS_ATOMICS_H

#include "sim/exec/lanes.h"

/* Values travel in two words; only 16-byte accesses use the second. */
typedef struct jrs_wide {
    uint64_t low, high;
} jrs_wide;

jrs_wide jrs_strong_load(const uint8_t *at, unsigned bytes);
bool jrs_strong_store(uint8_t *at, unsigned bytes, jrs_wide value); /* whether memory changed */
/* Stores wanted when memory holds *seen; else false and *seen is what it holds. */
bool jrs_strong_swap(uint8_t *at, unsigned bytes, jrs_wide *seen, jrs_wide wanted);

/* What an access that may poll returns: others have a turn now and then. */
static inline jrs_next jrs_polled(jrs_warp *warp) {
    enum { POLLS_PER_SLICE = 16 };
    return ++warp->polls % POLLS_PER_SLICE == 0 ? JRS_YIELD : JRS_STEP;
}

#endif
