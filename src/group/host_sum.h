/* Sums of states on the host, to the bits that a merge on a device makes. */
#ifndef JR_GROUP_HOST_SUM_H
#define JR_GROUP_HOST_SUM_H

#include <stddef.h>

#include "spec/reduction.h"

/* Can states of a reduction, so many, be added on the host? */
bool jr_host_sum_can(const jr_reduction *reduction, size_t count);

/* Adds them in their order, neighbours first as kernels_src/reduce/finish.cu does. states: `count` of them,
 * consecutive. value: written where true is returned. False: the sum is a NaN, whose bits a device decides. */
bool jr_host_sum(const jr_reduction *reduction, const void *states, size_t count, jr_value *value);

#endif
