/* Which types results have where a spec does not say it: the words of jitreduce/reduce.h, once more. */
#ifndef TESTS_SUPPORT_EXPRESSION_RULE_H
#define TESTS_SUPPORT_EXPRESSION_RULE_H

#include "c_number.h"
#include "jitreduce/types.h"

/* The map_type of an expression whose value is of this type over inputs of these types. */
jr_type expression_map_type(c_type value, const jr_type *inputs, int count);

/* The type of the value of finish or combine over what was of a type before. */
jr_type expression_value_type(c_type value, jr_type before);

/* What accumulates a custom operator's values of a type. */
jr_type expression_register_type(jr_type type);

#endif
