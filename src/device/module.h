/* The module: an image loaded into the driver, cubin first, PTX when the cubin is not for this device. */
#ifndef JR_DEVICE_MODULE_H
#define JR_DEVICE_MODULE_H

#include "device.h"
#include "image/image.h"

typedef struct jr_module {
    jr_cu_module handle;
    jr_cu_function function; /* of one kernel in it */
} jr_module;

/* Loads an image. The context must be current.
 * Errors: JR_ERROR_LOAD (neither cubin nor PTX is taken: the message has both reasons, the record the JIT's log),
 * JR_ERROR_DEVICE_OUT_OF_MEMORY, JR_ERROR_DRIVER, JR_ERROR_DEVICE_FAULT. */
jr_status jr_module_load(const jr_device *device, const jr_image *image, jr_module *module);

/* Finds a kernel of a loaded module. The context must be current. Errors: JR_ERROR_DRIVER. */
jr_status jr_module_find(const jr_device *device, const char *entry, jr_module *module);
void jr_module_unload(const jr_device *device, jr_module *module);

#endif
