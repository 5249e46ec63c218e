/* All-reduces of segments: what their ways have in common. Each device folds its parts to a state of each segment,
 * these come to all devices, and each device merges them segment by segment. */
#ifndef JR_ALLREDUCE_ALLREDUCE_SEGMENTS_H
#define JR_ALLREDUCE_ALLREDUCE_SEGMENTS_H

#include "allreduce.h"

/* Looks whether the parts can be taken, and whether all ranks can; makes room for so many segments, which waits for the
 * last run if that had another count. Of no segments nothing else is to be done. */
jr_status jr_allreduce_segments_begin(jr_allreduce *allreduce, jr_status status, const jr_group_parts *parts);

/* Folds the parts of this rank's devices; where each device's states go in this run, and how many bytes they are. */
jr_status jr_allreduce_segments_fold(const jr_allreduce *allreduce, const jr_group_parts *parts);
jr_cu_deviceptr jr_allreduce_segments_states(const jr_allreduce *allreduce, size_t index);
uint64_t jr_allreduce_segments_bytes(const jr_allreduce *allreduce);

/* By peers, where there are so many bytes of states that each device merges its share of the segments for all: how many
 * segments a share has, the last ones perhaps fewer; 0: there are no shares. And where all devices leave the results
 * for one of them. */
uint64_t jr_allreduce_segments_share(const jr_allreduce *allreduce, uint64_t count);
jr_cu_deviceptr jr_allreduce_segments_merged(const jr_allreduce *allreduce, size_t index);

/* Then: when all devices have told of their states (room.folded), merges the shares, and copies the results. */
jr_status jr_allreduce_segments_merge_shares(const jr_allreduce *allreduce, void *const *d_out);

/* By peers, where there are so few that the states meet in slots of all devices, whose kernels wait for them; what that
 * needs, once; and a run. */
bool jr_allreduce_segments_meets(const jr_allreduce *allreduce, uint64_t count);
jr_status jr_allreduce_segments_prepare_met(jr_allreduce *allreduce, const jr_spec *spec);
jr_status jr_allreduce_segments_run_met(jr_allreduce *allreduce, const jr_group_parts *parts, void *const *d_out);

/* By peers: records an event on a device's stream; copies from another device's memory, or its own, to that of device
 * `to`, whose context is current, on its stream. */
jr_status jr_allreduce_segments_record(const jr_allreduce *allreduce, size_t index, jr_cu_event event);
jr_cu_result jr_allreduce_segments_copy(const jr_allreduce *allreduce, size_t to, jr_cu_deviceptr target, size_t from,
                                        jr_cu_deviceptr source, uint64_t bytes);

/* Merges what has come to a device, or to each. */
jr_status jr_allreduce_segments_merge(const jr_allreduce *allreduce, size_t index, void *const *d_out);
jr_status jr_allreduce_segments_merge_all(const jr_allreduce *allreduce, void *const *d_out);

/* Frees the room; jr_allreduce_row.release. */
void jr_allreduce_segments_free(jr_allreduce *allreduce);

#endif
