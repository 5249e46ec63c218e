/* Elements of the library's types as C's numbers: how expressions see them, and the one rule of conversions. */
#ifndef TESTS_SUPPORT_C_ELEMENT_H
#define TESTS_SUPPORT_C_ELEMENT_H

#include "c_number.h"
#include "jitreduce/types.h"

/* What an element is in an expression: i8 u8 i16 u16 bool are int, floats of 8 and 16 bits float. */
c_type c_element_type(jr_type type);

/* An element as an expression sees it. */
c_number c_element_read(jr_type type, const void *data, uint64_t index);

/* A number as an element of a type, by the rule of jr_value_of_number and of kernels; as expressions see it. */
c_number c_element_converted(jr_type type, c_number number);

/* Writes a number that is an element of the type. */
void c_element_write(jr_type type, void *data, uint64_t index, c_number number);

/* Are both the same element? NaNs are alike, -0 and +0 are not. */
bool c_element_equal(c_number a, c_number b);

#endif
