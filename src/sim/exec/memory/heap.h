/* The heap of malloc and free in kernels: one of a context, in device memory, which all its launches share.
 *
 * Every 16 bytes of it have a byte that says how many of them may be touched, so that an access past the end of what
 * was allocated, or of what was freed, is seen without a lock. All of its memory stays mapped: where the judge lets a
 * kernel go on, it touches bytes of the heap, as on a GPU. */
#ifndef JRS_MEMORY_HEAP_H
#define JRS_MEMORY_HEAP_H

#include "sim_memory.h"

typedef struct jrs_heap jrs_heap;

enum { JRS_HEAP_TEXT = 512 };

/* A heap of so many bytes in memory of the owner's. Returns a CUresult number: 0, 2. */
int jrs_heap_create(jrs_memory *memory, jrs_owner owner, size_t bytes, jrs_heap **heap);
/* After its memory was released, and nobody runs that may touch it. NULL is fine. */
void jrs_heap_destroy(jrs_heap *heap);

/* Allocates; 0: it is full. alignment: a power of 2. who: where in which kernel, copied. */
uint64_t jrs_heap_take(jrs_heap *heap, uint64_t bytes, uint64_t alignment, const char *who);

typedef enum jrs_heap_verdict {
    JRS_HEAP_FREED,
    JRS_HEAP_TWICE,   /* it was freed already */
    JRS_HEAP_NOTHING, /* the heap gave nothing at this address, which lies in it */
    JRS_HEAP_OUTSIDE
} jrs_heap_verdict;
/* Frees what was allocated at address. */
jrs_heap_verdict jrs_heap_give(jrs_heap *heap, uint64_t address, const char *who);

/* Whether [address, address + bytes), which lies in the heap, lies in one live allocation. Any thread. */
bool jrs_heap_holds(const jrs_heap *heap, uint64_t address, uint64_t bytes);
/* What is at an address of the heap: "8 bytes past the end of 64 bytes at 0x.. that k, PTX line 9, allocated". *freed:
 * it was freed. */
void jrs_heap_explain(const jrs_heap *heap, uint64_t address, char text[JRS_HEAP_TEXT], bool *freed);

/* Tells what was never freed: a sentence for each place that allocated, a few at most. Returns how many allocations. */
uint64_t jrs_heap_leaks(const jrs_heap *heap, void (*report)(void *user, const char *text), void *user);

#endif
