/* Reduces parts, or host memory, by all devices of a rank and by all ranks: a state of each device, an exchange, and
 * the merge of all states in their order. */
#ifndef JR_REDUCE_GROUP_VALUE_H
#define JR_REDUCE_GROUP_VALUE_H

#include "group/group.h"
#include "group/group_plan.h"
#include "jitreduce/work.h"

/* The public function of the same name. status: whether the parts, which must be complete, could be read; the other
 * ranks learn of a failure. */
jr_status jr_group_plan_reduce(jr_group_plan *plan, jr_status status, const jr_group_parts *parts, jr_value *values);

/* The same in steps. The first notes the parts' counts, where each part begins, and how many elements all have: one
 * exchange, in which the other ranks learn of a failure. The second does everything before the merge, in one or two
 * exchanges. */
jr_status jr_group_plan_place(jr_group_plan *plan, jr_status status, const jr_group_parts *parts, uint64_t *elements);
jr_status jr_group_plan_collect(jr_group_plan *plan, jr_status status, const jr_group_parts *parts, uint64_t *elements);

/* Are there arrays and counts, and arrays where the count is not 0? Errors: JR_ERROR_INVALID_ARGUMENT. */
jr_status jr_group_plan_check_parts(const jr_group_plan *plan, const jr_group_parts *parts);

/* Checks that all ranks have sent the same values of parameters. Errors: JR_ERROR_RANKS_DIFFER. */
jr_status jr_group_plan_compare_parameters(const jr_group_plan *plan);

/* Exchanges counts and states, and collects those of all devices in their order. status: how it went so far on this
 * rank. elements: of all. */
jr_status jr_group_plan_gather(jr_group_plan *plan, jr_status status, uint64_t *elements);

/* Reduces host memory of all ranks to data->values. status: whether the spec, which must be whole, could be read. */
jr_status jr_group_host_reduce(jr_group *group, jr_status status, const jr_spec *spec, const jr_work_data *data);

#endif
