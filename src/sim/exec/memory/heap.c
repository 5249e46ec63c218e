/* The heap of kernels: blocks under a lock, and a map of the bytes that may be touched. */
#include "heap.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "heap_blocks.h"
#include "loader/cuda_abi.h"

enum {
    SITES = 256,         /* instructions that are counted separately */
    LEAKS_REPORTED = 16, /* sentences on what was not freed */
    EXPLAINED = 1000,    /* after so many reports, whose cost grows with the heap, only addresses are reported */
    PATTERN_MAX = 4 << 20
};

/* In the map, which has counts of bytes otherwise: nobody was given these, or they were freed. */
enum { GONE = 0 };

/* What changes in a heap that is only looked at. */
typedef struct guard {
    pthread_mutex_t lock;
    uint64_t explained;
} guard;

struct jrs_heap {
    uint64_t begin;
    size_t bytes;
    uint8_t *map; /* a byte for each granule; atomic */
    guard *guard;
    jrs_heap_blocks blocks;
    char *sites[SITES]; /* who allocates and frees; the last one stands for all that came later */
    uint32_t site_count;
};

static size_t map_bytes(size_t bytes) {
    return bytes / JRS_HEAP_GRANULE + 1;
}

void jrs_heap_destroy(jrs_heap *heap) {
    if (!heap) return;
    if (heap->map) munmap(heap->map, map_bytes(heap->bytes));
    if (heap->guard) pthread_mutex_destroy(&heap->guard->lock);
    for (uint32_t k = 0; k < heap->site_count; k++) free(heap->sites[k]);
    jrs_blocks_close(&heap->blocks);
    free(heap->guard);
    free(heap);
}

/* Pages of the map cost nothing until they are touched. */
static bool make_parts(jrs_heap *heap) {
    void *map =
        mmap(NULL, map_bytes(heap->bytes), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    heap->map = map == MAP_FAILED ? NULL : map;
    heap->guard = calloc(1, sizeof *heap->guard);
    if (heap->guard && pthread_mutex_init(&heap->guard->lock, NULL)) {
        free(heap->guard);
        heap->guard = NULL;
    }
    return heap->map && heap->guard;
}

int jrs_heap_create(jrs_memory *memory, jrs_owner owner, size_t bytes, jrs_heap **heap) {
    jrs_heap *made = calloc(1, sizeof *made);
    if (!made) return JR_CUDA_ERROR_OUT_OF_MEMORY;
    made->bytes = bytes;
    const jrs_block_request request = {.kind = JRS_MEMORY_HEAP, .bytes = bytes, .owner = owner, .heap = made};
    const int error =
        make_parts(made) ? jrs_memory_allocate(memory, &request, &made->begin) : JR_CUDA_ERROR_OUT_OF_MEMORY;
    if (error) {
        jrs_heap_destroy(made);
        return error;
    }
    jrs_blocks_open(&made->blocks, made->begin, bytes);
    *heap = made;
    return error;
}

/* ---- the map ---- */

static void mark(const jrs_heap *heap, uint64_t offset, uint64_t bytes, bool touchable) {
    uint8_t *at = heap->map + offset / JRS_HEAP_GRANULE;
    for (uint64_t left = bytes; left; at++) {
        const uint64_t part = left < JRS_HEAP_GRANULE ? left : JRS_HEAP_GRANULE;
        __atomic_store_n(at, (uint8_t)(touchable ? part : GONE), __ATOMIC_RELEASE);
        left -= part;
    }
}

static bool is_touchable(const jrs_heap *heap, uint64_t offset, uint64_t bytes) {
    const uint64_t end = offset + bytes;
    bool good = end <= heap->bytes;
    for (uint64_t at = offset / JRS_HEAP_GRANULE * JRS_HEAP_GRANULE; good && at < end; at += JRS_HEAP_GRANULE) {
        const uint8_t *granule = heap->map + at / JRS_HEAP_GRANULE;
        const uint64_t needed = end - at < JRS_HEAP_GRANULE ? end - at : JRS_HEAP_GRANULE;
        good = __atomic_load_n(granule, __ATOMIC_ACQUIRE) >= needed;
    }
    return good;
}

/* A thread may know an address before it sees the map change: then the lock shows it. */
bool jrs_heap_holds(const jrs_heap *heap, uint64_t address, uint64_t bytes) {
    const uint64_t offset = address - heap->begin;
    if (is_touchable(heap, offset, bytes)) return true;
    pthread_mutex_lock(&heap->guard->lock);
    const bool good = is_touchable(heap, offset, bytes);
    pthread_mutex_unlock(&heap->guard->lock);
    return good;
}

/* ---- malloc and free; lock held within ---- */

static uint32_t site_of(jrs_heap *heap, const char *who) {
    for (uint32_t k = 0; k < heap->site_count; k++)
        if (strcmp(heap->sites[k], who) == 0) return k;
    char *copy = heap->site_count < SITES ? strdup(heap->site_count < SITES - 1 ? who : "one of many places") : NULL;
    if (copy) heap->sites[heap->site_count++] = copy;
    return heap->site_count ? heap->site_count - 1 : 0;
}

static const char *site_text(const jrs_heap *heap, uint32_t site) {
    return site < heap->site_count ? heap->sites[site] : "a kernel";
}

/* What nobody wrote should not look like zeros; the rest of a large one costs nothing until it is touched. */
static void fill(uint64_t address, uint64_t bytes) {
    memset((void *)(uintptr_t)address, JRS_PATTERN_BYTE, bytes < PATTERN_MAX ? bytes : PATTERN_MAX);
}

uint64_t jrs_heap_take(jrs_heap *heap, uint64_t bytes, uint64_t alignment, const char *who) {
    uint64_t address = 0;
    pthread_mutex_lock(&heap->guard->lock);
    const uint32_t number = jrs_blocks_take(&heap->blocks, bytes, alignment);
    if (number) {
        jrs_heap_block *block = &heap->blocks.items[number];
        block->made = site_of(heap, who);
        mark(heap, block->begin, block->end - block->begin, false);
        mark(heap, block->user, bytes, true);
        address = heap->begin + block->user;
        fill(address, bytes);
    }
    pthread_mutex_unlock(&heap->guard->lock);
    return address;
}

static jrs_heap_verdict give(jrs_heap *heap, uint64_t offset, const char *who) {
    const uint32_t number = jrs_blocks_at(&heap->blocks, offset);
    if (!number) return JRS_HEAP_NOTHING;
    jrs_heap_block *block = &heap->blocks.items[number];
    if (block->state != JRS_BLOCK_LIVE) return JRS_HEAP_TWICE;
    block->freed = site_of(heap, who);
    mark(heap, block->user, block->bytes, false);
    jrs_blocks_give(&heap->blocks, number);
    return JRS_HEAP_FREED;
}

jrs_heap_verdict jrs_heap_give(jrs_heap *heap, uint64_t address, const char *who) {
    if (address < heap->begin || address - heap->begin >= heap->bytes) return JRS_HEAP_OUTSIDE;
    pthread_mutex_lock(&heap->guard->lock);
    const jrs_heap_verdict verdict = give(heap, address - heap->begin, who);
    pthread_mutex_unlock(&heap->guard->lock);
    return verdict;
}

/* ---- in words ---- */

/* The block nearest to an offset: a block's head is as far from its own data as from the block before it. */
static const jrs_heap_block *nearest(const jrs_heap *heap, uint64_t offset) {
    const jrs_heap_block *items = heap->blocks.items;
    const uint32_t number = jrs_blocks_around(&heap->blocks, offset);
    const uint32_t last = number ? number : heap->blocks.last;
    if (!last) return NULL;
    const jrs_heap_block *block = &items[last];
    const bool in_head = block->state == JRS_BLOCK_FREE || offset < block->user;
    if (in_head && block->before && items[block->before].state != JRS_BLOCK_FREE) return &items[block->before];
    return block->state == JRS_BLOCK_FREE ? NULL : block;
}

static void describe(const jrs_heap *heap, uint64_t offset, const jrs_heap_block *block, char text[JRS_HEAP_TEXT]) {
    const uint64_t end = block->user + block->bytes;
    const char *relation = offset < block->user ? "before the begin of" : offset < end ? "into" : "past the end of";
    const uint64_t distance = offset < block->user ? block->user - offset
                              : offset < end       ? offset - block->user
                                                   : offset - end;
    const bool freed = block->state == JRS_BLOCK_FREED;
    snprintf(text, JRS_HEAP_TEXT,
             "%" PRIu64 " bytes %s %" PRIu64 " bytes at 0x%" PRIx64 " that %.160s allocated%s%.160s%s", distance,
             relation, block->bytes, heap->begin + block->user, site_text(heap, block->made), freed ? " and " : "",
             freed ? site_text(heap, block->freed) : "", freed ? " freed" : "");
}

void jrs_heap_explain(const jrs_heap *heap, uint64_t address, char text[JRS_HEAP_TEXT], bool *freed) {
    const uint64_t offset = address - heap->begin;
    pthread_mutex_lock(&heap->guard->lock);
    const bool known = heap->guard->explained++ < EXPLAINED;
    const jrs_heap_block *block = known ? nearest(heap, offset) : NULL;
    *freed = block && block->state == JRS_BLOCK_FREED && offset >= block->user && offset < block->user + block->bytes;
    if (block)
        describe(heap, offset, block, text);
    else
        snprintf(text, JRS_HEAP_TEXT, "in the heap, where nothing is allocated");
    pthread_mutex_unlock(&heap->guard->lock);
}

uint64_t jrs_heap_leaks(const jrs_heap *heap, void (*report)(void *user, const char *text), void *user) {
    uint64_t counts[SITES] = {0}, bytes[SITES] = {0}, all = 0;
    char text[JRS_HEAP_TEXT];
    for (uint32_t k = heap->blocks.last; k; k = heap->blocks.items[k].before) {
        const jrs_heap_block *block = &heap->blocks.items[k];
        if (block->state != JRS_BLOCK_LIVE) continue;
        counts[block->made]++;
        bytes[block->made] += block->bytes;
        all++;
    }
    for (uint32_t k = 0, reported = 0; k < SITES && reported < LEAKS_REPORTED; k++) {
        if (!counts[k]) continue;
        snprintf(text, sizeof text,
                 "memory leak: %" PRIu64 " allocation%s, %" PRIu64 " bytes, that %.300s allocated and did not free",
                 counts[k], counts[k] == 1 ? "" : "s", bytes[k], site_text(heap, k));
        report(user, text);
        reported++;
    }
    return all;
}
