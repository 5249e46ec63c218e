/* Memory that is given back all at once: everything a module owns. */
#ifndef JRS_PTX_ARENA_H
#define JRS_PTX_ARENA_H

#include <stddef.h>

typedef struct jrs_arena {
    struct jrs_arena_chunk *chunks;
} jrs_arena;

/* Zeroed bytes, aligned to 64 (fewer than 64: to 16); NULL when out of memory. */
void *jrs_arena_take(jrs_arena *arena, size_t bytes);
void jrs_arena_free(jrs_arena *arena);

#endif
