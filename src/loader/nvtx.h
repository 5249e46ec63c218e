/* NVTX: ranges by which profilers (nsys, ncu) name what the library does, in the domain "jitreduce". They cost a test
 * of one flag where no profiler is there. Source: NVTX's protocol of injection, version 3: the profiler's library,
 * named by NVTX_INJECTION64_PATH, asks for tables of functions and fills them in. */
#ifndef JR_LOADER_NVTX_H
#define JR_LOADER_NVTX_H

#include <stdatomic.h>
#include <stdbool.h>

/* Looks for a profiler, once a process. Threads: any. */
void jr_nvtx_open(void);

extern atomic_bool jr_nvtx_is_open;

/* Begins a range of this thread, named "what name", where a profiler is there, and ends it.
 * Returns: whether a range was begun, which the end must know: a profiler may come between. */
bool jr_nvtx_push(const char *what, const char *name);
void jr_nvtx_pop(void);

/* Is a profiler there? */
static inline bool jr_nvtx_listens(void) {
    return atomic_load_explicit(&jr_nvtx_is_open, memory_order_relaxed);
}

#endif
