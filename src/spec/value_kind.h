/* An expression's value, found on the host by the rules of C++: the kind on which an omitted type depends, the range of
 * integers, and what is doubtful. */
#ifndef JR_SPEC_VALUE_KIND_H
#define JR_SPEC_VALUE_KIND_H

#include "expression/names.h"
#include "kind_stack.h"

/* What is doubtful about an expression. */
typedef struct jr_value_doubts {
    jr_slip mistake, note; /* the first of each; doubts 0: no such slip */
    jr_slip comparison;    /* if the whole expression is one; else doubts 0 */
    jr_slip wraps;         /* the first operator whose value may not fit its type; doubts 0: none */
    jr_slip cuts;          /* the first quotient of whole numbers that may not be whole; doubts 0: none */
    unsigned all;          /* jr_doubt, of the whole expression */
} jr_value_doubts;

/* The value of an expression. names: where it stands; each of its variables is one letter. variables: their numbers, in
 * their order. The expression has passed jr_expression_check. doubts: may be NULL.
 *
 * A call of what the struct's text declares has an unknown value. So has an expression that the compiler will refuse,
 * if it is not clear what was meant. */
jr_number jr_value_of(const jr_names *names, const jr_number *variables, const char *expression,
                      jr_value_doubts *doubts);

#endif
