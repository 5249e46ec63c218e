/* Ranges of global memory as a worker has seen them lately, and which of their pages are new to it. */
#ifndef JRS_EXEC_RANGES_H
#define JRS_EXEC_RANGES_H

#include "machine.h"

/* A range that holds all of [address, address + bytes) and may be used so, or NULL (no report). Touching a page for the
 * first time counts as progress. */
const jrs_range *jrs_ranges_find(jrs_worker *worker, uint64_t address, uint64_t bytes, bool write);

/* Forgets ranges when memory has been allocated or freed since. */
void jrs_ranges_refresh(jrs_worker *worker);

/* So large that the memory in use has no more pages than a worker can tell apart. */
unsigned jrs_ranges_page_shift(const jrs_memory *memory);

#endif
