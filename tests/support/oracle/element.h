/* Elements of every type as the tests read and write them; nothing of the library's is used for it. */
#ifndef TESTS_SUPPORT_ELEMENT_H
#define TESTS_SUPPORT_ELEMENT_H

#include <stdbool.h>

#include "jitreduce/types.h"

bool element_is_float(jr_type type);
bool element_is_signed(jr_type type); /* of integers */
size_t element_bytes(jr_type type);

/* The i-th element: of the float types; of the integer types and bool, sign- or zero-extended, as 64-bit arithmetic
 * modulo 2^64 serves them all; of any type, as every 64-bit integer is a long double. */
double element_float(jr_type type, const void *data, uint64_t i);
uint64_t element_integer(jr_type type, const void *data, uint64_t i);
long double element_number(jr_type type, const void *data, uint64_t i);

/* Writes one element: rounded to nearest, ties to even; the low bytes of an integer. */
void element_store_float(jr_type type, void *to, double x);
void element_store_integer(jr_type type, void *to, uint64_t bits);

#endif
