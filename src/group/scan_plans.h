/* What scan plans have in addition to their parts. */
#ifndef JR_GROUP_SCAN_PLANS_H
#define JR_GROUP_SCAN_PLANS_H

#include "plan/plan.h"

/* The spec of a part's fold: what the caller says of algorithm and tuning is of scans. */
jr_spec jr_scan_plans_fold(const jr_spec *spec);

/* Makes a device's scan, which continues other devices' scans or is the only one, and the fold of the states before it.
 * On host memory each device's scan is made when its count is known: the spec is checked, and the fold made. */
jr_status jr_scan_plans_make(const jr_spec *spec, const jr_job *scanned, jr_plan **scan, jr_plan **carry);
jr_status jr_scan_plans_make_of_host(const jr_spec *spec, const jr_job *scanned, jr_plan **carry);

#endif
