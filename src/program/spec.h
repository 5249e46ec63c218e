/* The spec: checks what a caller wants before anything is done for it. */
#ifndef JR_PROGRAM_SPEC_H
#define JR_PROGRAM_SPEC_H

#include "reduction.h"

/* Checks every member: known operators, types and algorithm, ranges, expressions, and that the initial value has the
 * result type; works out what it comes to.
 * reduction: written on success. Errors: JR_ERROR_INVALID_ARGUMENT, JR_ERROR_UNSUPPORTED_TYPE,
 * JR_ERROR_INVALID_EXPRESSION, JR_ERROR_NOT_APPLICABLE, each naming the value and what is allowed. */
jr_status jr_spec_check(const jr_spec *spec, jr_reduction *reduction);

#endif
