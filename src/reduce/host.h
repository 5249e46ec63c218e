/* The calls on host memory: what each of the public functions does, with arguments that were checked for NULL. */
#ifndef JR_REDUCE_HOST_H
#define JR_REDUCE_HOST_H

#include "job.h"

/* jr_reduce_host_arrays. adviser: NULL for none. */
jr_status jr_host_reduce(jr_context *context, const jr_spec *spec, const jr_adviser *adviser, const void *const *data,
                         uint64_t count, jr_value *values);

/* jr_reduce_host_segments */
jr_status jr_segment_host_run(jr_context *context, const jr_spec *spec, const jr_segment_layout *layout,
                              const void *const *data, const jr_segments *segments, void *results);

/* jr_scan_host_arrays */
jr_status jr_scan_host_run(jr_context *context, const jr_spec *spec, jr_scan_kind kind, const void *const *data,
                           uint64_t count, void *out);

#endif
