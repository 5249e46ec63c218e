/* The blocks of a heap: which stretches of it are taken, were freed, and are free. Not thread-safe: heap.h has the
 * lock.
 *
 * Blocks lie side by side from 0 to `top`; nothing beyond was ever taken. A freed block keeps its place, so that a
 * stale pointer leads into it, until the room is needed: then the oldest ones become free and join their neighbours. */
#ifndef JRS_MEMORY_HEAP_BLOCKS_H
#define JRS_MEMORY_HEAP_BLOCKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    JRS_HEAP_GRANULE = 16,
    JRS_HEAP_HEAD = 16 /* bytes between what malloc gives, at least */,
    JRS_HEAP_CLASSES = 64
};

typedef enum jrs_block_state { JRS_BLOCK_FREE, JRS_BLOCK_LIVE, JRS_BLOCK_FREED } jrs_block_state;

typedef struct jrs_heap_block {
    uint64_t begin, end;     /* offsets in the heap */
    uint64_t user, bytes;    /* what was given, and how much was asked for; of a free one 0 */
    uint32_t made, freed;    /* who did it: the owner's numbers */
    uint32_t before, after;  /* by address; 0: none, as below */
    uint32_t previous, next; /* free ones of a class, or freed ones by age */
    uint32_t chained;        /* in its bucket */
    jrs_block_state state;
} jrs_heap_block;

typedef struct jrs_heap_blocks {
    uint64_t base, capacity, top;
    jrs_heap_block *items;              /* item 0 is nobody */
    uint32_t count, room, unused;       /* unused: the first one of those that can be taken again, by next */
    uint32_t last;                      /* by address */
    uint32_t classes[JRS_HEAP_CLASSES]; /* free ones by the highest bit of their size */
    uint32_t oldest, newest;            /* freed ones */
    uint32_t *buckets;                  /* live and freed ones by what was given */
    uint32_t bucket_count, hashed;
} jrs_heap_blocks;

/* base: where the heap lies, whose offset 0 is aligned to JRS_HEAP_GRANULE. */
void jrs_blocks_open(jrs_heap_blocks *blocks, uint64_t base, uint64_t capacity);
void jrs_blocks_close(jrs_heap_blocks *blocks);

/* The number of a new live block; 0: there is no room in the heap, or none for its description. alignment: a power
 * of 2.
 */
uint32_t jrs_blocks_take(jrs_heap_blocks *blocks, uint64_t bytes, uint64_t alignment);
void jrs_blocks_give(jrs_heap_blocks *blocks, uint32_t number); /* it is live */

/* The live or freed block that was given at this offset; 0: none. */
uint32_t jrs_blocks_at(const jrs_heap_blocks *blocks, uint64_t user);
/* The block in which an offset lies; 0: beyond all. Looks at one after the other. */
uint32_t jrs_blocks_around(const jrs_heap_blocks *blocks, uint64_t offset);

#endif
