/* The records of asynchronous copies in flight and of mbarriers.
 *
 * The simulator makes a copy as late as a kernel can observe: when its thread waits for its group, or when a thread
 * waits for its mbarrier. Until then no thread may touch the copy's bytes in shared memory, so that a kernel that does
 * not wait gets a fault. */
#ifndef JRS_EXEC_PENDING_H
#define JRS_EXEC_PENDING_H

#include "sim/ptx/code.h"

typedef struct jrs_block jrs_block;

/* One copy; or, with 0 bytes, an arrival on an mbarrier once the lane's cp.async before it have been made. */
typedef struct jrs_flight {
    const jrs_instruction *instruction;
    jrs_warp *warp;   /* that issued it */
    jrs_block *block; /* in whose shared memory its bytes or its mbarrier are */
    union {
        uint64_t global;   /* address of the source, or of the target of a bulk store */
        uint8_t value[16]; /* of st.async */
    };
    uint32_t shared, mbarrier;    /* offsets */
    uint32_t bytes, source_bytes; /* zeros follow the source's bytes */
    uint32_t lane, group;         /* group: how many the lane had committed before */
    uint32_t clock;               /* of its warp when it was issued */
} jrs_flight;

typedef struct jrs_flights {
    jrs_flight *items; /* in order of issue */
    uint32_t count, capacity;
    uint32_t committed[JRS_LANES]; /* groups of each lane */
} jrs_flights;

typedef struct jrs_mbarrier {
    jrs_block *block; /* in whose shared memory it is */
    uint32_t offset;
    uint32_t expected, pending; /* arrivals: of a phase, still to come */
    int32_t transfer_bytes;     /* expected less complete ones */
    uint64_t phase;             /* how many are complete */
    uint64_t initialised;       /* jrs_stamp */
    uint64_t published;         /* phases of the cluster's barrier after which all see it; 0: by order alone */
    uint32_t *clock, *done;     /* what all arrivals had seen, and those of complete phases */
} jrs_mbarrier;

#endif
