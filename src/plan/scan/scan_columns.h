/* Scans of columns, and of some of their rows. */
#ifndef JR_SCAN_SCAN_COLUMNS_H
#define JR_SCAN_SCAN_COLUMNS_H

#include "plan/plan.h"

/* What is scanned of an array of columns. */
typedef struct jr_scan_rows {
    uint64_t all;     /* columns of the array: they say how columns are cut */
    uint64_t columns; /* of these, a multiple of inner */
    uint64_t length;  /* rows of each column */
    uint64_t inner;   /* columns side by side */
    uint64_t before;  /* see jr_scan_columns */
    jr_cu_deviceptr carry;
} jr_scan_rows;

/* Launches what scans them; which of them there are run does not say. carry != 0: there are inner columns. */
jr_status jr_scan_rows_run(const jr_plan *plan, const jr_run *run, const jr_scan_rows *rows);
int jr_scan_rows_launches(const jr_plan *plan, const jr_scan_rows *rows);

/* Do all rows of packs of columns lie at 16-byte boundaries, of which `inner` are next to each other? */
bool jr_scan_rows_have_packs(const jr_plan *plan, const jr_run *run, const jr_cut *cut, uint64_t inner);

#endif
