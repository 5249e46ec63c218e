/* Fractions of 64 bits, reduced, with a divisor above 0. An overflow is reported, not wrapped. */
#ifndef JR_EXPRESSION_FRACTION_H
#define JR_EXPRESSION_FRACTION_H

#include <stdbool.h>
#include <stdint.h>

typedef struct jr_fraction {
    int64_t above, below;
} jr_fraction;

/* a + sign * b; false: it does not fit. */
bool jr_fraction_add(jr_fraction a, jr_fraction b, int sign, jr_fraction *sum);
/* a * b, of which one may have a divisor below 0, though not 0. */
bool jr_fraction_multiply(jr_fraction a, jr_fraction b, jr_fraction *product);
bool jr_fraction_less(jr_fraction a, jr_fraction b);
/* The least whole number that is not below it. */
int64_t jr_fraction_ceiling(jr_fraction value);

#endif
