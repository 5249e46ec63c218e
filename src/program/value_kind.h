/* The kind of an expression's value, found on the host by the rules of C++: what an omitted type depends on. */
#ifndef JR_PROGRAM_VALUE_KIND_H
#define JR_PROGRAM_VALUE_KIND_H

#include "kind_stack.h"
#include "names.h"

/* The kind that elements and results of a type have in expressions. */
jr_value_kind jr_value_kind_of_type(jr_type type);

/* The kind of an expression's value. names: where it stands; each of its variables is one letter. kinds: of these
 * variables, in their order. The expression has passed jr_expression_check.
 *
 * A call of what the struct's text declares has an unknown value. So has an expression that the compiler will refuse,
 * if it is not clear what was meant. */
jr_value_kind jr_value_kind_of(const jr_names *names, const jr_value_kind *kinds, const char *expression);

#endif
