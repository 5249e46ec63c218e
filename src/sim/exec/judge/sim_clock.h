/* Vector clocks: what the warps of a cluster have seen of each other. */
#ifndef JRS_JUDGE_CLOCK_H
#define JRS_JUDGE_CLOCK_H

#include "sim/exec/shared.h"

void jrs_clock_join(uint32_t *into, const uint32_t *from, uint32_t count); /* into has seen what from has, too */
void jrs_clock_tick(jrs_warp *warp);
void jrs_clock_fence(jrs_warp *warp); /* relaxed operations may release accesses that precede it */
/* An atomic or strong access, which has been judged: acquires and releases. */
void jrs_clock_sync(jrs_warp *warp, const jrs_instruction *instruction, uint64_t address);

#endif
