/* What the tests of groups share: specs whose results are exact however the input is cut, and groups of one device that
 * is named several times. */
#ifndef TESTS_SUPPORT_GROUP_CASE_H
#define TESTS_SUPPORT_GROUP_CASE_H

#include "support/plan_case.h"

enum { GROUP_COUNT = 30011, GROUP_DEVICES = 7, GROUP_SPECS = 15, GROUP_BYTES = 256 };

/* Reductions of i32, bit for bit the same in parts and in one. Some do not commute. */
void group_specs(jr_spec specs[GROUP_SPECS]);

/* Numbers for them: small, with zeros among them. Freed by the caller. */
int32_t *group_numbers(void);

/* Where the parts of count devices begin, and where the last one ends; some are empty or have one element. */
void group_cut(size_t count, uint64_t begins[GROUP_DEVICES + 1]);

/* A group of the device under test, count times. */
jr_group *group_new(const opened *device, size_t count);

/* The same as a rank of ranks, twice. */
jr_status group_open_rank(const opened *device, const jr_group_options *options, jr_group **group);

/* What a group's plan makes of parts that lie one behind the other in device memory. element: bytes of one. */
jr_status group_value(jr_group_plan *plan, const void *d_data, size_t element, const uint64_t *begins,
                      jr_value *values);

/* The values that a plan of the whole gives. */
void group_whole(const opened *device, const jr_spec *spec, const void *d_data, uint64_t count, jr_value *values);

/* How many values a spec has. */
int group_value_count(const jr_spec *spec);

/* Asserts that they are the same to the bit. */
void group_assert_same(const jr_value *values, const jr_value *wanted, int count);

#endif
