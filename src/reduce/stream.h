/* Streaming: host data reduced in parts while the next parts are copied. */
#ifndef JR_REDUCE_STREAM_H
#define JR_REDUCE_STREAM_H

#include "plan.h"

/* Should this input be streamed? True for much data, and for data beyond the spec's device_bytes, unless the spec names
 * an algorithm that cannot work in parts. */
bool jr_stream_fits(const jr_spec *spec, const jr_reduction *reduction, uint64_t count);

/* Reduces data in host memory through a plan whose algorithm works in parts; out and stream are the run's. stats:
 * copy_ms, launch_ms and launches are written. The context is current; when this returns, out is complete. */
jr_status jr_stream_reduce(const jr_plan *plan, const void *const *data, const jr_run *run, jr_stats *stats);

#endif
