/* The tuning: how a reduction is carried out, with nothing left open. */
#ifndef JR_SPEC_TUNING_H
#define JR_SPEC_TUNING_H

#include <stdbool.h>

#include "abi.h"
#include "jitreduce/reduce.h"

_Static_assert((int)JR_BLOCK_STEP == (int)JR_WARP_LANES, "a block has whole warps");

typedef struct jr_tuning {
    jr_algorithm algorithm;
    int unroll;                    /* 1 to JR_UNROLL_MAX */
    int block;                     /* threads, a multiple of JR_BLOCK_STEP up to JR_BLOCK_MAX */
    int grid;                      /* blocks; 0: as many as the count and the device take */
    int blocks_per_multiprocessor; /* at most; 0: what keeps the memory busy */
    int resident_threads;          /* of a multiprocessor, when that is 0: best; 0: what keeps the memory busy */
    bool shared_dynamic;
    unsigned shared_bytes; /* dynamic shared memory of a block */
    int stages;            /* of bulk_copy: tiles of the ring; else 0 */
    bool exclusive;        /* of a scan: a result leaves its own element out */
    bool to_state;         /* what is combined is written, for another step, and not the results */
    bool from_initial;     /* then: the initial value before it */
    bool to_all;           /* the states of a group's devices meet, and each device writes the results of all */
} jr_tuning;

#endif
