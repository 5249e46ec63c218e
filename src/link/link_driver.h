/* The driver's linker, for machines without nvJitLink. */
#ifndef JR_LINK_LINK_DRIVER_H
#define JR_LINK_LINK_DRIVER_H

#include "device/device.h"
#include "link_part.h"

/* Has the driver of a device a linker? */
bool jr_link_driver_has(const jr_device *device);

/* Links for a device, of which the architecture must be. Errors: those of jr_link_cubin. */
jr_status jr_link_by_driver(const jr_device *device, const jr_link_part *parts, size_t count, const char *architecture,
                            jr_linked *linked);

#endif
