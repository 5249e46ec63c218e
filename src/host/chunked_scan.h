/* Streaming scans: host data scanned in parts, while the next parts come and the results of those before go back. */
#ifndef JR_HOST_CHUNKED_SCAN_H
#define JR_HOST_CHUNKED_SCAN_H

#include "device/pump.h"
#include "plan/plan.h"
#include "segment_parts.h"

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

/* The same of columns: whole slabs in parts; of one that is larger than a part some rows, or some columns of one row,
 * behind what stands before them in their columns. */
jr_status jr_stream_scan_columns(const jr_scan_stream *stream, jr_stats *stats);

/* What both have in common: what the pump is asked for, but for how the arrays are cut; what a part takes; a part as a
 * run; whether a result is of no elements and has no value, and whether one of the first part is, for which its stream
 * is waited for where that may be. */
jr_pump_request jr_scan_stream_request(const jr_scan_stream *stream);
jr_part_costs jr_scan_stream_costs(const jr_scan_stream *stream);
jr_run jr_scan_stream_part(const jr_scan_stream *stream, const jr_chunk *chunk);
jr_status jr_scan_stream_check(const jr_scan_stream *stream);
jr_status jr_scan_stream_check_first(const jr_scan_stream *stream, const jr_chunk *chunk);

#endif
