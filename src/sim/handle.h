/* Handles: the numbers that the driver gives out for its objects; a stale or made-up one is told, never followed.
 *
 * A handle packs a mark, the object's kind, a generation and a slot. Slots are used again, generations are not, so a
 * destroyed object's handle finds nothing. Callers hold the driver's lock. */
#ifndef JRS_HANDLE_H
#define JRS_HANDLE_H

#include <stddef.h>
#include <stdint.h>

typedef enum jrs_kind {
    JRS_KIND_NONE,
    JRS_KIND_CONTEXT,
    JRS_KIND_MODULE,
    JRS_KIND_FUNCTION,
    JRS_KIND_STREAM,
    JRS_KIND_EVENT,
    JRS_KIND_GRAPH,
    JRS_KIND_GRAPH_EXEC,
    JRS_KIND_COUNT
} jrs_kind;

typedef struct jrs_slot {
    void *object; /* NULL: free */
    jrs_kind kind;
    uint32_t generation;
    size_t next_free; /* index + 1 of another free slot; 0: none */
} jrs_slot;

typedef struct jrs_handles {
    jrs_slot *slots;
    size_t count, capacity;
    size_t free; /* index + 1 of the first free slot; 0: none */
    size_t live[JRS_KIND_COUNT];
} jrs_handles;

/* 0 when out of memory. */
uintptr_t jrs_handle_add(jrs_handles *handles, jrs_kind kind, void *object);
/* NULL when the handle is not of a live object of this kind. */
void *jrs_handle_find(const jrs_handles *handles, jrs_kind kind, uintptr_t handle);
/* Both: handle is a live one. Replacing keeps the number. */
void jrs_handle_replace(jrs_handles *handles, uintptr_t handle, void *object);
void jrs_handle_remove(jrs_handles *handles, uintptr_t handle);

#endif
