/* Many arrays, which are reduced, each and all together, and whose elements may then be given values. */
#ifndef JR_PLAN_MANY_MANY_ARRAYS_H
#define JR_PLAN_MANY_MANY_ARRAYS_H

#include "plan/plan.h"

/* Refuses a table with an array of a type that the spec does not take, a wrong address, or too many elements. Errors:
 * JR_ERROR_INVALID_ARGUMENT, JR_ERROR_UNSUPPORTED_TYPE. */
jr_status jr_many_check(const jr_reduction *reduction, const jr_segment_layout *layout);

/* Bytes of an element of an array. */
size_t jr_many_element_bytes(const jr_reduction *reduction, const jr_array *array);

#endif
