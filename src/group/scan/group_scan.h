/* Scans of a group, over host memory and over parts that lie on its devices. */
#ifndef JR_SCAN_GROUP_SCAN_H
#define JR_SCAN_GROUP_SCAN_H

#include "group/group_plan.h"
#include "group/reduce/group_value.h"

/* Scans host memory of all ranks. */
jr_status jr_group_host_scan(jr_group *group, jr_status status, const jr_spec *spec, const jr_work_data *data,
                             bool exclusive);

/* The public function of the same name. status: whether the parts, which must be complete, could be read; the other
 * ranks learn of a failure. */
jr_status jr_group_plan_scan(jr_group_plan *plan, jr_status status, const jr_group_parts *parts, void *const *d_out);

#endif
