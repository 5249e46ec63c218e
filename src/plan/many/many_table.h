/* The table of many arrays, which are reduced, each and all together, and whose elements may then be given values. */
#ifndef JR_PLAN_MANY_MANY_TABLE_H
#define JR_PLAN_MANY_MANY_TABLE_H

#include "plan/plan.h"

/* Refuses a table with an array of a type that the spec does not take, a wrong address, or too many elements. Errors:
 * JR_ERROR_INVALID_ARGUMENT, JR_ERROR_UNSUPPORTED_TYPE. */
jr_status jr_many_check(const jr_reduction *reduction, const jr_segment_layout *layout);

/* Where a plan's table has what, in bytes from its beginning, at which the slices are; blocks and warps of each are
 * those of the first launch. */
typedef struct jr_many_places {
    uint64_t slice_count, blocks, warps;
    uint64_t arrays, firsts, starts, end;
} jr_many_places;
jr_many_places jr_many_places_of(const jr_plan *plan);

/* Makes the table of a plan whose block and wave are known. */
jr_status jr_many_prepare(const jr_job *job, jr_plan *plan);

/* Bytes of an element of an array. */
size_t jr_many_element_bytes(const jr_reduction *reduction, const jr_array *array);

#endif
