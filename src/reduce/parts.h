/* Parts: a run made of several launches, each of which folds a part of the input, and one that finishes. */
#ifndef JR_REDUCE_PARTS_H
#define JR_REDUCE_PARTS_H

#include "plan.h"

/* A run in the making. Its accumulators lie one behind the other in the order of the parts. */
typedef struct jr_parts {
    const jr_plan *plan;
    uint64_t address; /* of the accumulators: room for jr_parts_bytes of every part */
    uint64_t count;   /* accumulators so far */
    int launches;
} jr_parts;

/* Bytes of accumulators that a part of count elements leaves. The plan's algorithm must be able to work in parts. */
uint64_t jr_parts_bytes(const jr_plan *plan, uint64_t count);

/* How many launches fold a part of count elements: 1, or more where the plan limits a launch. */
uint64_t jr_parts_launches(const jr_plan *plan, uint64_t count);

/* Folds a part whose first element has index `first`, on the part's stream. */
jr_status jr_parts_fold(jr_parts *parts, const jr_run *part, uint64_t first);

/* Folds the accumulators of all parts into the result of run->count elements. All parts must be done when run->stream
 * gets there. */
jr_status jr_parts_finish(jr_parts *parts, const jr_run *run);

/* A whole run with the accumulators in its workspace. */
jr_status jr_parts_run(const jr_plan *plan, const jr_run *run);

/* Of algorithms whose run is always one launch that leaves partial results and one that finishes: their workspace, and
 * what is written to and read from it. */
size_t jr_parts_workspace(const jr_plan *plan);
uint64_t jr_parts_moved(const jr_plan *plan, uint64_t count);

#endif
