/* The inputs of a reduction: each array's element type, by a built-in type or the caller's struct. */
#ifndef JR_PROGRAM_REDUCTION_INPUT_H
#define JR_PROGRAM_REDUCTION_INPUT_H

#include "reduction.h"

/* Fills in input_count and inputs. Errors: JR_ERROR_INVALID_ARGUMENT. */
jr_status jr_reduction_input_fill(const jr_spec *spec, jr_reduction *reduction);

#endif
