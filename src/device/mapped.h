/* Mapped memory: host memory that kernels write to. */
#ifndef JR_DEVICE_MAPPED_H
#define JR_DEVICE_MAPPED_H

#include "device.h"

typedef struct jr_mapped {
    void *host;
    jr_cu_deviceptr address; /* of the same bytes, for kernels */
} jr_mapped;

/* Allocates and clears. The context must be current. Errors: JR_ERROR_OUT_OF_MEMORY, JR_ERROR_DRIVER,
 * JR_ERROR_DEVICE_FAULT. */
jr_status jr_mapped_create(const jr_device *device, size_t bytes, jr_mapped *mapped);
void jr_mapped_destroy(const jr_device *device, jr_mapped *mapped); /* one that was zeroed is fine */

#endif
