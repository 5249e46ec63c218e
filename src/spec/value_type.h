/* The types that a spec leaves out, where an expression's value decides them. */
#ifndef JR_SPEC_VALUE_TYPE_H
#define JR_SPEC_VALUE_TYPE_H

#include "reduction_input.h"

/* What of the value a decision rests on. The kernel asserts it. */
typedef enum jr_value_rest {
    JR_RESTS_ON_NOTHING,
    JR_RESTS_ON_INTEGER, /* it is neither a float nor a double */
    JR_RESTS_ON_FLOAT,   /* it is a float */
    JR_RESTS_ON_FLOATS   /* it is a float or a double */
} jr_value_rest;

typedef struct jr_value_type {
    jr_type type;
    jr_value_rest rest;
} jr_value_type;

/* The type of map's value: include/jitreduce/reduce.h states the rule. All expressions of the spec are checked, and it
 * has a map. */
jr_value_type jr_value_type_of_map(const jr_spec *spec, const jr_input *inputs, int input_count);

/* The type of products of elements of two types: f32 of floats up to f32, else f64, as dot's result is of one. */
jr_type jr_value_type_of_products(const jr_input *factors);

/* The type of combine's value, and so of the accumulator, over elements of a type. */
jr_value_type jr_value_type_of_combine(const jr_spec *spec, jr_type element);

/* The type of finish's value, from a result that has a type before. */
jr_value_type jr_value_type_of_finish(const jr_spec *spec, jr_type before);

/* The type of apply's values, of a spec that may have them. Errors: JR_ERROR_INVALID_ARGUMENT,
 * JR_ERROR_UNSUPPORTED_TYPE, JR_ERROR_NOT_APPLICABLE. */
jr_status jr_value_type_of_apply(const jr_spec *spec, const jr_input *inputs, int input_count, jr_type *type);

#endif
