/* The names of version 0.2, which stay for one version: thin forms of the functions of work.h, whose comments say what
 * they do. New programs do not need them.
 * Manual: work.md. */
#ifndef JITREDUCE_COMPAT_H
#define JITREDUCE_COMPAT_H

#include "stream.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct jr_spec jr_spec;
typedef struct jr_plan jr_plan;
typedef struct jr_segment_layout jr_segment_layout;
typedef struct jr_axis jr_axis;
typedef struct jr_group jr_group;
typedef struct jr_group_plan jr_group_plan;
typedef struct jr_group_parts jr_group_parts;
typedef struct jr_allreduce jr_allreduce;
typedef struct jr_allreduce_options jr_allreduce_options;
typedef struct jr_pack jr_pack;
typedef struct jr_tune_options jr_tune_options;
typedef struct jr_tuned jr_tuned;

/* Which elements the result of element k covers: JR_WORK_SCAN_INCLUSIVE, JR_WORK_SCAN_EXCLUSIVE. */
typedef enum jr_scan_kind {
    JR_SCAN_INCLUSIVE = 0, /* all elements up to and including k */
    JR_SCAN_EXCLUSIVE = 1  /* all elements before k */
} jr_scan_kind;

/* What a merge of states writes: JR_WORK_MERGE, JR_WORK_MERGE_STATES. */
typedef enum jr_merge_kind {
    JR_MERGE_TO_RESULT = 0, /* the results */
    JR_MERGE_TO_STATE = 1   /* a state, to be merged with others later */
} jr_merge_kind;

/* The segments of one run: members of jr_work_data. */
typedef struct jr_segments {
    size_t size;                     /* sizeof(jr_segments) */
    uint64_t count;                  /* segments; jr_work_data.segments */
    const uint64_t *offsets;         /* jr_work_data.offsets */
    const void *keys;                /* jr_work_data.keys. Since: 0.2 */
    uint64_t elements;               /* of the input; jr_work_data.count. Since: 0.2 */
    const jr_segment_layout *layout; /* of the scans of host memory; jr_work.layout. Since: 0.2 */
    void *run_keys;                  /* jr_work_data.run_keys. Since: 0.2 */
    uint64_t *run_count;             /* jr_work_data.run_count. Since: 0.2 */
} jr_segments;

/* A part of the input: members of jr_work_data. */
typedef struct jr_part {
    size_t size;             /* sizeof(jr_part) */
    const void *const *d_in; /* jr_work_data.in */
    uint64_t count;          /* jr_work_data.count */
    uint64_t first;          /* jr_work_data.first */
} jr_part;

/* The states of one merge: members of jr_work_data. */
typedef struct jr_states {
    size_t size;          /* sizeof(jr_states) */
    const void *d_states; /* jr_work_data.in[0] */
    uint64_t count;       /* states; jr_work_data.states */
    uint64_t elements;    /* of all parts together; jr_work_data.count */
} jr_states;

/* Reduces or scans host memory: jr_work_run_host.
 *
 * spec, kind, layout, axis: the work; read before the call returns.
 * data: one array per input of the spec; of jr_scan_host the only one.
 * count, segments: elements of each array; or its segments.
 * values, results, out: where the results are written: jr_work_data.values, and .out.
 *
 * Owns: nothing.
 * Threads: any.
 * Errors: those of jr_work_run_host.
 * Since: 0.2. */
JR_API jr_status jr_reduce_host_arrays(jr_context *context, const jr_spec *spec, const void *const *data,
                                       uint64_t count, jr_value *values);
JR_API jr_status jr_reduce_host_segments(jr_context *context, const jr_spec *spec, const jr_segment_layout *layout,
                                         const void *const *data, const jr_segments *segments, void *results);
JR_API jr_status jr_reduce_host_axis(jr_context *context, const jr_spec *spec, const void *const *data,
                                     const jr_axis *axis, void *results);
JR_API jr_status jr_scan_host(jr_context *context, const jr_spec *spec, jr_scan_kind kind, const void *data,
                              uint64_t count, void *out);
JR_API jr_status jr_scan_host_arrays(jr_context *context, const jr_spec *spec, jr_scan_kind kind,
                                     const void *const *data, uint64_t count, void *out);
JR_API jr_status jr_scan_host_segments(jr_context *context, const jr_spec *spec, jr_scan_kind kind,
                                       const void *const *data, const jr_segments *segments, void *out);
JR_API jr_status jr_scan_host_axis(jr_context *context, const jr_spec *spec, jr_scan_kind kind, const void *const *data,
                                   const jr_axis *axis, void *out);

/* Makes a plan: jr_work_plan_create; of states JR_WORK_STATE, JR_WORK_MERGE or JR_WORK_MERGE_STATES.
 *
 * spec, kind, layout: the work; copied.
 * plan: where the plan is written, on success only.
 *
 * Owns: the caller destroys it with jr_plan_destroy before closing the context.
 * Threads: any.
 * Errors: those of jr_work_plan_create.
 * Since: 0.2. */
JR_API jr_status jr_plan_create(jr_context *context, const jr_spec *spec, jr_plan **plan);
JR_API jr_status jr_segment_plan_create(jr_context *context, const jr_spec *spec, const jr_segment_layout *layout,
                                        jr_plan **plan);
JR_API jr_status jr_scan_plan_create(jr_context *context, const jr_spec *spec, jr_scan_kind kind, jr_plan **plan);
JR_API jr_status jr_scan_segment_plan_create(jr_context *context, const jr_spec *spec, jr_scan_kind kind,
                                             const jr_segment_layout *layout, jr_plan **plan);
JR_API jr_status jr_state_plan_create(jr_context *context, const jr_spec *spec, jr_plan **plan);
JR_API jr_status jr_merge_plan_create(jr_context *context, const jr_spec *spec, jr_merge_kind kind, jr_plan **plan);

/* Enqueues a run of a plan on `stream` and returns: jr_work_plan_run.
 *
 * d_in: device memory: one array per input of the spec; of jr_plan_run and jr_segment_plan_run the only one.
 * count, segments, part, states: elements of each array; or its segments; or the part; or the states.
 * d_out, d_state: device memory, where the results or the state are written.
 * workspace: NULL: the plan's own; else as in jr_work_plan_run.
 * stream: of the plan's context; NULL: the default stream.
 *
 * Owns: nothing; the memory must stay valid until the stream reaches the end of the run.
 * Threads: any, with different workspaces.
 * Errors: those of jr_work_plan_run.
 * Since: 0.2. */
JR_API jr_status jr_plan_run(jr_plan *plan, const void *d_in, uint64_t count, void *d_out, void *workspace,
                             jr_stream stream);
JR_API jr_status jr_plan_run_arrays(jr_plan *plan, const void *const *d_in, uint64_t count, void *d_out,
                                    void *workspace, jr_stream stream);
JR_API jr_status jr_segment_plan_run(jr_plan *plan, const void *d_in, const jr_segments *segments, void *d_out,
                                     void *workspace, jr_stream stream);
JR_API jr_status jr_segment_plan_run_arrays(jr_plan *plan, const void *const *d_in, const jr_segments *segments,
                                            void *d_out, void *workspace, jr_stream stream);
JR_API jr_status jr_state_plan_run(jr_plan *plan, const jr_part *part, void *d_state, void *workspace,
                                   jr_stream stream);
JR_API jr_status jr_merge_plan_run(jr_plan *plan, const jr_states *states, void *d_out, jr_stream stream);

/* Returns the size of the states that a plan merges: jr_result_layout.state_bytes.
 *
 * plan: may be NULL.
 *
 * Returns: bytes; 0 if `plan` is NULL or does not merge states.
 * Owns: nothing.
 * Threads: any.
 * Errors: none.
 * Since: 0.2. */
JR_API size_t jr_merge_plan_state_bytes(const jr_plan *plan);

/* A state of exact sums (state.h) together with its spec and the elements that it has seen. */
typedef struct jr_exact_state jr_exact_state;

/* Makes a state without elements, and destroys one.
 *
 * spec: copied; its accuracy must be JR_ACCURACY_EXACT, and its operators exact sums.
 * state: where the state is written, on success only; to be destroyed: may be NULL.
 *
 * Owns: the caller destroys it with jr_exact_state_destroy before closing the context.
 * Threads: any; to destroy it, no other thread may be using it.
 * Errors: JR_ERROR_INVALID_ARGUMENT, JR_ERROR_UNSUPPORTED_TYPE, JR_ERROR_INVALID_EXPRESSION, JR_ERROR_OUT_OF_MEMORY.
 * Since: 0.2. */
JR_API jr_status jr_exact_state_create(jr_context *context, const jr_spec *spec, jr_exact_state **state);
JR_API void jr_exact_state_destroy(jr_exact_state *state);

/* Adds to a state: elements in host memory (JR_WORK_STATE, then JR_WORK_MERGE_STATES); what a plan to states has left;
 * another state; the bytes of one (jr_state_read). If a call fails, the state is as it was.
 *
 * data, count, first: jr_work_data.in, .count and .first.
 * plan: made of a JR_WORK_STATE of a spec that is alike.
 * left: the state that it wrote, copied to host memory.
 * elements: the count of that part.
 * other: not changed; may be `state` itself.
 * bytes: from jr_exact_state_write or jr_state_write.
 * size: how many bytes.
 *
 * Owns: nothing.
 * Threads: one at a time for each state.
 * Errors: JR_ERROR_STATE, JR_ERROR_INVALID_ARGUMENT (also for more than 2^64 elements), JR_ERROR_UNSUPPORTED_TYPE,
 *   JR_ERROR_OUT_OF_MEMORY, those of jr_work_run_host.
 * Since: 0.2. */
JR_API jr_status jr_exact_state_fold_host(jr_exact_state *state, const void *const *data, uint64_t count,
                                          uint64_t first);
JR_API jr_status jr_exact_state_fold_plan(jr_exact_state *state, const jr_plan *plan, const void *left,
                                          uint64_t elements);
JR_API jr_status jr_exact_state_add(jr_exact_state *state, const jr_exact_state *other);
JR_API jr_status jr_exact_state_add_bytes(jr_exact_state *state, const void *bytes, size_t size);

/* Writes a state as bytes (jr_state_write), and finishes it (JR_WORK_MERGE); it is not changed.
 *
 * bytes, room, size: those of jr_state_write.
 * values: one per operator of the spec, and one more with spec.kept; written on success only.
 *
 * Owns: nothing.
 * Threads: one at a time for each state.
 * Errors: JR_ERROR_INVALID_ARGUMENT (too little room), JR_ERROR_EMPTY_INPUT, those of jr_work_run_host.
 * Since: 0.2. */
JR_API jr_status jr_exact_state_write(const jr_exact_state *state, void *bytes, size_t room, size_t *size);
JR_API jr_status jr_exact_state_value(const jr_exact_state *state, jr_value *values);

/* Returns how many elements a state has seen.
 *
 * state: may be NULL.
 *
 * Returns: elements; 0 if `state` is NULL.
 * Owns: nothing.
 * Threads: one at a time for each state.
 * Errors: none.
 * Since: 0.2. */
JR_API uint64_t jr_exact_state_elements(const jr_exact_state *state);

/* What the bytes of a state describe: the members of jr_state_info. */
typedef struct jr_exact_state_info {
    size_t size; /* sizeof(jr_exact_state_info) */
    int op_count;
    int input_count;
    jr_op ops[8];     /* JR_OPS_MAX */
    jr_type types[4]; /* JR_INPUTS_MAX */
    uint64_t elements;
    uint64_t kept;
} jr_exact_state_info;

/* Reads what the bytes of a state describe: jr_state_look.
 *
 * bytes, size, info: those of jr_state_look.
 *
 * Owns: nothing.
 * Threads: any.
 * Errors: JR_ERROR_INVALID_ARGUMENT, JR_ERROR_STATE.
 * Since: 0.2. */
JR_API jr_status jr_exact_state_look(const void *bytes, size_t size, jr_exact_state_info *info);

/* Reduces or scans host memory of all ranks of a group: jr_work_group_host. Collective.
 *
 * spec, kind, layout: the work; read before the call returns.
 * data: one array per input of the spec.
 * count, segments: elements of each array; or its segments.
 * values, results, out: where the results are written: jr_work_data.values, and .out.
 *
 * Owns: nothing.
 * Threads: one at a time for each group.
 * Errors: JR_ERROR_RANKS_DIFFER, JR_ERROR_RANK, JR_ERROR_TRANSPORT, those of jr_work_run_host.
 * Since: 0.2. */
JR_API jr_status jr_group_reduce_host(jr_group *group, const jr_spec *spec, const void *const *data, uint64_t count,
                                      jr_value *values);
JR_API jr_status jr_group_reduce_host_segments(jr_group *group, const jr_spec *spec, const jr_segment_layout *layout,
                                               const void *const *data, const jr_segments *segments, void *results);
JR_API jr_status jr_group_scan_host(jr_group *group, const jr_spec *spec, jr_scan_kind kind, const void *const *data,
                                    uint64_t count, void *out);
JR_API jr_status jr_group_scan_host_segments(jr_group *group, const jr_spec *spec, jr_scan_kind kind,
                                             const void *const *data, const jr_segments *segments, void *out);

/* Makes a plan of a group, or an all-reduce: jr_work_group_plan_create, jr_work_allreduce_create. Collective.
 *
 * spec, kind, layouts: the work; copied. There is one layout per device of this rank.
 * options: read before the call returns; NULL: all defaults.
 * plan, allreduce: where the plan is written, on success only.
 *
 * Owns: the caller destroys it with jr_group_plan_destroy or jr_allreduce_destroy before closing the group.
 * Threads: one at a time for each group.
 * Errors: JR_ERROR_RANKS_DIFFER, JR_ERROR_RANK, JR_ERROR_TRANSPORT, those of jr_work_plan_create.
 * Since: 0.2. */
JR_API jr_status jr_group_plan_create(jr_group *group, const jr_spec *spec, jr_group_plan **plan);
JR_API jr_status jr_group_segment_plan_create(jr_group *group, const jr_spec *spec, const jr_segment_layout *layouts,
                                              jr_group_plan **plan);
JR_API jr_status jr_group_scan_plan_create(jr_group *group, const jr_spec *spec, jr_scan_kind kind,
                                           jr_group_plan **plan);
JR_API jr_status jr_allreduce_create(jr_group *group, const jr_spec *spec, const jr_allreduce_options *options,
                                     jr_allreduce **allreduce);
JR_API jr_status jr_allreduce_segment_create(jr_group *group, const jr_spec *spec, const jr_segment_layout *layouts,
                                             const jr_allreduce_options *options, jr_allreduce **allreduce);

/* Runs a plan of a group on the parts of all devices of all ranks: jr_work_group_plan_run. Collective.
 *
 * parts: one entry per device of this rank; read before the call returns.
 * values, results, d_out: where the results are written: the members of jr_group_parts of these names.
 *
 * Owns: nothing; the memory must stay valid until the streams reach the end of the run.
 * Threads: one at a time for each group.
 * Errors: those of jr_work_group_plan_run.
 * Since: 0.2. */
JR_API jr_status jr_group_plan_value(jr_group_plan *plan, const jr_group_parts *parts, jr_value *values);
JR_API jr_status jr_group_segment_plan_run(jr_group_plan *plan, const jr_group_parts *parts, void *results);
JR_API jr_status jr_group_scan_plan_run(jr_group_plan *plan, const jr_group_parts *parts, void *const *d_out);

/* Adds to a pack every kernel that may reduce or scan data of a spec: jr_work_pack_add.
 *
 * spec, kind, layout: the work; read before the call returns.
 *
 * Owns: nothing.
 * Threads: one at a time for each pack.
 * Errors: JR_ERROR_PACK (the pack is full), those of jr_work_plan_create.
 * Since: 0.2. */
JR_API jr_status jr_pack_add_spec(jr_pack *pack, const jr_spec *spec);
JR_API jr_status jr_pack_add_scan(jr_pack *pack, const jr_spec *spec, jr_scan_kind kind);
JR_API jr_status jr_pack_add_segments(jr_pack *pack, const jr_spec *spec, const jr_segment_layout *layout);
JR_API jr_status jr_pack_add_scan_segments(jr_pack *pack, const jr_spec *spec, jr_scan_kind kind,
                                           const jr_segment_layout *layout);

/* Finds the best tuning for a reduction or a scan and a count, and stores it: jr_work_tune, jr_work_tuned_store.
 *
 * spec, kind: the work; read before the call returns.
 * count: 1 or more.
 * options: NULL: all defaults.
 * tuned: where the tuning is written, on success only; or the one to store.
 *
 * Owns: nothing.
 * Threads: any.
 * Errors: JR_ERROR_WISDOM (no file is configured), JR_ERROR_FILE, those of jr_work_plan_create.
 * Since: 0.2. */
JR_API jr_status jr_tune(jr_context *context, const jr_spec *spec, uint64_t count, const jr_tune_options *options,
                         jr_tuned *tuned);
JR_API jr_status jr_tune_scan(jr_context *context, const jr_spec *spec, jr_scan_kind kind, uint64_t count,
                              const jr_tune_options *options, jr_tuned *tuned);
JR_API jr_status jr_tuned_store(jr_context *context, const jr_spec *spec, const jr_tuned *tuned);
JR_API jr_status jr_tuned_store_scan(jr_context *context, const jr_spec *spec, jr_scan_kind kind,
                                     const jr_tuned *tuned);

/* Statistics of a list of numbers: half of them lie between the quartiles. Keeps its layout in all versions. */
typedef struct jr_spread {
    double median, lower_quartile, upper_quartile, least, most;
} jr_spread;

/* Finds median, quartiles (interpolated between neighbours) and range of numbers.
 *
 * numbers: `count` of them, not NaN; not changed.
 * count: 1 or more.
 * spread: where the statistics are written, on success only.
 *
 * Owns: nothing.
 * Threads: any.
 * Errors: JR_ERROR_INVALID_ARGUMENT, JR_ERROR_OUT_OF_MEMORY.
 * Since: 0.1. */
JR_API jr_status jr_spread_of(const double *numbers, int count, jr_spread *spread);

/* y = intercept + slope * x. Keeps its layout in all versions. */
typedef struct jr_line {
    double intercept, slope;
} jr_line;

/* Fits a line to points so that the sum of the squares of the relative residuals is least: a time of microseconds
 * counts as much as one of milliseconds.
 *
 * x, y: `count` numbers each; y must be above 0, and x must not be all equal.
 * count: 2 or more.
 * line: where the line is written, on success only.
 *
 * Owns: nothing.
 * Threads: any.
 * Errors: JR_ERROR_INVALID_ARGUMENT.
 * Since: 0.1. */
JR_API jr_status jr_line_fit(const double *x, const double *y, int count, jr_line *line);

#ifdef __cplusplus
}
#endif
#endif
