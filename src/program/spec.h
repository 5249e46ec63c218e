/* The spec: checks what a caller wants before anything is done for it. */
#ifndef JR_PROGRAM_SPEC_H
#define JR_PROGRAM_SPEC_H

#include "jitreduce/reduce.h"

/* Checks every member: known operator, type and algorithm, ranges, and that the initial value has the result type.
 * accumulator: written on success. Errors: JR_ERROR_INVALID_ARGUMENT, JR_ERROR_UNSUPPORTED_TYPE,
 * JR_ERROR_NOT_APPLICABLE, each naming the value and what is allowed. */
jr_status jr_spec_check(const jr_spec *spec, jr_type *accumulator);

#endif
