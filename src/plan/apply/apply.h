/* Rows that are reduced, and whose elements are then given values. */
#ifndef JR_PLAN_APPLY_APPLY_H
#define JR_PLAN_APPLY_APPLY_H

#include "plan/plan.h"

/* Has an array the elements of one row, which all rows share? */
static inline bool jr_apply_is_shared(const jr_reduction *reduction, int input) {
    return reduction->spec.row_inputs >> input & 1;
}

/* Refuses values that overlap an array, unless they replace all elements of one: those have the values' size, and are
 * of all rows. run: its count is that of the rows. Errors: JR_ERROR_INVALID_ARGUMENT. */
jr_status jr_apply_check_places(const jr_reduction *reduction, uint64_t length, const jr_run *run);

#endif
