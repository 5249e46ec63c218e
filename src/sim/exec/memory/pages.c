/* Pages: chunks and mappings that memory blocks are made of. Callers hold the memory's lock. */
#include "pages.h"

#include <stdlib.h>
#include <sys/mman.h>

enum { PAGE = 4096, HUGE_PAGE = 2 << 20 };

static uint64_t round_up(uint64_t value, uint64_t unit) {
    return (value + unit - 1) / unit * unit;
}

static void *at(uint64_t address) {
    return (void *)(uintptr_t)address;
}

/* Reserves addresses without pages. 0 when the system refuses. */
static uint64_t reserve(size_t bytes) {
    void *map = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return map == MAP_FAILED ? 0 : (uint64_t)(uintptr_t)map;
}

static bool open_pages(uint64_t begin, size_t bytes) {
    return mprotect(at(begin), bytes, PROT_READ | PROT_WRITE) == 0;
}

static jrs_chunk *chunk_create(void) {
    jrs_chunk *chunk = calloc(1, sizeof *chunk);
    if (!chunk) return NULL;
    chunk->begin = reserve(JRS_CHUNK_BYTES);
    if (chunk->begin && open_pages(chunk->begin, JRS_CHUNK_BYTES)) return chunk;
    if (chunk->begin) munmap(at(chunk->begin), JRS_CHUNK_BYTES);
    free(chunk);
    return NULL;
}

static void chunk_destroy(jrs_chunk *chunk) {
    munmap(at(chunk->begin), JRS_CHUNK_BYTES);
    free(chunk);
}

size_t jrs_pages_gap(size_t bytes) {
    return bytes < JRS_GAP_MIN ? JRS_GAP_MIN : bytes < JRS_GAP_MAX ? bytes : JRS_GAP_MAX;
}

bool jrs_pages_cut(jrs_chunk **open, size_t bytes, size_t alignment, jrs_pages *pages) {
    jrs_chunk *chunk = *open;
    const size_t gap = jrs_pages_gap(bytes);
    size_t offset = 0;
    if (chunk) {
        const size_t before = chunk->gap < gap ? gap - chunk->gap : 0;
        offset = round_up(chunk->begin + chunk->used + before, alignment) - chunk->begin;
    }
    if (!chunk || offset + bytes + gap > JRS_CHUNK_BYTES) {
        jrs_chunk *fresh = chunk_create();
        if (!fresh) return false;
        jrs_pages_close(chunk);
        *open = chunk = fresh;
        offset = round_up(chunk->begin + gap, alignment) - chunk->begin;
    }
    chunk->used = offset + bytes + gap; /* the gap after it */
    chunk->gap = gap;
    chunk->blocks++;
    *pages = (jrs_pages){.begin = chunk->begin + offset, .chunk = chunk};
    return true;
}

bool jrs_pages_map(size_t bytes, jrs_pages *pages) {
    size_t unit = bytes >= HUGE_PAGE ? HUGE_PAGE : PAGE;
    if (bytes > SIZE_MAX / 4) return false;
    size_t body = round_up(bytes, PAGE), gap = round_up(jrs_pages_gap(bytes), PAGE), total = body + unit + 2 * gap;
    uint64_t map = reserve(total);
    if (!map) return false;
    uint64_t begin = round_up(map + gap, unit);
    if (!open_pages(begin, body)) {
        munmap(at(map), total);
        return false;
    }
    if (unit == HUGE_PAGE) madvise(at(begin), body, MADV_HUGEPAGE); /* a wish: failing costs only speed */
    *pages = (jrs_pages){.begin = begin, .map = map, .map_bytes = total};
    return true;
}

void jrs_pages_empty(const jrs_pages *pages) {
    if (!pages->map) return;
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED;
    void *again = mmap(at(pages->map), pages->map_bytes, PROT_NONE, flags, -1, 0);
    (void)again; /* on failure the old pages stay: more memory held, nothing wrong */
}

void jrs_pages_close(jrs_chunk *open) {
    if (open && open->blocks == 0) chunk_destroy(open);
}

void jrs_pages_return(jrs_pages *pages, const jrs_chunk *open) {
    if (pages->map) munmap(at(pages->map), pages->map_bytes);
    jrs_chunk *chunk = pages->chunk;
    if (chunk && --chunk->blocks == 0 && chunk != open) chunk_destroy(chunk);
    *pages = (jrs_pages){0};
}
