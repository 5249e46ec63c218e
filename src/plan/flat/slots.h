/* Slots: where all blocks but the first leave what they folded, each word with a mark that it is there. */
#ifndef JR_FLAT_SLOTS_H
#define JR_FLAT_SLOTS_H

#include "plan/plan.h"

/* A workspace of slots, and what a run writes to, reads from and clears of it. */
size_t jr_slots_workspace(const jr_plan *plan);
uint64_t jr_slots_moved(const jr_plan *plan, uint64_t count);

#endif
