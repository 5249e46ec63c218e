/* Checks what expressions compute with, once the types of their variables are known. */
#ifndef JR_SPEC_VALUE_CHECK_H
#define JR_SPEC_VALUE_CHECK_H

#include "reduction_input.h"
#include "whole_values.h"

/* Checks map and where, and identity. Errors: JR_ERROR_INVALID_EXPRESSION. */
jr_status jr_values_check_items(const jr_spec *spec, const jr_input *inputs, int input_count);

/* Checks combine over accumulators of a type, and finish of a result that has a type before. Errors:
 * JR_ERROR_INVALID_EXPRESSION. */
jr_status jr_values_check_results(const jr_spec *spec, jr_type accumulator, jr_type before);

/* Writes a sentence if combine makes another number of the identity and some element; else note stays as it is.
 * element: the range of whole numbers in which all elements lie, and both ends are elements. type: of the accumulator.
 */
void jr_identity_note(const jr_spec *spec, const jr_number *element, jr_type type, char *note, size_t bytes);

#endif
