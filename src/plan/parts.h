/* Parts: a run made of several launches, each of which folds a part of the input, and one that finishes. */
#ifndef JR_PLAN_PARTS_H
#define JR_PLAN_PARTS_H

#include "plan.h"

/* A run that is being enqueued. Its accumulators are consecutive, in the order of the parts. */
typedef struct jr_parts {
    const jr_plan *plan;
    uint64_t address; /* of the accumulators: room for one a block of every launch */
    uint64_t count;   /* accumulators so far */
    uint64_t
        chunk; /* of a fixed tree: elements of a chunk, the same in all parts, which begin at multiples of it; else 0 */
    int launches;
} jr_parts;

/* How many launches fold a part of count elements: 1, or more where the plan limits a launch. */
uint64_t jr_parts_launches(const jr_plan *plan, uint64_t count);

/* Folds a part, on its stream. */
jr_status jr_parts_fold(jr_parts *parts, const jr_run *part);

/* Folds the accumulators of all parts into the result of run->count elements. All parts must be complete once
 * run->stream reaches this. */
jr_status jr_parts_finish(jr_parts *parts, const jr_run *run);

/* A whole run with the accumulators in its workspace. */
jr_status jr_parts_run(const jr_plan *plan, const jr_run *run);

/* For algorithms that run in parts: their workspace, how many kernels a run launches, and how many bytes a run in one
 * part writes to and reads from the workspace. */
size_t jr_parts_workspace(const jr_plan *plan);
int jr_parts_count_launches(const jr_plan *plan, uint64_t count);
uint64_t jr_parts_moved(const jr_plan *plan, uint64_t count);

/* The members of an algorithm's row by which it runs in parts and keeps one accumulator a block. */
#define JR_RUNS_IN_PARTS                                                                                               \
    .workspace_bytes = jr_parts_workspace, .partial_bytes = jr_parts_moved, .launches = jr_parts_count_launches,       \
    .run = jr_parts_run

#endif
