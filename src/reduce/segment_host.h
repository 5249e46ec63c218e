/* The host reduction of segments: host memory in, host memory out. */
#ifndef JR_REDUCE_SEGMENT_HOST_H
#define JR_REDUCE_SEGMENT_HOST_H

#include "job.h"

/* Does what the public jr_reduce_host_segments does; the arguments have been checked for NULL. */
jr_status jr_segment_host_run(jr_context *context, const jr_spec *spec, const jr_segment_layout *layout,
                              const void *const *data, const jr_segments *segments, void *results);

#endif
