/* The start of a device: its primary context, which the driver takes a tenth of a second to make, maybe meanwhile. */
#ifndef JR_DEVICE_START_H
#define JR_DEVICE_START_H

#include "device.h"

/* Retains the primary context of device->handle: at once, or, when there is a thread to be had, in the background; then
 * device->context and device->primary are not to be read before jr_device_start_wait. Errors: JR_ERROR_DRIVER,
 * JR_ERROR_DEVICE_OUT_OF_MEMORY, JR_ERROR_NO_DEVICE. */
jr_status jr_device_start_primary(jr_device *device, bool in_background);

/* Waits until the context is there; tries again where it could not be made. Threads: any. Errors: as above. */
jr_status jr_device_start_wait(const jr_device *device);

/* Waits, and frees what the start took; the context stays. */
void jr_device_start_end(jr_device *device);

#endif
