/* The plan: a reduction and a choice with their kernels and workspace, ready to run. What all plans have is the core;
 * what differs is done by the plan's kind. */
#ifndef JR_PLAN_PLAN_H
#define JR_PLAN_PLAN_H

#include "abi.h"
#include "algorithm.h"
#include "device/memory.h"
#include "kernel/context.h"
#include "kernel/kernel.h"
#include "view.h"

/* What plans of one kind take, and refuse. */
typedef struct jr_plan_kind {
    const char *each; /* what a run writes a result for: "element", "segment"; NULL: one for all */
    bool by_elements; /* a run of segments has a count of elements, and where the segments begin in them */
    bool counts;      /* a run of no elements is launched, too: it leaves a count of 0 */
    /* Refuses a run before anything is launched. Errors: JR_ERROR_INVALID_ARGUMENT, JR_ERROR_EMPTY_INPUT. */
    jr_status (*check)(const jr_plan *plan, const jr_run *run);
    /* Makes what plans of the kind keep on the device besides the workspace, before that is sized; the context is
     * current. NULL: nothing. */
    jr_status (*prepare)(const jr_job *job, jr_plan *plan);
} jr_plan_kind;

extern const jr_plan_kind jr_plan_flat, jr_plan_segments, jr_plan_runs, jr_plan_scan, jr_plan_merge,
    jr_plan_merge_segments, jr_plan_apply, jr_plan_many; /* runs: by keys */

/* How much a plan of many arrays has. */
typedef struct jr_plan_arrays {
    uint64_t elements;
    uint32_t count, slices;
} jr_plan_arrays;

struct jr_plan {
    jr_context *context;
    const jr_plan_kind *kind;
    jr_plan *first;          /* of a first step, whose accumulators this plan's kernels go on with; NULL: none */
    jr_reduction *reduction; /* shared */
    jr_choice choice;
    uint64_t capacity;        /* the largest count of a run, where that matters; 0: not known */
    jr_segment_layout layout; /* the job's */
    jr_view view;             /* the job's */
    uint64_t segments;        /* how many, where they are an axis'; 0: each run says it */
    bool has_heads;           /* jr_job_heads has some */
    jr_call call;             /* all but the count */
    jr_kernel *kernels[JR_KERNELS_MAX];
    unsigned kernel_count;
    bool dependent;        /* its kernels begin early, and wait for preceding work themselves */
    int wave;              /* blocks that are resident at once and keep enough bytes in flight */
    jr_cu_deviceptr table; /* of many arrays: their slices, then the arrays (kernels_src/abi_segments.h) */
    jr_plan_arrays arrays; /* how many these are */
    jr_cu_deviceptr workspace;
    jr_mapped mailbox; /* where values come that the host waits for; made when the first one is asked for */
    jr_stats stats;
};

/* Frees a plan; the public jr_plan_destroy. */
void jr_plan_free(jr_plan *plan);

/* Runs a plan with a run that its kind takes: with segments or without; the public jr_plan_run and
 * jr_segment_plan_run. */
jr_status jr_plan_start(const jr_plan *plan, const jr_run *run);

/* Runs it and waits for its values; its out and mark are not looked at. The public jr_plan_value. A plan of runs by
 * keys: its only value is their number, as u64, and its out is written when the stream reaches the end of the run. */
jr_status jr_plan_start_and_wait(jr_plan *plan, const jr_run *asked, jr_value *values);

/* The same in two steps, so that several devices may work at a time. place: where the results, or the state, then lie
 * in host memory, until the next run. Each run that was started is waited for. */
jr_status jr_plan_start_watched(jr_plan *plan, const jr_run *asked);
jr_status jr_plan_wait_watched(const jr_plan *plan, jr_stream stream, const unsigned char **place);

/* For plans whose devices exchange states (to_all): the mark that the device with the result sets after the result (0:
 * it sets no mark); whether the results of a started plan have arrived, polled for a while; and the results. */
jr_status jr_plan_find_mark(jr_plan *plan, jr_cu_deviceptr *mark);
bool jr_plan_is_ready(const jr_plan *plan);
jr_status jr_plan_read_watched(const jr_plan *plan, jr_value *values);

/* Runs it some rounds on the run's stream and keeps the shortest; the public jr_plan_time. */
jr_status jr_plan_measure(const jr_plan *plan, const jr_run *run, int rounds, jr_run_cost *cost);

/* The grid for a count: the spec's, else the algorithm's, else one wave or as many blocks as there are tiles; at least
 * 1. */
int jr_plan_grid(const jr_plan *plan, uint64_t count);

/* How many kernels a run of count elements launches; and as a row's, of those that launch two. */
int jr_plan_launches(const jr_plan *plan, uint64_t count);
int jr_plan_two_launches(const jr_plan *plan, uint64_t count);

/* Bytes of the plan's workspace. */
size_t jr_plan_workspace(const jr_plan *plan);

/* Check an input array, all of them (count elements each), the results and the workspace: not NULL, within the address
 * space, aligned. The third function is for segments and scans, where with offsets no input may be NULL. Errors:
 * JR_ERROR_INVALID_ARGUMENT. */
jr_status jr_plan_check_input(const jr_plan *plan, int input, jr_cu_deviceptr in, uint64_t count);
jr_status jr_plan_check_inputs(const jr_plan *plan, const jr_run *run, uint64_t count);
jr_status jr_plan_check_segmented(const jr_plan *plan, const jr_run *run, uint64_t count);
jr_status jr_plan_check_places(const jr_plan *plan, const jr_run *run);
jr_status jr_plan_check_workspace(const jr_run *run); /* of a run that writes no results */

/* Checks that the results of a scan do not overlap its inputs, or overwrite exactly one with the same element size.
 * Errors: JR_ERROR_INVALID_ARGUMENT. */
jr_status jr_scan_check_places(const jr_reduction *reduction, const jr_run *run);

/* Has all runs of the plan write whole places: with the count of kept elements where the reduction counts them. */
void jr_plan_count_kept(jr_plan *plan);

/* As jr_job_heads. */
const jr_segment_layout *jr_plan_heads(const jr_plan *plan);

/* What a run reads or writes, as messages name it ("results"); at 0: nothing. */
typedef struct jr_run_range {
    const char *name;
    jr_cu_deviceptr at;
    uint64_t bytes;
} jr_run_range;

/* Refuses what is written where others read or write. Errors: JR_ERROR_INVALID_ARGUMENT. */
jr_status jr_plan_check_apart(const jr_run_range *written, const jr_run_range *other);

/* What a run reads of an input of so many elements: with strides also what lies between those of the view. */
jr_run_range jr_plan_input_range(const jr_plan *plan, const jr_run *run, int input, uint64_t elements);

/* Says of a run of a scan of segments, or of one by keys, where they lie on the device and how many elements there are.
 * Errors: JR_ERROR_INVALID_ARGUMENT. */
jr_status jr_scan_segments_set(const jr_segment_layout *layout, const jr_work_data *data, jr_run *run);

/* Bytes from one segment's results to the next one's. */
size_t jr_plan_result_stride(const jr_plan *plan);

/* What a run, or a part of one, gives its kernels. */
jr_call jr_plan_call(const jr_plan *plan, const jr_run *run);

/* Launches reduce/finish.cu, which must be the plan's kernel 1: folds partial results, in their order, into the result.
 * partials: their address. */
jr_status jr_plan_finish(const jr_plan *plan, const jr_run *run, uint64_t partials, uint64_t partial_count);

/* Launches one of the plan's kernels with the plan's block and dynamic shared memory; for algorithms. args: of the
 * kernel. */
jr_status jr_plan_step(const jr_plan *plan, int kernel, int grid, jr_stream stream, void **args);

/* For algorithms: a run that is one launch of the plan's first kernel with (input, out, workspace, call) and one block
 * per tile. */
jr_status jr_plan_run_once(const jr_plan *plan, const jr_run *run);

/* A fold that is one launch of the plan's first kernel with (input, the row's deal if it has one, partials, call). */
jr_status jr_plan_fold_once(const jr_plan *plan, const jr_run *part, uint64_t partials);

/* Copies the value of a parameter into a call's slot. */
jr_status jr_plan_parameter_write(jr_plan *plan, const char *name, const jr_value *value);

#endif
