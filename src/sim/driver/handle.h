/* Handles: the numbers that callers get for the driver's objects. A stale or invented handle is reported as an error
 * and never dereferenced.
 *
 * A handle packs a mark, the object's kind, a generation and a slot. Slots are used again, generations are not, so the
 * handle of a destroyed object finds nothing. The caller holds the driver's lock. */
#ifndef JRS_DRIVER_HANDLE_H
#define JRS_DRIVER_HANDLE_H

#include <stddef.h>
#include <stdint.h>

typedef enum jrs_handle_kind {
    JRS_HANDLE_NONE,
    JRS_HANDLE_CONTEXT,
    JRS_HANDLE_MODULE,
    JRS_HANDLE_FUNCTION,
    JRS_HANDLE_STREAM,
    JRS_HANDLE_EVENT,
    JRS_HANDLE_GRAPH,
    JRS_HANDLE_GRAPH_EXEC,
    JRS_HANDLE_COUNT
} jrs_handle_kind;

typedef struct jrs_handle_slot {
    void *object; /* NULL: free */
    jrs_handle_kind kind;
    uint32_t generation;
    size_t next_free; /* index + 1 of another free slot; 0: none */
} jrs_handle_slot;

typedef struct jrs_handles {
    jrs_handle_slot *slots;
    size_t count, capacity;
    size_t free; /* index + 1 of the first free slot; 0: none */
    size_t live[JRS_HANDLE_COUNT];
} jrs_handles;

/* 0 when out of memory. */
uintptr_t jrs_handle_add(jrs_handles *handles, jrs_handle_kind kind, void *object);
/* NULL when the handle is not of a live object of this kind. */
void *jrs_handle_find(const jrs_handles *handles, jrs_handle_kind kind, uintptr_t handle);
/* Both: handle is a live one. Replacing keeps the number. */
void jrs_handle_replace(jrs_handles *handles, uintptr_t handle, void *object);
void jrs_handle_remove(jrs_handles *handles, uintptr_t handle);

#endif
