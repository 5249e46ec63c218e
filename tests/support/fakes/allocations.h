/* Counts the library's allocations on a device, GPU or simulator. The device's free memory would not show them: other
 * programs use it, too, and the driver allocates in larger pieces. */
#ifndef TESTS_SUPPORT_ALLOCATIONS_H
#define TESTS_SUPPORT_ALLOCATIONS_H

#include "support/fixtures/open_context.h"

typedef struct allocations {
    long made; /* since they are watched */
    long live; /* those of them that are not freed */
} allocations;

/* From now on the context's allocations of device memory are counted, from 0; one context at a time. */
void allocations_watch(const opened *device);

allocations allocations_seen(void);

#endif
