/* Ranges of global memory that a worker has used lately: a cache of jrs_memory_find. */
#ifndef JRS_JUDGE_RANGES_H
#define JRS_JUDGE_RANGES_H

#include "sim/exec/sim_machine.h"

/* Whether one range holds all of [address, address + bytes) and may be used so (no report). Touching a page for the
 * first time counts as progress. */
bool jrs_ranges_find(jrs_worker *worker, uint64_t address, uint64_t bytes, bool write);
/* The same, but bytes of a heap that nobody allocated are bytes, too. */
bool jrs_ranges_reach(jrs_worker *worker, uint64_t address, uint64_t bytes, bool write);
/* The same for a place that is known to be right: only its page counts. */
void jrs_ranges_touch(jrs_worker *worker, uint64_t address);
void jrs_ranges_refresh(jrs_worker *worker); /* forgets ranges when memory has been allocated or freed since */
/* The page size (as a shift) at which the memory in use has no more pages than a worker can number. */
unsigned jrs_ranges_page_shift(const jrs_memory *memory);

#endif
