/* One lane's address to a host pointer, after every check. */
#ifndef JRS_JUDGE_ACCESS_H
#define JRS_JUDGE_ACCESS_H

#include "shadow.h"

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
