/* The plan: a checked spec, its tuning, its kernel and its workspace, ready to run. */
#ifndef JR_REDUCE_PLAN_H
#define JR_REDUCE_PLAN_H

#include "abi.h"
#include "algorithm.h"
#include "device/mapped.h"
#include "jitreduce/segment.h"
#include "kernel/context.h"
#include "kernel/kernel.h"
#include "program/tuning.h"

/* A parameter's name and type: what jr_plan_parameter_set must know. */
typedef struct jr_plan_parameter {
    char name[32];
    jr_type type;
} jr_plan_parameter;

struct jr_plan {
    jr_context *context;
    jr_spec spec;            /* the reduction's, by which it is carried out */
    jr_reduction *reduction; /* shared */
    jr_call call;            /* all but the count */
    jr_plan_parameter parameters[JR_PARAMETERS_MAX];
    jr_tuning tuning;
    const jr_algorithm_row *algorithm;
    jr_segment_layout layout; /* kind 0: of a plan that reduces all to one */
    jr_kernel *kernels[JR_KERNELS_MAX];
    unsigned kernel_count;
    bool dependent;        /* its kernels wait for what is in front of them themselves, and begin early */
    int wave;              /* blocks that are resident at once and keep enough bytes in flight */
    uint64_t launch_count; /* elements that one launch folds at most; 0: no limit */
    jr_cu_deviceptr workspace;
    jr_mapped mailbox; /* where values come that the host waits for; made when the first one is asked for */
    jr_stats stats;
};

/* Makes and frees what the public jr_plan_create and jr_plan_destroy do. row: NULL to have a reduction's chosen. */
jr_status jr_plan_make(jr_context *context, const jr_spec *spec, const jr_algorithm_row *row, jr_plan **plan);
void jr_plan_free(jr_plan *plan);

/* Runs; the public jr_plan_run. */
jr_status jr_plan_start(const jr_plan *plan, const jr_run *run);

/* Runs it and waits for its values; its out and mark are not looked at. The public jr_plan_value. */
jr_status jr_plan_start_and_wait(jr_plan *plan, const jr_run *asked, jr_value *values);

/* Runs it some rounds on the run's stream and keeps the shortest; the public jr_plan_time. */
jr_status jr_plan_measure(const jr_plan *plan, const jr_run *run, int rounds, jr_run_cost *cost);

/* The grid for a count: the spec's, else the algorithm's, else one wave or as many blocks as there are tiles; at least
 * 1. */
int jr_plan_grid(const jr_plan *plan, uint64_t count);

/* How many kernels a run of count elements launches. */
int jr_plan_launches(const jr_plan *plan, uint64_t count);

/* Bytes of the plan's workspace. */
size_t jr_plan_workspace(const jr_plan *plan);

/* Dynamic shared memory of a block: an accumulator a thread, or none. */
unsigned jr_plan_shared_bytes(const jr_plan *plan);

/* What a run of count elements gives its kernels; and what it gives the one that writes the result. */
jr_call jr_plan_call(const jr_plan *plan, uint64_t count);
jr_call jr_plan_last_call(const jr_plan *plan, const jr_run *run);

/* Launches reduce_finish.cu, which must be the plan's kernel 1: folds partial results, in their order, into the result.
 * partials: their address. */
jr_status jr_plan_finish(const jr_plan *plan, const jr_run *run, uint64_t partials, uint64_t partial_count);

/* Launches one of the plan's kernels with the plan's block, and room for an accumulator a thread when shared memory is
 * dynamic; for algorithms. args: of the kernel. */
jr_status jr_plan_step(const jr_plan *plan, int kernel, int grid, jr_stream stream, void **args);

/* A run that is one launch of the plan's first kernel with (input, out, workspace, call), a block a tile; for
 * algorithms. */
jr_status jr_plan_run_once(const jr_plan *plan, const jr_run *run);

/* Copies the value of a parameter into a call's slot. */
jr_status jr_plan_parameter_write(jr_plan *plan, const char *name, const jr_value *value);

#endif
