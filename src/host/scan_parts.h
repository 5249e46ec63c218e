/* Parts of scans of segments by offsets and keys: which elements go through the device together, with what beside them
 * tells where segments begin.
 *
 * A part is whole tiles, as of a scan of all: segments go on from one to the next. Beside it come the offsets from the
 * last one before its first element to the first one behind its last; or its keys, and the one before them. */
#ifndef JR_HOST_SCAN_PARTS_H
#define JR_HOST_SCAN_PARTS_H

#include "plan/plan.h"
#include "segment_parts.h"

typedef struct jr_scan_parts {
    jr_segment_parts list;
    jr_run heads;      /* the count, and offsets that end with it, or keys, in host memory; what the list's are of */
    uint64_t *offsets; /* own ones; NULL: those that were given */
} jr_scan_parts;

/* costs: segment_bytes are an offset's or a key's, granule_count a tile's. parts: with the caller's heads, else zeroed;
 * jr_scan_parts_free must follow. Where many empty segments stand at one place
 * their offsets are left out. Errors: JR_ERROR_INVALID_ARGUMENT (the limit is too small), JR_ERROR_OUT_OF_MEMORY. */
jr_status jr_scan_parts_cut(const jr_part_costs *costs, jr_scan_parts *parts);
void jr_scan_parts_free(jr_scan_parts *parts); /* one that was zeroed is fine */

#endif
