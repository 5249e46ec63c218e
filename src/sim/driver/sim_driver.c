/* The driver: its one state, and what it knows of each thread. */
#include "sim_driver.h"

#include <stdlib.h>
#include <unistd.h>

/* ---- handles ---- */

/* mark (4 bits), kind (4), generation (28), slot (24), four zero bits, so that it looks like no address */
enum { MARK = 5, SLOT_BITS = 24, GENERATION_BITS = 28 };

static uintptr_t pack(jrs_handle_kind kind, uint32_t generation, size_t slot) {
    return (uintptr_t)MARK << 60 | (uintptr_t)kind << 56 | (uintptr_t)generation << 28 | (uintptr_t)slot << 4;
}

static size_t slot_of(uintptr_t handle) {
    return handle >> 4 & ((1U << SLOT_BITS) - 1);
}

static jrs_handle_slot *free_slot(jrs_handles *handles) {
    if (handles->free) {
        jrs_handle_slot *slot = &handles->slots[handles->free - 1];
        handles->free = slot->next_free;
        return slot;
    }
    if (handles->count == handles->capacity) {
        size_t capacity = handles->capacity ? handles->capacity * 2 : 64;
        jrs_handle_slot *slots = capacity <= 1U << SLOT_BITS ? realloc(handles->slots, capacity * sizeof *slots) : NULL;
        if (!slots) return NULL;
        handles->slots = slots;
        handles->capacity = capacity;
    }
    jrs_handle_slot *slot = &handles->slots[handles->count++];
    *slot = (jrs_handle_slot){0};
    return slot;
}

uintptr_t jrs_handle_add(jrs_handles *handles, jrs_handle_kind kind, void *object) {
    jrs_handle_slot *slot = free_slot(handles);
    if (!slot) return 0;
    slot->object = object;
    slot->kind = kind;
    slot->generation = (slot->generation + 1) & ((1U << GENERATION_BITS) - 1);
    handles->live[kind]++;
    return pack(kind, slot->generation, (size_t)(slot - handles->slots));
}

void *jrs_handle_find(const jrs_handles *handles, jrs_handle_kind kind, uintptr_t handle) {
    size_t index = slot_of(handle);
    if (index >= handles->count) return NULL;
    const jrs_handle_slot *slot = &handles->slots[index];
    if (!slot->object || slot->kind != kind || handle != pack(kind, slot->generation, index)) return NULL;
    return slot->object;
}

void jrs_handle_replace(jrs_handles *handles, uintptr_t handle, void *object) {
    handles->slots[slot_of(handle)].object = object;
}

void jrs_handle_remove(jrs_handles *handles, uintptr_t handle) {
    size_t index = slot_of(handle);
    jrs_handle_slot *slot = &handles->slots[index];
    slot->object = NULL;
    slot->next_free = handles->free;
    handles->free = index + 1;
    handles->live[slot->kind]--;
}

/* ---- the driver ---- */

/* The driver API has no handle for the driver itself, so its state is the process's: the one exception to the rule that
 * files have none. */
static jrs_driver the_driver = {
    .lock = PTHREAD_MUTEX_INITIALIZER, .log.lock = PTHREAD_MUTEX_INITIALIZER, .rounds.lock = PTHREAD_MUTEX_INITIALIZER};
static _Thread_local jrs_thread the_thread;
static _Atomic uint64_t thread_count;

jrs_driver *jrs_driver_get(void) {
    return &the_driver;
}

jrs_thread *jrs_thread_self(void) {
    if (!the_thread.id) the_thread.id = atomic_fetch_add(&thread_count, 1) + 1;
    return &the_thread;
}

/* Ends the workers with the process. The memory stays: other threads may still be inside a call. */
__attribute__((destructor)) static void close_driver(void) {
    int state = atomic_exchange(&the_driver.state, JRS_DRIVER_CLOSING);
    if (state != JRS_DRIVER_READY || the_driver.process != getpid()) return;
    for (unsigned k = 0; k < the_driver.options.devices; k++) jrs_queue_stop(the_driver.devices[k].queue);
    for (unsigned k = 0; k < the_driver.options.devices; k++) jrs_queue_join(the_driver.devices[k].queue);
}
