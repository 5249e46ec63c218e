/* The public functions of variables in a kernel's module (kernel.h). */
#include "base/error.h"
#include "device/memory.h"
#include "guard.h"
#include "kernel/kernel.h"

/* The context is current. */
static jr_status find_global(const jr_kernel *kernel, const char *name, jr_cu_deviceptr *address, size_t *bytes) {
    const jr_driver *driver = &kernel->device->driver;
    return jr_driver_check(driver, driver->cuModuleGetGlobal_v2(address, bytes, kernel->module.handle, name),
                           "finding the variable %s", name);
}

jr_status jr_kernel_global_find(jr_kernel *kernel, const char *name, void **address, size_t *bytes) {
    JR_GUARD_CALL;
    JR_TRY(JR_GIVEN(kernel, name, address, bytes));
    const jr_device *device = kernel->device;
    JR_IN_DEVICE(device);
    jr_cu_deviceptr found = 0;
    size_t found_bytes = 0;
    JR_TRY(find_global(kernel, name, &found, &found_bytes));
    *address = jr_cu_pointer(found);
    *bytes = found_bytes;
    return JR_OK;
}

/* Finds a variable of which so many bytes are to be copied. The context is current. */
static jr_status find_to_copy(const jr_kernel *kernel, const char *name, size_t bytes, jr_cu_deviceptr *address) {
    size_t all = 0;
    JR_TRY(find_global(kernel, name, address, &all));
    if (bytes <= all) return JR_OK;
    return jr_fail(JR_ERROR_INVALID_ARGUMENT, "%zu bytes are too many for the variable %s, which has %zu", bytes, name,
                   all);
}

jr_status jr_kernel_global_write(jr_kernel *kernel, const char *name, const void *from, size_t bytes) {
    JR_GUARD_CALL;
    jr_cu_deviceptr to = 0;
    JR_TRY(JR_GIVEN(kernel, name, from));
    const jr_device *device = kernel->device;
    JR_IN_DEVICE_TO_WAIT(device, NULL);
    JR_TRY(find_to_copy(kernel, name, bytes, &to));
    JR_TRY(jr_memory_upload(device, to, from, bytes, NULL));
    return jr_memory_wait(device, NULL);
}

jr_status jr_kernel_global_read(jr_kernel *kernel, const char *name, void *to, size_t bytes) {
    JR_GUARD_CALL;
    jr_cu_deviceptr from = 0;
    JR_TRY(JR_GIVEN(kernel, name, to));
    JR_IN_DEVICE_TO_WAIT(kernel->device, NULL);
    JR_TRY(find_to_copy(kernel, name, bytes, &from));
    return jr_memory_download(kernel->device, to, from, bytes, NULL);
}
