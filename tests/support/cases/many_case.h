/* Tables of many arrays: made in one allocation, with the same elements as numbers. */
#ifndef TESTS_MANY_CASE_H
#define TESTS_MANY_CASE_H

#include "support/fixtures/group_case.h"
#include "support/oracle/element.h"

enum { ARRAYS_MAX = 64 };

/* Arrays in one allocation of device memory, and the same elements as numbers. */
typedef struct tables {
    unsigned char *d_bytes, *h_bytes;
    jr_array arrays[ARRAYS_MAX];
    uint64_t offsets[ARRAYS_MAX], bytes;
    long double *numbers[ARRAYS_MAX];
    uint64_t count;
} tables;

/* Adds an array of `count` elements, `beyond` elements after a 16-byte boundary. */
void add_array(tables *made, jr_type type, uint64_t count, int beyond);

/* Allocates and fills the arrays that were added, with numbers of -1 to 1; and frees them. */
void fill_arrays(const opened *device, tables *made);
void free_arrays(const opened *device, tables *made);

jr_segment_layout layout_of(const tables *made);

/* Fails the test if array a has another value. */
void assert_near(long double got, long double wanted, long double allowed, const char *what, uint64_t a);

#endif
