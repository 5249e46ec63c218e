/* Streaming: host data reduced in parts while the next parts are copied. */
#ifndef JR_HOST_CHUNKED_H
#define JR_HOST_CHUNKED_H

#include "plan/plan.h"

/* Reduces data in host memory through a plan whose algorithm works in parts; out and stream are the run's.
 * device_bytes: that the data may take, 0: the usual. stats: copy_ms, launch_ms and launches are written. The context
 * is current; when this returns, out is complete. */
jr_status jr_stream_reduce(const jr_plan *plan, const void *const *data, const jr_run *run, uint64_t device_bytes,
                           jr_stats *stats);

#endif
