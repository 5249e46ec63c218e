/* Blocks of a heap: a list by address, lists of free ones by size, a queue of freed ones, a hash of what was given. */
#include "heap_blocks.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_ROOM = 256, LEAST_SPAN = JRS_HEAP_HEAD + JRS_HEAP_GRANULE };

void jrs_blocks_open(jrs_heap_blocks *blocks, uint64_t base, uint64_t capacity) {
    memset(blocks, 0, sizeof *blocks);
    blocks->base = base;
    blocks->capacity = capacity / JRS_HEAP_GRANULE * JRS_HEAP_GRANULE;
    blocks->count = 1;
}

void jrs_blocks_close(jrs_heap_blocks *blocks) {
    free(blocks->items);
    free(blocks->buckets);
}

static uint64_t round_up(uint64_t value, uint64_t unit) {
    return (value + unit - 1) / unit * unit;
}

/* ---- descriptions ---- */

static bool make_room(jrs_heap_blocks *blocks) {
    if (blocks->unused || blocks->count < blocks->room) return true;
    const uint32_t room = blocks->room ? blocks->room * 2 : FIRST_ROOM;
    jrs_heap_block *items = room > blocks->room ? realloc(blocks->items, room * sizeof *items) : NULL;
    if (!items) return false;
    blocks->items = items;
    blocks->room = room;
    return true;
}

/* Needs room. */
static uint32_t describe(jrs_heap_blocks *blocks, uint64_t begin, uint64_t end) {
    const uint32_t number = blocks->unused ? blocks->unused : blocks->count++;
    if (blocks->unused) blocks->unused = blocks->items[number].next;
    blocks->items[number] = (jrs_heap_block){.begin = begin, .end = end};
    return number;
}

static void forget(jrs_heap_blocks *blocks, uint32_t number) {
    blocks->items[number].next = blocks->unused;
    blocks->unused = number;
}

/* Inserts a block after block `before` in the order of addresses; 0: as the first. */
static void place_after(jrs_heap_blocks *blocks, uint32_t number, uint32_t before) {
    jrs_heap_block *block = &blocks->items[number];
    block->before = before;
    block->after = before ? blocks->items[before].after : 0;
    if (before) blocks->items[before].after = number;
    if (block->after) blocks->items[block->after].before = number;
    if (blocks->last == before) blocks->last = number;
}

static void displace(jrs_heap_blocks *blocks, uint32_t number) {
    const jrs_heap_block *block = &blocks->items[number];
    if (block->before) blocks->items[block->before].after = block->after;
    if (block->after) blocks->items[block->after].before = block->before;
    if (blocks->last == number) blocks->last = block->before;
}

/* ---- free ones ---- */

static unsigned class_of(uint64_t bytes) {
    return 63 - (unsigned)__builtin_clzll(bytes);
}

static uint32_t *class_at(jrs_heap_blocks *blocks, const jrs_heap_block *block) {
    return &blocks->classes[class_of(block->end - block->begin)];
}

static void list_free(jrs_heap_blocks *blocks, uint32_t number) {
    jrs_heap_block *block = &blocks->items[number];
    uint32_t *first = class_at(blocks, block);
    block->state = JRS_BLOCK_FREE;
    block->user = block->bytes = 0;
    block->previous = 0;
    block->next = *first;
    if (*first) blocks->items[*first].previous = number;
    *first = number;
}

static void unlist_free(jrs_heap_blocks *blocks, uint32_t number) {
    const jrs_heap_block *block = &blocks->items[number];
    if (block->previous)
        blocks->items[block->previous].next = block->next;
    else
        *class_at(blocks, block) = block->next;
    if (block->next) blocks->items[block->next].previous = block->previous;
}

/* ---- what was given ---- */

static uint32_t bucket_of(const jrs_heap_blocks *blocks, uint64_t user) {
    return (uint32_t)((user / JRS_HEAP_GRANULE * UINT64_C(0x9e3779b97f4a7c15)) >> 32) & (blocks->bucket_count - 1);
}

static bool grow_buckets(jrs_heap_blocks *blocks) {
    if (blocks->hashed < blocks->bucket_count) return true;
    const uint32_t count = blocks->bucket_count ? blocks->bucket_count * 2 : FIRST_ROOM;
    uint32_t *buckets = calloc(count, sizeof *buckets);
    if (!buckets) return false;
    free(blocks->buckets);
    blocks->buckets = buckets;
    blocks->bucket_count = count;
    for (uint32_t k = blocks->last; k; k = blocks->items[k].before) {
        jrs_heap_block *block = &blocks->items[k];
        if (block->state == JRS_BLOCK_FREE) continue;
        uint32_t *bucket = &buckets[bucket_of(blocks, block->user)];
        block->chained = *bucket;
        *bucket = k;
    }
    return true;
}

uint32_t jrs_blocks_at(const jrs_heap_blocks *blocks, uint64_t user) {
    if (!blocks->bucket_count) return 0;
    uint32_t k = blocks->buckets[bucket_of(blocks, user)];
    while (k && blocks->items[k].user != user) k = blocks->items[k].chained;
    return k;
}

static void hash(jrs_heap_blocks *blocks, uint32_t number) {
    uint32_t *bucket = &blocks->buckets[bucket_of(blocks, blocks->items[number].user)];
    blocks->items[number].chained = *bucket;
    *bucket = number;
    blocks->hashed++;
}

static void unhash(jrs_heap_blocks *blocks, uint32_t number) {
    uint32_t *link = &blocks->buckets[bucket_of(blocks, blocks->items[number].user)];
    while (*link != number) link = &blocks->items[*link].chained;
    *link = blocks->items[number].chained;
    blocks->hashed--;
}

/* ---- from freed to free ---- */

void jrs_blocks_give(jrs_heap_blocks *blocks, uint32_t number) {
    jrs_heap_block *block = &blocks->items[number];
    block->state = JRS_BLOCK_FREED;
    block->next = 0;
    if (blocks->newest)
        blocks->items[blocks->newest].next = number;
    else
        blocks->oldest = number;
    blocks->newest = number;
}

/* Joins a neighbour that is free, and listed, to a block. */
static void absorb(jrs_heap_blocks *blocks, uint32_t number, uint32_t neighbour) {
    jrs_heap_block *block = &blocks->items[number], *other = &blocks->items[neighbour];
    if (!neighbour || other->state != JRS_BLOCK_FREE) return;
    unlist_free(blocks, neighbour);
    displace(blocks, neighbour);
    if (other->begin < block->begin) block->begin = other->begin;
    if (other->end > block->end) block->end = other->end;
    forget(blocks, neighbour);
}

/* Lets the oldest freed block become free. Returns it with its neighbours; 0: it was the last by address, and lies
 * beyond the top now. */
static uint32_t recycle(jrs_heap_blocks *blocks) {
    const uint32_t number = blocks->oldest;
    blocks->oldest = blocks->items[number].next;
    if (!blocks->oldest) blocks->newest = 0;
    unhash(blocks, number);
    absorb(blocks, number, blocks->items[number].before);
    absorb(blocks, number, blocks->items[number].after);
    if (blocks->last != number) {
        list_free(blocks, number);
        return number;
    }
    blocks->top = blocks->items[number].begin;
    displace(blocks, number);
    forget(blocks, number);
    return 0;
}

/* ---- taking ---- */

typedef struct wanted {
    uint64_t bytes, alignment;
} wanted;

static uint64_t whole_bytes(const wanted *what) {
    return what->bytes ? round_up(what->bytes, JRS_HEAP_GRANULE) : JRS_HEAP_GRANULE;
}

/* What would be given of a block that begins there. Addresses are aligned, and not offsets. */
static uint64_t user_of(const jrs_heap_blocks *blocks, uint64_t begin, const wanted *what) {
    return round_up(blocks->base + begin + JRS_HEAP_HEAD, what->alignment) - blocks->base;
}

static uint64_t end_of(const jrs_heap_blocks *blocks, uint64_t begin, const wanted *what) {
    return user_of(blocks, begin, what) + whole_bytes(what);
}

static bool fits(const jrs_heap_blocks *blocks, uint32_t number, const wanted *what) {
    return end_of(blocks, blocks->items[number].begin, what) <= blocks->items[number].end;
}

static uint32_t find_free(const jrs_heap_blocks *blocks, const wanted *what) {
    for (unsigned k = class_of(JRS_HEAP_HEAD + whole_bytes(what)); k < JRS_HEAP_CLASSES; k++)
        for (uint32_t number = blocks->classes[k]; number; number = blocks->items[number].next)
            if (fits(blocks, number, what)) return number;
    return 0;
}

/* What is left of a block that is taken becomes a free one, or lies beyond the top. Needs room. */
static void split(jrs_heap_blocks *blocks, uint32_t number, uint64_t end) {
    const uint64_t all = blocks->items[number].end;
    if (blocks->last == number) {
        blocks->items[number].end = blocks->top = end;
        return;
    }
    if (all - end < LEAST_SPAN) return;
    const uint32_t rest = describe(blocks, end, all);
    blocks->items[number].end = end;
    place_after(blocks, rest, number);
    list_free(blocks, rest);
}

/* Takes a block that is large enough out of all lists; 0: no block is. */
static uint32_t cut(jrs_heap_blocks *blocks, const wanted *what) {
    uint32_t number = find_free(blocks, what);
    while (!number && end_of(blocks, blocks->top, what) > blocks->capacity && blocks->oldest) {
        number = recycle(blocks);
        if (number && !fits(blocks, number, what)) number = 0;
    }
    if (number) {
        unlist_free(blocks, number);
        split(blocks, number, end_of(blocks, blocks->items[number].begin, what));
        return number;
    }
    if (end_of(blocks, blocks->top, what) > blocks->capacity) return 0;
    number = describe(blocks, blocks->top, end_of(blocks, blocks->top, what));
    place_after(blocks, number, blocks->last);
    blocks->top = blocks->items[number].end;
    return number;
}

uint32_t jrs_blocks_take(jrs_heap_blocks *blocks, uint64_t bytes, uint64_t alignment) {
    const wanted what = {bytes, alignment > JRS_HEAP_GRANULE ? alignment : JRS_HEAP_GRANULE};
    if (bytes > blocks->capacity || what.alignment > blocks->capacity) return 0;
    if (!grow_buckets(blocks) || !make_room(blocks)) return 0;
    uint32_t number = cut(blocks, &what);
    if (!number) return 0;
    jrs_heap_block *block = &blocks->items[number];
    block->state = JRS_BLOCK_LIVE;
    block->user = user_of(blocks, block->begin, &what);
    block->bytes = bytes;
    hash(blocks, number);
    return number;
}

uint32_t jrs_blocks_around(const jrs_heap_blocks *blocks, uint64_t offset) {
    if (offset >= blocks->top) return 0;
    uint32_t k = blocks->last;
    while (k && blocks->items[k].begin > offset) k = blocks->items[k].before;
    return k;
}
