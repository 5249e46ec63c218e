/* Pages: where the bytes of memory blocks come from: shared chunks for small ones, mappings of their own for large
 * ones. */
#ifndef JRS_MEMORY_PAGES_H
#define JRS_MEMORY_PAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    JRS_MEMORY_ALIGNMENT = 256,
    JRS_SMALL_BYTES = 64 << 10, /* blocks up to this size share chunks */
    JRS_CHUNK_BYTES = 2 << 20,
    JRS_GAP_MIN = 16 << 10, /* between blocks: as many bytes as the block has, within these limits */
    JRS_GAP_MAX = 1 << 30
};

/* A stretch of address space that small blocks are cut from, one after the other; never reused before all are gone. */
typedef struct jrs_chunk {
    uint64_t begin;
    size_t used;   /* with the gap after the last block */
    size_t gap;    /* that one */
    size_t blocks; /* cut from it and not given back */
} jrs_chunk;

/* Where a block's bytes lie. */
typedef struct jrs_pages {
    uint64_t begin; /* of the block */
    uint64_t map;   /* of the mapping with its gaps; 0: part of a chunk, or nobody's */
    size_t map_bytes;
    jrs_chunk *chunk;
} jrs_pages;

/* Addresses between a block of so many bytes and its neighbours: an index that leaves an array by up to its own length
 * hits none of them. */
size_t jrs_pages_gap(size_t bytes);

/* Finds room in *open, the chunk in use, or opens a new one. False when the host has no memory. */
bool jrs_pages_cut(jrs_chunk **open, size_t bytes, size_t alignment, jrs_pages *pages);
/* A mapping of its own with a gap of addresses without pages on both sides; huge pages when it is large. False as
 * above. */
bool jrs_pages_map(size_t bytes, jrs_pages *pages);
/* Gives the pages of a mapping back but keeps its addresses, so that nothing else gets them. Chunks keep theirs. */
void jrs_pages_empty(const jrs_pages *pages);
/* Gives the addresses back too; a chunk goes with its last block, unless it is the open one. */
void jrs_pages_return(jrs_pages *pages, const jrs_chunk *open);
/* Lets the open chunk go when nothing is cut from it; may be NULL. */
void jrs_pages_close(jrs_chunk *open);

#endif
