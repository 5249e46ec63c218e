/* Asynchronous copies in flight, and mbarriers: what a block and its warps remember of them.
 *
 * A copy is made as late as can be told: when its thread waits for its group, or when somebody waits for its mbarrier.
 * Until then its bytes in shared memory belong to it, so that a kernel that does not wait is caught. */
#ifndef JRS_EXEC_ASYNC_H
#define JRS_EXEC_ASYNC_H

#include <stdbool.h>
#include <stdint.h>

typedef struct jrs_block jrs_block;
struct jrs_instruction;
struct jrs_warp;

/* One copy; or, with 0 bytes, an arrival on an mbarrier once the lane's cp.async before it have been made. */
typedef struct jrs_flight {
    const struct jrs_instruction *instruction;
    struct jrs_warp *warp; /* that issued it */
    uint64_t global;
    uint32_t shared, mbarrier;    /* offsets */
    uint32_t bytes, source_bytes; /* zeros follow the source's bytes */
    uint32_t lane, group;         /* group: how many the lane had committed before */
    uint32_t clock;               /* of its warp when it was issued */
} jrs_flight;

typedef struct jrs_flights {
    jrs_flight *items; /* in order of issue */
    uint32_t count, capacity;
    uint32_t committed[32]; /* groups of each lane */
} jrs_flights;

/* Warps of a block are JRS_MAX_WARPS at most. */
typedef struct jrs_mbarrier {
    uint32_t offset;
    uint32_t expected, pending;   /* arrivals: of a phase, still to come */
    int32_t transfer_bytes;       /* expected less complete ones */
    uint64_t phase;               /* how many are complete */
    uint64_t initialised;         /* jrs_stamp */
    uint32_t clock[32], done[32]; /* what all arrivals had seen, and those of complete phases */
} jrs_mbarrier;

/* ---- mbarriers (mbarrier.c): NULL or false when a fault was reported ---- */
/* The live mbarrier that a location of the instruction names. */
jrs_mbarrier *jrs_mbarrier_at(struct jrs_warp *warp, const struct jrs_instruction *instruction, unsigned lane,
                              unsigned location);
bool jrs_mbarrier_arrive(struct jrs_warp *warp, const struct jrs_instruction *instruction, unsigned lane,
                         jrs_mbarrier *mbarrier, uint32_t count);
/* Expects bytes, or with a negative number completes them. */
bool jrs_mbarrier_transfer(struct jrs_warp *warp, const struct jrs_instruction *instruction, unsigned lane,
                           jrs_mbarrier *mbarrier, int64_t bytes);
/* What it waits for, in words; "" when there is none. */
void jrs_mbarrier_describe(const jrs_block *block, uint32_t offset, char out[160]);

/* ---- copies in flight (flight.c): false when a fault was reported ---- */
/* Adds a flight; its instruction, warp, lane and clock are set here. */
bool jrs_flight_begin(struct jrs_warp *warp, const struct jrs_instruction *instruction, unsigned lane,
                      jrs_flights *flights, const jrs_flight *flight);
/* Lands the flights of mask's lanes that are not in the last `kept` groups; `open`: those of no committed group, too.
 */
bool jrs_flights_wait(struct jrs_warp *warp, uint32_t mask, jrs_flights *flights, uint32_t kept, bool open);
/* Lands flights of an mbarrier, in order, until its phase is complete or none is left. */
bool jrs_async_settle(struct jrs_warp *warp, jrs_mbarrier *mbarrier);
/* Whether a copy in flight reads any of these bytes of shared memory; then that is reported. */
bool jrs_async_reads(struct jrs_warp *warp, const struct jrs_instruction *instruction, unsigned lane, uint32_t offset,
                     uint32_t bytes);

/* ---- a block's life ---- */
void jrs_async_begin(jrs_block *block); /* forgets what an earlier block left */
bool jrs_async_end(jrs_block *block);
bool jrs_async_exit(struct jrs_warp *warp, const struct jrs_instruction *instruction, uint32_t mask);
void jrs_async_free(jrs_block *block);

#endif
