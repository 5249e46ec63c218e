/* Streaming scans: host data scanned in parts, while the next parts come and the results of those before go back. */
#ifndef JR_REDUCE_STREAM_SCAN_H
#define JR_REDUCE_STREAM_SCAN_H

#include "plan.h"

/* Scans data in host memory through a plan whose algorithm scans in parts. run: count and mark, for the host to see at
 * told. results: in host memory; may be data where elements are as large. device_bytes: that data and results may take,
 * 0: the usual. stats: copy_ms, launch_ms, launches and parts are written. The context is current; when this returns,
 * results are complete. Results are written as they come; that some are of no elements and have no value is found
 * before the first, but of segments perhaps behind the last. Errors: JR_ERROR_EMPTY_INPUT, those of the pump. */
typedef struct jr_scan_stream {
    const jr_plan *plan;
    const void *const *data;
    void *results;
    uint64_t count, device_bytes;
    const jr_mapped *mark; /* as of jr_call */
    const jr_run *heads;   /* the count, and where segments lie in host memory */
    uint64_t first;        /* of a part of a larger scan: the number of its first element */
    bool continued;        /* as of jr_run */
} jr_scan_stream;
jr_status jr_stream_scan(const jr_scan_stream *stream, jr_stats *stats);

#endif
