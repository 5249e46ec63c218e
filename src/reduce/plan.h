/* The plan: a checked spec, its tuning, its kernel and its workspace, ready to run. */
#ifndef JR_REDUCE_PLAN_H
#define JR_REDUCE_PLAN_H

#include "algorithm.h"
#include "kernel/context.h"
#include "kernel/kernel.h"
#include "program/tuning.h"

struct jr_plan {
    jr_context *context;
    jr_spec spec;     /* .initial points to `initial` below, or is NULL */
    jr_value initial; /* also what kernels without one are passed: unread */
    jr_type accumulator;
    size_t element_bytes, accumulator_bytes;
    jr_tuning tuning;
    const jr_algorithm_row *algorithm;
    jr_kernel *kernel;
    int wave; /* blocks that are resident at once and keep enough bytes in flight */
    jr_cu_deviceptr workspace;
    jr_stats stats;
};

/* Makes and frees what the public jr_plan_create and jr_plan_destroy do. */
jr_status jr_plan_make(jr_context *context, const jr_spec *spec, jr_plan **plan);
void jr_plan_free(jr_plan *plan);

/* Runs; the public jr_plan_run. */
jr_status jr_plan_start(const jr_plan *plan, const jr_run *run);

/* The grid for a count: the spec's, else one wave, else as many blocks as there are tiles; at least 1. */
int jr_plan_grid(const jr_plan *plan, uint64_t count);

/* Launches the plan's kernel once; for algorithms. args: of the kernel, at most a handful. */
jr_status jr_plan_step(const jr_plan *plan, int grid, jr_stream stream, void **args);

#endif
