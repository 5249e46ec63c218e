/* Groups: one reduction over several devices of this process, and over several processes (ranks). */
#ifndef JITREDUCE_GROUP_H
#define JITREDUCE_GROUP_H

#include "scan.h"
#include "segment.h"
#include "state.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A group is a row of devices: those of rank 0 in their order, then those of rank 1, and so on. Each device has a part
 * of the input; parts follow each other in the order of the devices, and an operator that is not commutative is given
 * them so. Every rank gets the result. Operators that round give what their parts' states merge to (state.h): the same
 * bits on every run with the same parts on the same devices.
 *
 * Calls that say "collective" are made by all ranks, in the same order. Each of them exchanges a few bytes between the
 * ranks, a status among them: what fails on one rank before its last exchange fails on all of them, on the others as
 * JR_ERROR_RANK with that rank and its message, and the group goes on working. What fails behind it (merging), and a
 * call that is refused for a NULL group or plan, fails on that rank alone.
 *
 * An error of one device names it by its number in the group. A fault (JR_ERROR_DEVICE_FAULT) on one GPU may end the
 * contexts of other GPUs of the process, too: the error then names the one that was met first, and all that are lost
 * as well. Other processes, and ranks, have contexts of their own. */

enum { JR_GROUP_DEVICES_MAX = 64 }; /* of one rank */

typedef struct jr_group jr_group;
typedef struct jr_group_plan jr_group_plan;

/* Brings together `bytes` bytes of every rank: copies those at `mine` of each rank to `all` of every rank, in the order
 * of the ranks. Returns 0 when that was done, another number (which the error tells) when it was not: when a rank is
 * lost it must come back all the same, or the group needs a limit (jr_group_options). Must not call jitreduce with this
 * group. */
typedef int (*jr_allgather)(void *user, const void *mine, size_t bytes, void *all);

/* What a group is made of. JR_INIT(jr_group_options), then set devices or contexts, and of several ranks the rest. */
typedef struct jr_group_options {
    size_t size;         /* sizeof(jr_group_options) */
    const char *devices; /* "cuda:all"; "cuda:0,2": devices 0 and 2, each as often as it is named; "sim:4": four devices
                          * on the simulator, its own ones in turn; "sim:0,1", "sim:all": as of cuda; "cuda", "cuda:2",
                          * "sim": the one. NULL: those of `contexts`, or as jr_options.device says */
    jr_context *const *contexts; /* instead of devices: opened by the caller, who closes them after the group */
    size_t context_count;
    const jr_options *context_options; /* how contexts of `devices` are opened; its device is not looked at. NULL: all
                                        * defaults */
    jr_allgather allgather;            /* the way to the other ranks; NULL: this process alone */
    void *user;                        /* passed to it */
    int rank, ranks;                   /* of this process, from 0 on, and how many there are; 0: 1 */
    double wait_limit_ms;  /* 0: allgather is called in the calling thread, and bounds its waits itself. Else
                            * it is called in a thread of the group's, always the same one, and a call fails
                            * when it has not come back so soon: JR_ERROR_TRANSPORT, then and ever after. `user`
                            * and what it leads to must then stay as long as allgather may still be under way */
    double launch_look_us; /* Launches on further devices of a rank are made by threads of the group's, one a device, at
                            * a time with the caller's own, but those to CU_STREAM_PER_THREAD. They are begun when calls
                            * follow each other sooner than this, look for the next launch in a loop so long behind each
                            * one, and sleep then, until calls come so soon again. 0: 200 where the thread that opens
                            * the group may run on more cores than the rank has devices, else no threads; below 0: no
                            * threads. Since: 0.2 */
} jr_group_options;

/* Opens a group. Collective: tells the others its version and how many devices it has.
 * options: read before the call returns. Writes *group on success only.
 * Owns: the caller closes it with jr_group_close. Threads: one at a time may use a group. Errors: those of
 * jr_context_open; JR_ERROR_RANKS_DIFFER (other versions of the library, or ranks in another order than the
 * transport's), JR_ERROR_RANK, JR_ERROR_TRANSPORT. Since: 0.2. */
JR_API jr_status jr_group_open(const jr_group_options *options, jr_group **group);

/* Closes a group, and the contexts that it has opened. All its plans must be destroyed before. Not collective.
 * group: may be NULL. Owns: takes the group. Threads: no other thread may be using it. Errors: none. Since: 0.2. */
JR_API void jr_group_close(jr_group *group);

/* Returns how many devices the group has over all ranks; how many of them are this rank's; and which number the first
 * of these has.
 * Owns: nothing. Threads: any. Errors: none; 0 for NULL. Since: 0.2. */
JR_API size_t jr_group_size(const jr_group *group);
JR_API size_t jr_group_local_count(const jr_group *group);
JR_API size_t jr_group_first(const jr_group *group);

/* Returns the context of this rank's index-th device, counted from 0.
 * Owns: the group, or whoever opened it. Threads: any. Errors: none; NULL for NULL and for an index that is none.
 * Since: 0.2. */
JR_API jr_context *jr_group_context(const jr_group *group, size_t index);

/* Makes a plan for data that lies on the devices. Collective: all ranks must mean the same reduction, but their tuning
 * may differ.
 * spec: copied; as of jr_state_plan_create. Writes *plan on success only.
 * Owns: the caller destroys it (jr_group_plan_destroy) before closing the group. Threads: one at a time. Errors: as
 * jr_plan_create; JR_ERROR_RANKS_DIFFER (both are named), JR_ERROR_RANK, JR_ERROR_TRANSPORT. Since: 0.2. */
JR_API jr_status jr_group_plan_create(jr_group *group, const jr_spec *spec, jr_group_plan **plan);

/* Sets the value of a named parameter of the spec for the calls that follow, as of jr_plan_parameter_set. Not
 * collective, but all ranks must set the same: the next call tells when they did not. Owns: nothing. Threads: one at a
 * time. Errors: JR_ERROR_INVALID_ARGUMENT. Since: 0.2. */
JR_API jr_status jr_group_plan_parameter_set(jr_group_plan *plan, const char *name, const jr_value *value);

/* Destroys a plan. Not collective.
 * plan: may be NULL. Owns: takes the plan. Threads: no other thread may be using it. Errors: none. Since: 0.2. */
JR_API void jr_group_plan_destroy(jr_group_plan *plan);

/* The parts of this rank's devices. */
typedef struct jr_group_parts {
    size_t size;                    /* sizeof(jr_group_parts) */
    const void *const *const *d_in; /* of each device: as many arrays in its memory as the spec has inputs; the arrays
                                     * of a device may be NULL where its count is 0 */
    const uint64_t *counts;         /* of each device: elements of each of its arrays; may be 0 */
    const jr_stream *streams;       /* of each device; NULL: the default streams */
} jr_group_parts;

/* Reduces all parts of all ranks and waits for the values. Collective. All devices of a rank work at a time. Of a
 * rank alone whose devices all differ and reach each other's memory, which making the plan has them do (it stays so),
 * all push their states to the first one, which merges them; else they come to the host by words that it watches, as in
 * jr_plan_value, and are merged then by the first one. So do sums of numbers in the type that they are added in (no
 * initial value, no finish, at most 256 devices), which the host adds, to the same bits. Always in order. There is one
 * exchange, and where the index of an element matters (argmin, argmax, `i` in an expression) another one before, of the
 * counts. parts: as many as this rank has devices. values: as of jr_plan_value, on every rank the same. Owns: nothing.
 * Threads: one at a time. Errors: as jr_plan_value; JR_ERROR_RANK, JR_ERROR_RANKS_DIFFER (the ranks make different
 * calls), JR_ERROR_TRANSPORT. Since: 0.2. */
JR_API jr_status jr_group_plan_value(jr_group_plan *plan, const jr_group_parts *parts, jr_value *values);

/* Makes a plan for segments of which every device has a part: the elements of a segment are those on the first device,
 * then those on the second one, and so on. Collective, as jr_group_plan_create.
 * spec: as there; argmin, argmax and `i` count from a segment's first element on the first device. layouts: of each
 * device of this rank: how its parts lie (JR_SEGMENTS_EQUAL, JR_SEGMENTS_STRIDED, JR_SEGMENTS_AXES), as of
 * jr_segment_plan_create; lengths may differ. Writes *plan on success only. Owns: as jr_group_plan_create. Threads: one
 * at a time. Errors: as jr_segment_plan_create; JR_ERROR_NOT_APPLICABLE, JR_ERROR_RANKS_DIFFER, JR_ERROR_RANK,
 * JR_ERROR_TRANSPORT. Since: 0.2. */
JR_API jr_status jr_group_segment_plan_create(jr_group *group, const jr_spec *spec, const jr_segment_layout *layouts,
                                              jr_group_plan **plan);

/* Reduces segments on all devices of all ranks, merges them one by one, and waits. Collective. There are two exchanges,
 * of the counts and of a state of each segment of each device.
 * parts: its counts are of segments, on every device of every rank the same. results: host memory, aligned to nothing,
 * as of jr_reduce_host_segments, on every rank the same; written on success only.
 * Owns: nothing. Threads: one at a time. Errors: as jr_reduce_host_segments; JR_ERROR_RANK, JR_ERROR_RANKS_DIFFER,
 * JR_ERROR_TRANSPORT. Since: 0.2. */
JR_API jr_status jr_group_segment_plan_run(jr_group_plan *plan, const jr_group_parts *parts, void *results);

/* Makes a plan that scans data that lies on the devices: every part continues where the one before it ended, whatever
 * device or rank has that. Collective, as jr_group_plan_create.
 * spec: copied; as of jr_scan_plan_create; its algorithm, where it names one, is none that scans all in one part
 * (JR_ALGORITHM_THREE_PASS, JR_ALGORITHM_ONE_BLOCK). Writes *plan on success only.
 * Owns: as jr_group_plan_create. Threads: one at a time. Errors: as jr_scan_plan_create; JR_ERROR_RANKS_DIFFER,
 * JR_ERROR_RANK, JR_ERROR_TRANSPORT. Since: 0.2. */
JR_API jr_status jr_group_scan_plan_create(jr_group *group, const jr_spec *spec, jr_scan_kind kind,
                                           jr_group_plan **plan);

/* Scans the parts of all devices of all ranks. Collective. Each part is folded first, which the call waits for; there
 * is one exchange of the folds, and where the index of an element matters another one before, of the counts. The scans
 * are then put on the streams, where the results are when they get there: a run may not be captured. A group of a
 * single device folds nothing and waits for nothing. Runs follow one another: on the same streams, or after those of
 * the last run were waited for. The bits of a result depend on what jr_group_plan_value says, and on the tuning of its
 * part's scan.
 * parts: as many as this rank has devices; counts may be 0. d_out: of each device of this rank, memory on that device
 * for a result for each element of its part, as of jr_scan_plan_create: exactly upon an input of the same part, or
 * apart from the inputs and results of all parts of this rank; NULL where the count is 0.
 * Owns: nothing; all pointers must stay valid until the streams get there. Threads: one at a time. Errors: as
 * jr_plan_run; JR_ERROR_RANK, JR_ERROR_RANKS_DIFFER, JR_ERROR_TRANSPORT; what fails when the scans are launched fails
 * on that rank alone. Since: 0.2. */
JR_API jr_status jr_group_scan_plan_run(jr_group_plan *plan, const jr_group_parts *parts, void *const *d_out);

/* Reduces host memory of all ranks: each gives its own elements, which follow each other in the order of the ranks, and
 * deals them out to its devices in stretches as equal as can be, which go through all of them at a time, each as of
 * jr_reduce_host_arrays. Collective. There are two exchanges.
 * data: as many arrays as the spec has inputs, count elements each; may hold NULL where this rank has none. values: as
 * of jr_reduce_host_arrays, on every rank the same.
 * Owns: nothing. Threads: one at a time; one more for each further device lives no longer than the call. Errors: as
 * jr_reduce_host; JR_ERROR_RANK, JR_ERROR_RANKS_DIFFER, JR_ERROR_TRANSPORT. Since: 0.2. */
JR_API jr_status jr_group_reduce_host(jr_group *group, const jr_spec *spec, const void *const *data, uint64_t count,
                                      jr_value *values);

/* Reduces segments of host memory: each rank gives segments of its own, whole, and gets their results. They are dealt
 * out to the devices of the rank: rows, and slices of an array, by their number, segments between offsets by their
 * elements; an array along whose first axis is reduced goes through the first device alone. All devices of a rank work
 * at a time, each as of jr_reduce_host_segments. Collective: there is one exchange, so that a failure on one rank is
 * told to all. layout: ranks may have different ones; runs of equal keys are found by the host, and are dealt out where
 * nothing sees the index (argmin, argmax, i). data, segments, results: as of jr_reduce_host_segments; results are
 * written on success only. Owns: nothing. Threads: as jr_group_reduce_host. Errors: as jr_reduce_host_segments;
 * JR_ERROR_NOT_APPLICABLE (keys with an index), JR_ERROR_RANK, JR_ERROR_TRANSPORT. Since: 0.2. */
JR_API jr_status jr_group_reduce_host_segments(jr_group *group, const jr_spec *spec, const jr_segment_layout *layout,
                                               const void *const *data, const jr_segments *segments, void *results);

/* Scans host memory of all ranks: each gives its own elements, which follow each other in the order of the ranks, and
 * gets their results; every part continues where the one before it ended. The elements are dealt out as by
 * jr_group_reduce_host, and go through their device twice: to be folded, and to be scanned behind the fold of all
 * before them. Collective. There are three exchanges, so that a failure on one rank is told to all; results may have
 * been written then. data: as many arrays as the spec has inputs, count elements each; may hold NULL where this rank
 * has none. out: as of jr_scan_host_arrays. spec: its algorithm, where it names one, is none that scans all in
 * one part (JR_ALGORITHM_THREE_PASS, JR_ALGORITHM_ONE_BLOCK). Owns: nothing. Threads: as jr_group_reduce_host. Errors:
 * as jr_scan_host; JR_ERROR_RANK, JR_ERROR_RANKS_DIFFER, JR_ERROR_TRANSPORT. Since: 0.2. */
JR_API jr_status jr_group_scan_host(jr_group *group, const jr_spec *spec, jr_scan_kind kind, const void *const *data,
                                    uint64_t count, void *out);

/* Scans segments of host memory, each for itself: each rank gives segments of its own, whole, and gets their results.
 * They are dealt out to the devices of the rank as by jr_group_reduce_host_segments; neighbours by keys at changes of
 * the keys, by their elements. Columns of a whole array (an axis in front of all others), and keys where the index of
 * an element matters, which is that in the whole, go through the first device alone. Collective: there is one exchange,
 * so that a failure on one rank is told to all; results may have been written then. ranks may have different layouts.
 * data, segments, out: as of jr_scan_host_segments; out overlaps neither offsets nor keys. The results have the bits of
 * jr_scan_host_segments but where a device's share makes of strided segments another cut, and floats may round
 * otherwise. Owns: nothing. Threads: as jr_group_reduce_host. Errors: as jr_scan_host_segments; JR_ERROR_RANK,
 * JR_ERROR_TRANSPORT. Since: 0.2. */
JR_API jr_status jr_group_scan_host_segments(jr_group *group, const jr_spec *spec, jr_scan_kind kind,
                                             const void *const *data, const jr_segments *segments, void *out);

/* Returns what the last call of a group on host memory cost that went well: how this rank's first device worked, the
 * times of the slowest device, launches and parts of all devices of this rank; of a scan, of its second pass.
 * stats: size set, the rest written. Owns: nothing. Threads: as of the group's calls. Errors:
 * JR_ERROR_INVALID_ARGUMENT. Since: 0.2. */
JR_API jr_status jr_group_stats(const jr_group *group, jr_stats *stats);

#ifdef __cplusplus
}
#endif
#endif
