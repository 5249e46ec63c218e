/* Work: what is computed and over which elements, for all kinds of reductions and scans; ten functions carry it out.
 * Manual: work.md. */
#ifndef JITREDUCE_WORK_H
#define JITREDUCE_WORK_H

#include "segment.h"
#include "stream.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A jr_work says what is computed; a jr_work_data says where the elements and the results of one run are. The same work
 * can be carried out in each of these ways, so a kind of work or a layout adds no function:
 *
 *     on host memory                      jr_work_run_host
 *     on device memory, in your stream    jr_work_plan_create, then jr_work_plan_run as often as you like
 *     by a group, on host memory          jr_work_group_host
 *     by a group, on its devices          jr_work_group_plan_create, jr_work_group_plan_run
 *     with results on all devices         jr_work_allreduce_create (allreduce.h)
 *     compiled ahead, in a file           jr_work_pack_add (pack.h)
 *     tuned for a device                  jr_work_tune, jr_work_tuned_store (tune.h)
 *
 * jr_reduce_host (reduce.h) is the shortest way from one array in host memory to one value. */

typedef struct jr_plan jr_plan;
typedef struct jr_group jr_group;
typedef struct jr_group_plan jr_group_plan;
typedef struct jr_group_parts jr_group_parts;
typedef struct jr_allreduce jr_allreduce;
typedef struct jr_allreduce_options jr_allreduce_options;
typedef struct jr_pack jr_pack;
typedef struct jr_tune_options jr_tune_options;
typedef struct jr_tuned jr_tuned;

/* What the results of a work are. */
typedef enum jr_work_kind {
    JR_WORK_REDUCE = 0,         /* a reduction: one result of all elements, or one per segment */
    JR_WORK_SCAN_INCLUSIVE = 1, /* running results (scan.h): one per element, of all elements up to and including it:
                                 * 3 1 4 -> 3 4 8 */
    JR_WORK_SCAN_EXCLUSIVE = 2, /* one per element, of all elements before it: 3 1 4 -> 0 3 4 */
    JR_WORK_STATE = 3,          /* the state of a part of the input (state.h). On host memory and for plans, without a
                                 * layout */
    JR_WORK_MERGE = 4,          /* the result of states that are merged; as JR_WORK_STATE */
    JR_WORK_MERGE_STATES = 5,   /* the state of states that are merged; as JR_WORK_STATE */
    JR_WORK_APPLY = 6 /* each row is reduced, and spec.apply computes a value for each of its elements from the
                       * element and the results of its row: softmax, normalisation (apply.md). On host memory
                       * and for plans and packs, with rows: JR_SEGMENTS_EQUAL, or the last axes of an array;
                       * or with many arrays, whose elements the values replace (many.md). Since: 0.3 */
} jr_work_kind;

/* What is computed. JR_INIT(jr_work, .spec = &spec), then set kind and layout. */
typedef struct jr_work {
    size_t size;         /* sizeof(jr_work) */
    const jr_spec *spec; /* operator, types, expressions, and how it is carried out; must not be NULL */
    jr_work_kind kind;
    int unused;                      /* 0 */
    const jr_segment_layout *layout; /* how the elements are divided into segments, each of which is reduced or scanned
                                      * by itself. NULL: they are not. For a group's plan and an all-reduce: an array,
                                      * one per device of this rank */
    const jr_axis *axis; /* instead of layout: the shape of a C-ordered array, and the axis or axes along which it is
                          * reduced, or the axis along which it is scanned. An array where layout would be one */
} jr_work;

/* Where the elements and the results of one run are: in host memory for jr_work_run_host and jr_work_group_host, in
 * device memory (or mapped host memory) for jr_work_plan_run. Members that a kind or layout does not use must be 0. */
typedef struct jr_work_data {
    size_t size;           /* sizeof(jr_work_data) */
    const void *const *in; /* many arrays: NULL, and nothing but out is set. One array per input of the spec, aligned to
                            * their elements; an array may be NULL if it has no elements. Merges: one array of states,
                            * one after the other, in device memory aligned to 16 */
    uint64_t count;        /* elements of each array. Equal, strided and axes' segments: 0 stands for what they have.
                            * Between offsets in host memory: 0 stands for the last offset, which must not be above
                            * it; a scan's elements after the last offset form a segment. Between offsets in device
                            * memory only scans need it. Merges: elements of all parts
                            * together, the n of `finish` and the divisor of mean */
    void *out;             /* where the results are written, one after the other, jr_result_layout.bytes each; or the
                            * state, jr_result_layout.state_bytes. JR_WORK_APPLY of many arrays: the results of the
                            * operators, or NULL */
    jr_value *values;      /* reductions and JR_WORK_MERGE in host memory without a layout write their results here and
                            * not to out: one value per operator of the spec, and one more with spec.kept. Runs of
                            * plans by keys: host memory for one value, the number of segments as u64, instead of
                            * run_count; NULL: not written */
    uint64_t segments;     /* how many segments there are, but for keys, where it is 0. strided: a multiple of inner;
                            * axes: the product of the dimensions that are not reduced; jr_work.axis: 0 stands for
                            * that product */
    const uint64_t *offsets; /* JR_SEGMENTS_OFFSETS: segments + 1 element numbers that must not descend: segment s is
                              * elements offsets[s] up to, not including, offsets[s + 1] */
    const void *keys;        /* JR_SEGMENTS_KEYS: one key per element, aligned to its type */
    void *run_keys;          /* reductions by keys: where the key of each segment's first element is written, one after
                              * the other, in device memory aligned to its type; NULL: not written */
    uint64_t *run_count;     /* reductions by keys: where the number of segments is written; NULL: not written */
    uint64_t first;  /* JR_WORK_STATE: index of the part's first element in the whole input: i, argmin and argmax
                      * count from it */
    uint64_t states; /* merges: how many states there are; may be 0 if the operator has a value for an empty
                      * input, and for JR_WORK_MERGE_STATES */
} jr_work_data;

/* Carries out a work on host memory: copies the elements to the device, computes, copies the results back, waits. If
 * elements and results need more device memory than spec.device_bytes, or than is free, they are processed in parts
 * through a few device buffers. Float reductions may then be rounded differently; scans have the same bits in parts,
 * unless strided segments that lie side by side do not fit into a part together (a third of spec.device_bytes).
 *
 * A reduction without a layout goes in parts if the algorithm can work so (two_pass, rows; chosen unless the spec names
 * one). With segments, a part is several whole ones; a segment, or segments side by side, that are larger are cut. By
 * keys this is possible only if nothing uses the index (argmin, argmax, i); otherwise the data must fit, and a smaller
 * spec.device_bytes is JR_ERROR_NOT_APPLICABLE. A scan with JR_ALGORITHM_THREE_PASS does not go in parts.
 *
 * work: read before the call returns.
 * data: results are written on success only. The state of JR_WORK_MERGE_STATES may be written over one of the states.
 * `out` of a reduction needs no alignment; by keys it has room for as many results as elements. `out` of a scan is
 * aligned to its type, and may be written although the call fails: without parts by a failed copy back only, with parts
 * as soon as the first part is complete. It may be one of the arrays if the results are as large as its elements;
 * otherwise it must not overlap them, nor offsets and keys.
 *
 * Owns: nothing.
 * Threads: any.
 * Errors: JR_ERROR_EMPTY_INPUT (a result is of no elements, or `where` skips all of them, and the operator has no value
 *   for that: min and max without an initial value, argmin, argmax; with a layout not if spec.kept counts them),
 *   JR_ERROR_INVALID_ARGUMENT, JR_ERROR_UNSUPPORTED_TYPE, JR_ERROR_NOT_APPLICABLE, JR_ERROR_INVALID_EXPRESSION
 *   (jr_last_error()->log shows the expression and a caret), JR_ERROR_COMPILE, JR_ERROR_NVRTC_NOT_FOUND,
 *   JR_ERROR_ARCHITECTURE, JR_ERROR_LOAD, JR_ERROR_LAUNCH_RESOURCES, JR_ERROR_OUT_OF_MEMORY,
 *   JR_ERROR_DEVICE_OUT_OF_MEMORY, JR_ERROR_DRIVER, JR_ERROR_DEVICE_FAULT.
 * Since: 0.3. */
JR_API jr_status jr_work_run_host(jr_context *context, const jr_work *work, const jr_work_data *data);

/* Makes a plan of a work: chooses the tuning, finds or compiles the kernels, loads them, and allocates the plan's own
 * workspace. Its runs (jr_work_plan_run) are then quick.
 *
 * jr_plan_result_bytes is the size of one result, of JR_WORK_STATE and JR_WORK_MERGE_STATES that of a state (the type
 * is then JR_STRUCT).
 *
 * work: copied. With segments, spec.algorithm must be 0, with these exceptions (JR_ALGORITHM_BULK_COPY needs compute
 *   capability 9.0): reductions by keys take JR_ALGORITHM_BULK_COPY for one array with results as wide as its elements;
 *   scans of consecutive segments take JR_ALGORITHM_SINGLE_PASS, and JR_ALGORITHM_BULK_COPY for one array of numbers
 *   whose results have the same size, without `finish`, statistics and use of the index.
 * plan: where the plan is written, on success only.
 *
 * Owns: the caller destroys it with jr_plan_destroy before closing the context.
 * Threads: any.
 * Errors: JR_ERROR_EMPTY_INPUT (an exclusive scan whose first result has no value), JR_ERROR_INVALID_ARGUMENT,
 *   JR_ERROR_UNSUPPORTED_TYPE (also of the keys), JR_ERROR_NOT_APPLICABLE, JR_ERROR_INVALID_EXPRESSION
 *   (jr_last_error()->log shows the expression and a caret), JR_ERROR_COMPILE, JR_ERROR_NVRTC_NOT_FOUND,
 *   JR_ERROR_ARCHITECTURE, JR_ERROR_LOAD, JR_ERROR_LAUNCH_RESOURCES, JR_ERROR_OUT_OF_MEMORY,
 *   JR_ERROR_DEVICE_OUT_OF_MEMORY, JR_ERROR_DRIVER, JR_ERROR_DEVICE_FAULT.
 * Since: 0.3. */
JR_API jr_status jr_work_plan_create(jr_context *context, const jr_work *work, jr_plan **plan);

/* Enqueues a run of a plan on `stream` and returns; it is complete once the stream reaches it. The call allocates
 * nothing, takes no lock and does not wait (but by keys with values), and it may be captured into a CUDA graph. It
 * works in the plan's context, whatever context is current.
 *
 * Its kernels may start before earlier kernels on the stream have ended, and then wait for them on the device
 * (programmatic dependent launch; compute capability 9.0, CUDA 12.3). In a captured graph these dependencies are
 * programmatic edges.
 *
 * If `where` excludes all elements of a result, which is known only on the device, and for a segment without elements,
 * the result is that of an empty input: 0 for sum, or, xor, count_nonzero, norms, sumsq and dot; 1 for prod; all ones
 * for and; false for any; true for all; NaN for mean, var and std; -inf for logsumexp; the identity for custom.
 * Operators without such a value write their identity: min the highest and max the lowest value of the element type
 * (infinities for floats, 448 for e4m3; NaN with JR_NAN_IGNORE), converted to the result type; argmin and argmax -1.
 * Set spec.kept to distinguish these from values.
 *
 * By keys, as many results are written, and keys to run_keys, as there are segments, in their order (there are at most
 * as many as elements); run_count gets their number, and memory after the last result stays as it was. The same keys
 * and elements at the same alignment give the same bits on every run. With values the call waits for the number of
 * segments, not for the stream: the number comes through mapped memory, as with jr_plan_value, whose stream and threads
 * such a run has; the first one allocates a page of host memory.
 *
 * data: read before the call returns, but its arrays, offsets, keys, run_keys and run_count are device memory, which is
 *   read and written when the stream reaches the run; its values must be NULL, except by keys (jr_plan_value waits for
 *   values). The numbers in offsets are not checked: if they descend, or exceed the elements, the results are
 *   undefined, or the kernel faults (JR_ERROR_DEVICE_FAULT from the next call that waits). `out` is aligned to the
 *   result type, with several results and of states to 16. It must not overlap the arrays, except the `out` of a scan,
 *   which may be one of the arrays if the results are as large as its elements; out, run_keys and run_count must not
 *   overlap each other or anything that the run reads.
 * workspace: NULL: the plan's own; else jr_plan_workspace_bytes of device memory, aligned to 16, prepared once by
 *   jr_plan_workspace_prepare. Runs on different streams at the same time must use different workspaces. Merges need
 *   none, and with segments only plans by keys need a prepared one.
 * stream: of the plan's context; NULL: the default stream.
 *
 * Owns: nothing; the memory must stay valid until the stream reaches the end of the run.
 * Threads: any, with different workspaces.
 * Errors: JR_ERROR_EMPTY_INPUT (no elements, one result of all, and the operator has no value for that),
 *   JR_ERROR_INVALID_ARGUMENT, JR_ERROR_WRONG_CONTEXT, JR_ERROR_DRIVER, JR_ERROR_DEVICE_FAULT.
 * Since: 0.3. */
JR_API jr_status jr_work_plan_run(jr_plan *plan, const jr_work_data *data, void *workspace, jr_stream stream);

/* Carries out a work on host memory of all ranks of a group (group.h), as jr_work_run_host does on one device. Each
 * rank divides its elements among its devices, which work at the same time. Collective.
 *
 * Without a layout, the elements of the ranks follow each other in the order of the ranks. A reduction's value is the
 * same on every rank (two exchanges). A scan continues on each device and rank where the one before it ended; its
 * elements are copied to their device twice, to be folded and to be scanned (three exchanges).
 *
 * With a layout, each rank gives complete segments of its own and gets their results (one exchange, so that a failure
 * on one rank is reported on all); ranks may have different layouts. A rank divides rows, and slices of an array, by
 * their number; segments between offsets, and scans by keys at changes of the key, by their elements; reductions by
 * keys by runs of equal keys, which the host finds, only if nothing uses the index (argmin, argmax, i). The first
 * device alone works on an array along its first axis, and scans by keys if something uses the index. Strided segments
 * of a scan may be cut differently, so that floats may be rounded differently.
 *
 * work: a reduction or a scan; read before the call returns. spec.algorithm of a scan without a layout must not be
 *   JR_ALGORITHM_THREE_PASS or JR_ALGORITHM_ONE_BLOCK, which scan all data in one part.
 * data: as in jr_work_run_host, of this rank; its count may be 0.
 *
 * Owns: nothing.
 * Threads: one at a time for each group. The call starts one thread per further device, which ends with the call.
 * Errors: JR_ERROR_RANKS_DIFFER, JR_ERROR_RANK, JR_ERROR_TRANSPORT, those of jr_work_run_host
 *   (JR_ERROR_NOT_APPLICABLE also for reductions by keys if something uses the index).
 * Since: 0.3. */
JR_API jr_status jr_work_group_host(jr_group *group, const jr_work *work, const jr_work_data *data);

/* Makes a plan of a work over data on the devices of a group. Collective: all ranks must give the same work; the tuning
 * may differ.
 *
 * A reduction takes parts that follow each other in the order of the devices. A scan continues on each device where the
 * one before it ended. With layouts, every device has a part of each segment: the elements of a segment are those on
 * the first device, then those on the second one, and so on; argmin, argmax and `i` count from a segment's first
 * element on the first device.
 *
 * work: copied. A reduction, or a scan without layout, whose spec.algorithm must not be JR_ALGORITHM_THREE_PASS or
 *   JR_ALGORITHM_ONE_BLOCK. Its layouts (JR_SEGMENTS_EQUAL, JR_SEGMENTS_STRIDED, JR_SEGMENTS_AXES) may differ in
 *   length.
 * plan: where the plan is written, on success only.
 *
 * Owns: the caller destroys it with jr_group_plan_destroy before closing the group.
 * Threads: one at a time for each group.
 * Errors: JR_ERROR_RANKS_DIFFER (the message names both works), JR_ERROR_RANK, JR_ERROR_TRANSPORT, those of
 *   jr_work_plan_create.
 * Since: 0.3. */
JR_API jr_status jr_work_group_plan_create(jr_group *group, const jr_work *work, jr_group_plan **plan);

/* Runs a plan of a group on the parts of all devices of all ranks. Collective.
 *
 * A reduction waits for its values: all devices of a rank work at the same time, and their states are always merged in
 * order. There is one exchange, and one more before it, of the counts, if the index of an element matters (argmin,
 * argmax, `i` in an expression). If there is one rank, whose devices all differ and can access each other's memory
 * (which making the plan enables permanently), all devices push their states to the first one, which merges them.
 * Otherwise the host collects the states, as jr_plan_value collects values, and the first device merges them; sums of
 * numbers in the type in which they are added (without initial value and finish, at most 256 devices) are added by the
 * host, with the same bits.
 *
 * A reduction of segments waits for its results, too. There are two exchanges, of the counts and of one state per
 * segment and device.
 *
 * A scan first folds each part and waits for the folds; then it enqueues the scans on the streams and returns; they are
 * complete once the streams reach them. There is one exchange, of the folds, and one more before it, of the counts, if
 * the index of an element matters. A run must not be captured. A group of a single device folds nothing and does not
 * wait. The next run must be on the same streams, or begin after those of this run are complete. The bits of a result
 * depend on the parts and devices, and on the tuning of the scan of its part.
 *
 * parts: one entry per device of this rank, and where the results are written: values, results or d_out; read before
 *   the call returns.
 *
 * Owns: nothing; the memory must stay valid until the streams reach the end of the run.
 * Threads: one at a time for each group.
 * Errors: JR_ERROR_EMPTY_INPUT (a result of no elements, or whose elements `where` skips all, and an operator without a
 *   value for that), JR_ERROR_RANKS_DIFFER (the ranks make different calls), JR_ERROR_RANK, JR_ERROR_TRANSPORT,
 *   JR_ERROR_OUT_OF_MEMORY, JR_ERROR_DEVICE_OUT_OF_MEMORY, JR_ERROR_INVALID_ARGUMENT, JR_ERROR_WRONG_CONTEXT,
 *   JR_ERROR_DRIVER, JR_ERROR_DEVICE_FAULT. A failure while scans are launched is reported on that rank only.
 * Since: 0.3. */
JR_API jr_status jr_work_group_plan_run(jr_group_plan *plan, const jr_group_parts *parts);

/* Makes an all-reduce (allreduce.h): a reduction over parts on the devices of a group whose results are written to
 * memory of each device. Collective: all ranks must give the same reduction and the same way; the tuning may differ.
 * Run it with jr_allreduce_run. With peers it enables access between the memories of the group's devices
 * (cuCtxEnablePeerAccess), permanently.
 *
 * With layouts, every device has a part of each segment, as in jr_work_group_plan_create, and gets the results of all
 * segments. The counts of jr_allreduce_run are then numbers of segments, which must be the same on every device of
 * every rank, and d_out have jr_allreduce_result_bytes per segment. With peers, each device folds its parts, pushes
 * their states to all others, and waits for theirs in a kernel; what jr_allreduce_run says of runs that fail holds
 * here, too, and a run must not be captured. If there are more states (above 4 MiB with two devices, 2 MiB with three),
 * each device instead merges a share of them for all, which it loads from the memory of the others; events keep the
 * order, and no device waits in a kernel. The first run with a count, on each rank, waits for the last run and
 * allocates memory.
 *
 * work: copied; a reduction, as in jr_work_group_plan_create.
 * options: read before the call returns; NULL: all defaults. With layouts wait_limit_ms is ignored if no device waits
 *   in a kernel.
 * allreduce: where the all-reduce is written, on success only.
 *
 * Owns: the caller destroys it with jr_allreduce_destroy before closing the group.
 * Threads: one at a time for each group.
 * Errors: JR_ERROR_RANKS_DIFFER (the message names both reductions), JR_ERROR_RANK, JR_ERROR_TRANSPORT, those of
 *   jr_work_plan_create (JR_ERROR_NOT_APPLICABLE also if options->way is not possible; the message says why).
 * Since: 0.3. */
JR_API jr_status jr_work_allreduce_create(jr_group *group, const jr_work *work, const jr_allreduce_options *options,
                                          jr_allreduce **allreduce);

/* Adds to a pack (pack.h) every kernel that may carry out a work, in device or host memory, on devices of the pack's
 * architectures: for any count, or, if spec.capacity is set, for that many elements in all. Stored tunings are ignored,
 * and kernels of groups are not added. If the call fails, the pack is as it was.
 *
 * work: a reduction or a scan; read before the call returns. A layout of another length or shape may need other
 * kernels.
 *
 * Owns: nothing.
 * Threads: one at a time for each pack.
 * Errors: JR_ERROR_PACK (the pack is full), those of jr_work_plan_create.
 * Since: 0.3. */
JR_API jr_status jr_work_pack_add(jr_pack *pack, const jr_work *work);

/* Finds the best tuning for a work and a count (tune.h): measures candidates in comparison with the estimate's tuning,
 * on random data larger than the caches. A candidate whose result differs from the estimate's is rejected (floats may
 * differ by rounding), and so is atomic with floats. Every result of a scan is compared, for which the host needs
 * memory for all results of one run. A candidate that fails is not an error, unless it was a fault of the device.
 * Stored tunings are neither read nor written. Other work that runs at the same time disturbs the measurement.
 *
 * work: a reduction or a scan without a layout; in its spec algorithm, unroll, block, grid, blocks_per_multiprocessor,
 *   shared and max_launch_ms must be 0.
 * count: 1 or more.
 * options: NULL: all defaults.
 * tuned: `size` must be set; the rest is written, on success only.
 *
 * Owns: nothing.
 * Threads: any.
 * Errors: those of jr_work_plan_create (JR_ERROR_DEVICE_OUT_OF_MEMORY also for the data).
 * Since: 0.3. */
JR_API jr_status jr_work_tune(jr_context *context, const jr_work *work, uint64_t count, const jr_tune_options *options,
                              jr_tuned *tuned);

/* Stores the result of a tuning in the context's file, where later plans and calls on host memory find it, those of
 * this context too. The file is written completely or not at all; other tunings in it are kept. A file with tunings of
 * scans has format 2, which version 0.1 ignores.
 *
 * work: the one given to jr_work_tune.
 * tuned: from jr_work_tune; better or complete must be 1.
 *
 * Owns: nothing.
 * Threads: any.
 * Errors: JR_ERROR_INVALID_ARGUMENT, JR_ERROR_WISDOM (no file is configured), JR_ERROR_FILE, JR_ERROR_OUT_OF_MEMORY.
 * Since: 0.3. */
JR_API jr_status jr_work_tuned_store(jr_context *context, const jr_work *work, const jr_tuned *tuned);

#ifdef __cplusplus
}
#endif
#endif
