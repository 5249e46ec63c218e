/* The inputs of a reduction: each array's element type, by a built-in type or the caller's struct. */
#ifndef JR_SPEC_REDUCTION_INPUT_H
#define JR_SPEC_REDUCTION_INPUT_H

#include "jitreduce/reduce.h"

enum { JR_TYPE_TEXT_BYTES = 64 };

/* One input array. */
typedef struct jr_input {
    jr_type type;
    size_t bytes, alignment;
    char c_name[JR_TYPE_TEXT_BYTES];     /* in memory */
    char value_name[JR_TYPE_TEXT_BYTES]; /* in registers */
} jr_input;

/* Writes what the arrays of a spec are, and how many. Errors: JR_ERROR_INVALID_ARGUMENT. */
jr_status jr_reduction_input_fill(const jr_spec *spec, jr_input inputs[JR_INPUTS_MAX], int *count);

#endif
