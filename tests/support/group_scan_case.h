/* What the tests of groups' scans share: specs whose results are exact however the input is cut, and what one device
 * makes of the whole. */
#ifndef TESTS_SUPPORT_GROUP_SCAN_CASE_H
#define TESTS_SUPPORT_GROUP_SCAN_CASE_H

#include "support/group_case.h"

enum { GROUP_SCANS = 10, GROUP_SCAN_BYTES = 8 }; /* of the widest result */

/* Scans of i32. Some do not commute; some have small tiles, and little memory for data that comes from the host. */
void group_scan_specs(jr_spec specs[GROUP_SCANS]);

extern const jr_scan_kind group_scan_kinds[2];

/* Can a spec be scanned so? */
bool group_scan_has(int spec, jr_scan_kind kind);

/* Bytes of a result. */
size_t group_scan_bytes(const jr_spec *spec);

/* What a scan of GROUP_COUNT numbers by one context makes: as many times GROUP_SCAN_BYTES, zeros behind the results.
 * Freed by the caller. */
unsigned char *group_scan_whole(const opened *device, const jr_spec *spec, jr_scan_kind kind, const int32_t *data);

/* Parts of GROUP_COUNT numbers, one behind the other in the memory of one device; results behind each other, too. */
typedef struct group_laid {
    const opened *device;
    int32_t *d_data;
    unsigned char *d_out;
    const void *arrays[GROUP_DEVICES];
    const void *const *in[GROUP_DEVICES];
    uint64_t counts[GROUP_DEVICES];
    void *out[GROUP_DEVICES];
    jr_group_parts parts;
} group_laid;

void group_laid_make(const opened *device, const int32_t *data, group_laid *of);
void group_laid_free(group_laid *of);

/* Cuts them for `count` devices. bytes: of a result. */
void group_laid_cut(size_t count, size_t bytes, group_laid *of);

/* Waits, and asserts that the results are these; makes them zeros. */
void group_laid_assert(const group_laid *of, const unsigned char *wanted);
void group_laid_clear(const group_laid *of);

#endif
