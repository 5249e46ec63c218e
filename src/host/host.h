/* The calls on host memory: what each of the public functions does, with arguments that were checked for NULL. */
#ifndef JR_HOST_HOST_H
#define JR_HOST_HOST_H

#include "plan/job.h"

/* jr_reduce_host_arrays. adviser: NULL for none. */
jr_status jr_host_reduce(jr_context *context, const jr_spec *spec, const jr_adviser *adviser, const void *const *data,
                         uint64_t count, jr_value *values);

/* Folds a part of host memory, whose first element has the number `first` in the whole, to its state. state: room for
 * accumulator_bytes of the reduction; written on success only. */
typedef struct jr_host_part {
    const void *const *data;
    uint64_t count, first;
    jr_stats *stats; /* what it cost; written on success only; NULL: not asked for */
} jr_host_part;
jr_status jr_host_fold(jr_context *context, const jr_spec *spec, const jr_host_part *part, void *state);

/* JR_WORK_APPLY; layout: settled, rows. */
jr_status jr_apply_host_run(jr_context *context, const jr_spec *spec, const jr_segment_layout *layout,
                            const jr_work_data *data);

/* JR_SEGMENTS_ARRAYS; out: of a reduction not NULL. */
jr_status jr_many_host_run(jr_context *context, const jr_spec *spec, const jr_segment_layout *layout, void *out);

/* jr_reduce_host_segments of segments by keys; the second one by the fixed tree, too. */
jr_status jr_runs_host_run(jr_context *context, const jr_spec *spec, const jr_segment_layout *layout,
                           const jr_work_data *data);
jr_status jr_runs_host_run_tree(jr_context *context, const jr_spec *spec, const jr_segment_layout *layout,
                                const jr_work_data *data);

/* Some of the segments of a larger call, which may fail yet: what they cost is written to stats, on success only, and
 * not kept by the context. */
typedef struct jr_segment_share {
    const jr_work_data *data;
    uint64_t first;      /* the number of the first segment in the larger call */
    jr_stats *stats;     /* NULL: they are all, and the context keeps it */
    const jr_view *view; /* where elements lie that lie apart; NULL: they do not */
} jr_segment_share;
jr_status jr_segment_host_share(jr_context *context, const jr_spec *spec, const jr_segment_layout *layout,
                                const jr_segment_share *share);

/* A scan of host memory: of data->count elements, or of segments, if there is a layout (checked: kind is not 0). */
typedef struct jr_scan_asked {
    bool exclusive;
    const jr_work_data *data;  /* offsets and keys in host memory, too */
    jr_segment_layout layout;  /* kind 0: none */
    const jr_view *view;       /* as in jr_segment_share */
    const jr_adviser *adviser; /* NULL: none */
    bool is_part;              /* of a larger scan, of which no segments are scanned */
    uint64_t first;            /* then: the number of its first element */
    const void *carry;         /* and the fold of all before it, the initial value included; NULL: nothing is */
    jr_stats *stats;           /* see jr_segment_share */
} jr_scan_asked;

/* jr_scan_host_arrays, jr_scan_host_segments */
jr_status jr_scan_host_run(jr_context *context, const jr_spec *spec, const jr_scan_asked *asked);

/* Checks such a scan of segments as a whole, of which shares will be run. count: of its elements. */
jr_status jr_scan_host_check(const jr_reduction *reduction, const jr_scan_asked *asked, uint64_t *count);

#endif
