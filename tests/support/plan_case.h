/* What the tests of plans share: an input whose sums are known, and plans of sums. */
#ifndef TESTS_SUPPORT_PLAN_CASE_H
#define TESTS_SUPPORT_PLAN_CASE_H

#include "support/open_context.h"

enum { MOST = 300007 }; /* elements of the usual input */

#define ONE_ALGORITHM(name, number, text) +1
enum { ALGORITHM_COUNT = 0 JR_ALGORITHMS(ONE_ALGORITHM) };
#define FOR_EACH_ALGORITHM(a)                                                                                          \
    for (jr_algorithm a = JR_ALGORITHM_SINGLE_PASS; (int)a <= ALGORITHM_COUNT; a = (jr_algorithm)(a + 1))

/* 0, 1, 2, ... in device memory, and the sum of the first count of them. */
uint32_t *iota_new(const opened *device, uint64_t count);
uint64_t iota_sum(uint64_t count);

/* A plan for the sum of u32. */
jr_plan *sum_plan(const opened *device, jr_algorithm algorithm);

uint64_t word_read(const opened *device, const uint64_t *d_word);

#endif
