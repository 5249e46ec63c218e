/* Algorithms: one file, one small interface, one row in a table each. */
#ifndef JR_REDUCE_ALGORITHM_H
#define JR_REDUCE_ALGORITHM_H

#include <stdbool.h>

#include "jitreduce/plan.h"
#include "program/reduction.h"
#include "program/tuning.h"

enum { JR_KERNELS_MAX = 3 };

/* One run of a plan, as its algorithm sees it. */
typedef struct jr_run {
    const void *in[JR_INPUTS_MAX];
    uint64_t count;
    void *out;
    void *workspace;
    jr_stream stream;
    uint64_t mark; /* as of jr_call */
} jr_run;

/* One kernel of an algorithm: its file in kernels_src and its entry. */
typedef struct jr_algorithm_kernel {
    const char *source, *entry;
} jr_algorithm_kernel;

typedef struct jr_algorithm_row {
    jr_algorithm algorithm;
    const char *name;                            /* "two_pass" */
    jr_algorithm_kernel kernels[JR_KERNELS_MAX]; /* one at least; a NULL source ends them */
    bool scans;                                  /* a result for every element, instead of one of all */
    int block, unroll;                           /* chosen when the spec leaves them open; 0: the usual ones */
    int grid_max;                                /* blocks at most; 0: JR_GRID_MAX */
    int vectors_in_flight; /* of 16 bytes, that a multiprocessor asks for at a time; 0: the usual number */
    const char *needs;     /* what applicable() asks for, for its error message */
    bool splits_by_size;   /* its best block and unroll factor are known by the size of the input */
    bool needs_capacity;   /* the workspace is of the size of the data */
    bool (*applicable)(const jr_spec *spec, const jr_reduction *reduction, const jr_device_info *device);
    /* Is it the one to choose for the spec's capacity, where it is applicable? NULL: yes. */
    bool (*preferred)(const jr_spec *spec, const jr_reduction *reduction);
    /* Changes the estimate's tuning to the algorithm's own; NULL: it is fine. Errors: JR_ERROR_NOT_APPLICABLE. */
    jr_status (*tune)(const jr_spec *spec, const jr_reduction *reduction, const jr_device_info *device,
                      jr_tuning *tuning);
    int (*grid)(const jr_plan *plan, uint64_t count); /* NULL: a block a tile, a wave at most (jr_plan_grid) */
    size_t (*workspace_bytes)(const jr_plan *plan);   /* for the largest grid and count of the plan; NULL: none */
    /* Bytes of partial results that a run writes to and reads from device memory; NULL: none. */
    uint64_t (*partial_bytes)(const jr_plan *plan, uint64_t count);
    int launches; /* kernels that every run launches; 0: as many as count_launches() says */
    int (*count_launches)(const jr_plan *plan, uint64_t count);
    jr_status (*run)(const jr_plan *plan, const jr_run *run); /* launches them */
    /* What lets a run be made in parts (parts.h); NULL where the algorithm cannot: folding a part into an accumulator
     * a block of its grid; folding partial_count of them, in order, into the result. */
    jr_status (*fold)(const jr_plan *plan, const jr_run *part, uint64_t first, uint64_t partials);
    jr_status (*finish)(const jr_plan *plan, const jr_run *run, uint64_t partials, uint64_t partial_count);
} jr_algorithm_row;

extern const jr_algorithm_row jr_algorithm_single_pass, jr_algorithm_two_pass, jr_algorithm_one_block,
    jr_algorithm_rows, jr_algorithm_tournament, jr_algorithm_tournament_serial, jr_algorithm_strided,
    jr_algorithm_atomic, jr_algorithm_bulk_copy;
extern const jr_algorithm_row jr_algorithm_three_pass[2]; /* by jr_scan_kind */

/* Finds the row of an algorithm, NULL when there is none. */
const jr_algorithm_row *jr_algorithm_row_find(jr_algorithm algorithm);
const jr_algorithm_row *jr_algorithm_row_find_name(const char *name);

/* Finds the row for a spec: the one it names if that is applicable, else the first applicable one.
 * in_parts: it must be able to work in parts.
 * Errors: JR_ERROR_INVALID_ARGUMENT (no such algorithm), JR_ERROR_NOT_APPLICABLE (with what it needs). */
jr_status jr_algorithm_choose(const jr_spec *spec, const jr_reduction *reduction, const jr_device_info *device,
                              bool in_parts, const jr_algorithm_row **row);

#endif
