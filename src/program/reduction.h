/* The reduction: what a spec comes to: every type and size in it, and the operator as the kernels' text names it. */
#ifndef JR_PROGRAM_REDUCTION_H
#define JR_PROGRAM_REDUCTION_H

#include <stdbool.h>

#include "jitreduce/reduce.h"

enum { JR_OPERATOR_TEXT_BYTES = 1280, JR_TYPE_TEXT_BYTES = 64 };

/* One result as it lies in device memory. */
typedef struct jr_output {
    jr_type type;
    size_t bytes, offset;
} jr_output;

/* One input array. */
typedef struct jr_input {
    jr_type type;
    size_t bytes, alignment;
    char c_name[JR_TYPE_TEXT_BYTES];     /* in memory */
    char value_name[JR_TYPE_TEXT_BYTES]; /* in registers */
} jr_input;

typedef struct jr_reduction {
    int input_count, output_count;
    jr_input inputs[JR_INPUTS_MAX];
    jr_output outputs[JR_OPS_MAX];
    size_t output_bytes, output_alignment; /* of all results together */
    size_t accumulator_bytes, accumulator_alignment;
    jr_op empty_op; /* an operator that has no value for an empty input, nor an initial one; JR_OP_NONE: none */
    bool commutative;
    bool skips_nan; /* elements that are NaN are not given to the operator */
    bool has_expressions;
    bool bits_operators, order_operators, index_operators, statistics_operators; /* files of operators needed */
    char mapped_name[JR_TYPE_TEXT_BYTES];                                        /* what the operator is given */
    char accumulator_name[JR_TYPE_TEXT_BYTES];  /* of a single number or struct; "" otherwise */
    char result_name[JR_TYPE_TEXT_BYTES];       /* of the first result */
    char operator_text[JR_OPERATOR_TEXT_BYTES]; /* "jr_both<jr_min<float, float, float>, ...>" */
} jr_reduction;

/* Works out a spec: checks its operators, types, inputs and expressions' presence.
 * reduction: written on success. Errors: JR_ERROR_INVALID_ARGUMENT, JR_ERROR_UNSUPPORTED_TYPE. */
jr_status jr_reduction_of(const jr_spec *spec, jr_reduction *reduction);

/* Fails when an empty input has no value. Errors: JR_ERROR_EMPTY_INPUT. */
jr_status jr_reduction_check_empty(const jr_reduction *reduction);

#endif
