/* Reduces parts whose devices reach each other's memory. */
#ifndef JR_REDUCE_VALUE_MET_H
#define JR_REDUCE_VALUE_MET_H

#include "group/group_plan.h"

/* The value of a plan whose states meet. */
jr_status jr_group_plan_meet(jr_group_plan *plan, const jr_group_parts *parts, uint64_t elements, jr_value *values);

#endif
