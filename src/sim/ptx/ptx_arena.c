/* Memory that is given back all at once: chunks from which zeroed, 64-byte aligned pieces are cut. */
#include "ptx_arena.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { ALIGNMENT = 64, SMALL_ALIGNMENT = 16, CHUNK_BYTES = 1 << 16 };

struct jrs_arena_chunk {
    struct jrs_arena_chunk *next;
    size_t used, capacity;
    uint8_t *bytes;
};

static size_t round_up(size_t bytes, size_t alignment) {
    return (bytes + alignment - 1) / alignment * alignment;
}

static struct jrs_arena_chunk *add_chunk(jrs_arena *arena, size_t bytes) {
    size_t capacity = bytes > CHUNK_BYTES ? bytes : CHUNK_BYTES;
    struct jrs_arena_chunk *chunk = malloc(sizeof *chunk);
    if (!chunk) return NULL;
    chunk->bytes = aligned_alloc(ALIGNMENT, capacity);
    if (!chunk->bytes) {
        free(chunk);
        return NULL;
    }
    chunk->next = arena->chunks;
    chunk->used = 0;
    chunk->capacity = capacity;
    arena->chunks = chunk;
    return chunk;
}

void *jrs_arena_take(jrs_arena *arena, size_t bytes) {
    size_t alignment = bytes < ALIGNMENT ? SMALL_ALIGNMENT : ALIGNMENT;
    size_t rounded = round_up(bytes, alignment);
    struct jrs_arena_chunk *chunk = arena->chunks;
    if (rounded < bytes) return NULL;
    if (chunk) chunk->used = round_up(chunk->used, alignment);
    if (!chunk || chunk->capacity - chunk->used < rounded) chunk = add_chunk(arena, round_up(rounded, ALIGNMENT));
    if (!chunk) return NULL;
    void *piece = chunk->bytes + chunk->used;
    chunk->used += rounded;
    return memset(piece, 0, rounded);
}

void jrs_arena_free(jrs_arena *arena) {
    while (arena->chunks) {
        struct jrs_arena_chunk *chunk = arena->chunks;
        arena->chunks = chunk->next;
        free(chunk->bytes);
        free(chunk);
    }
}
