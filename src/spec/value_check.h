/* Checks what expressions compute with, once the types of their variables are known. */
#ifndef JR_SPEC_VALUE_CHECK_H
#define JR_SPEC_VALUE_CHECK_H

#include "reduction_input.h"

/* Checks map and where, and identity. Errors: JR_ERROR_INVALID_EXPRESSION. */
jr_status jr_values_check_items(const jr_spec *spec, const jr_input *inputs, int input_count);

/* Checks combine over accumulators of a type, and finish of a result that has a type before. Errors:
 * JR_ERROR_INVALID_EXPRESSION. */
jr_status jr_values_check_results(const jr_spec *spec, jr_type accumulator, jr_type before);

#endif
