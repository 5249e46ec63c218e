/* Transfers: the tasks that copy and fill memory. */
#ifndef JRS_DRIVER_TRANSFER_H
#define JRS_DRIVER_TRANSFER_H

#include "call.h"

typedef struct jrs_copy {
    uint64_t target, source;
    size_t bytes;
    bool target_on_device, source_on_device; /* checked again when run: a graph may outlive its memory */
} jrs_copy;

/* staged: the source's bytes are taken now, so that the caller may change them. NULL when out of memory. */
jrs_task *jrs_copy_create(jrs_driver *driver, const jrs_copy *copy, bool staged);

typedef struct jrs_fill {
    uint64_t target;
    size_t count; /* elements */
    unsigned value;
    unsigned width; /* bytes of an element: 1 or 4 */
} jrs_fill;

jrs_task *jrs_fill_create(jrs_driver *driver, const jrs_fill *fill);

#endif
