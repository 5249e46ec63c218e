/* The request: the spec that command line and input add up to, and what it holds together. */
#ifndef CLI_REQUEST_H
#define CLI_REQUEST_H

#include "options/cli_options.h"

typedef struct cli_request {
    jr_spec spec; /* points into this struct, which must not be copied, and into the options */
    jr_parameter parameters[JR_PARAMETERS_MAX];
    jr_structure structure;
    jr_value initial;
    int op_count; /* 1 or more; 0: the only result is the number of elements */
    jr_op ops[JR_OPS_MAX];
    jr_result_layout results; /* those of the operators come first */
} cli_request;

/* Makes the request for inputs of these types. Fails as the library's check of the spec does. */
cli_exit cli_request_make(const cli_options *options, const jr_type *types, int input_count, cli_request *request,
                          cli_error *error);

/* The type that an operator's result has over the values that --map gives, before --finish and --result; of JR_OP_MIN
 * the type of these values. JR_TYPE_NONE: the operator does not take them. */
jr_type cli_request_type_of(const cli_request *request, jr_op op);

/* Finds what is wrong with a command line whatever its input will be: a usage error. */
cli_exit cli_request_check(const cli_options *options, cli_error *error);

#endif
