/* The public device memory functions (memory.h). */
#include "jitreduce/memory.h"

#include "base/error.h"
#include "device/memory.h"
#include "guard.h"
#include "kernel/context.h"

static jr_cu_deviceptr address_of(const void *pointer) {
    return (jr_cu_deviceptr)(uintptr_t)pointer;
}

jr_status jr_memory_new(jr_context *context, uint64_t bytes, void **address) {
    JR_GUARD_CALL;
    bool pushed;
    jr_cu_deviceptr made = 0;
    if (context == NULL || address == NULL) return jr_fail(JR_ERROR_INVALID_ARGUMENT, "context or address is NULL");
    jr_status status = jr_device_enter(&context->device, &pushed);
    if (status != JR_OK) return status;
    status = jr_memory_allocate(&context->device, bytes, NULL, &made);
    jr_device_leave(&context->device, pushed);
    if (status == JR_OK) *address = (void *)(uintptr_t)made;
    return status;
}

void jr_memory_free(jr_context *context, void *address) {
    JR_GUARD_CALL;
    bool pushed;
    if (context == NULL || address == NULL) return;
    jr_error_saved *saved = jr_error_save();
    if (jr_device_enter(&context->device, &pushed) == JR_OK) {
        jr_memory_release(&context->device, address_of(address), NULL);
        jr_device_leave(&context->device, pushed);
    }
    jr_error_restore(saved);
}

jr_status jr_memory_write(jr_context *context, void *to, const void *from, uint64_t bytes) {
    JR_GUARD_CALL;
    bool pushed;
    if (context == NULL || (bytes > 0 && (to == NULL || from == NULL)))
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "context, to or from is NULL");
    const jr_device *device = &context->device;
    jr_status status = jr_device_enter_to_wait(device, NULL, &pushed);
    if (status != JR_OK) return status;
    status = jr_memory_upload(device, address_of(to), from, bytes, NULL);
    if (status == JR_OK) status = jr_memory_wait(device, NULL);
    jr_device_leave(device, pushed);
    return status;
}

jr_status jr_memory_read(jr_context *context, void *to, const void *from, uint64_t bytes) {
    JR_GUARD_CALL;
    bool pushed;
    if (context == NULL || (bytes > 0 && (to == NULL || from == NULL)))
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "context, to or from is NULL");
    jr_status status = jr_device_enter_to_wait(&context->device, NULL, &pushed);
    if (status != JR_OK) return status;
    status = jr_memory_download(&context->device, to, address_of(from), bytes, NULL);
    jr_device_leave(&context->device, pushed);
    return status;
}
