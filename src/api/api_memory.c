/* The public device memory functions (memory.h). */
#include "jitreduce/memory.h"

#include "base/error.h"
#include "device/memory.h"
#include "guard.h"
#include "kernel/context.h"

jr_status jr_memory_new(jr_context *context, uint64_t bytes, void **address) {
    JR_GUARD_CALL;
    jr_cu_deviceptr made = 0;
    JR_TRY(JR_GIVEN(context, address));
    JR_IN_DEVICE(&context->device);
    const jr_status status = jr_memory_allocate(&context->device, bytes, NULL, &made);
    if (status == JR_OK) *address = jr_cu_pointer(made);
    return status;
}

void jr_memory_free(jr_context *context, void *address) {
    JR_GUARD_CALL;
    if (context == NULL || address == NULL) return;
    JR_KEEP_ERROR;
    JR_INSIDE inside = jr_inside_device(&context->device);
    if (inside.status == JR_OK) jr_memory_release(&context->device, jr_cu_address(address), NULL);
}

jr_status jr_memory_write(jr_context *context, void *to, const void *from, uint64_t bytes) {
    JR_GUARD_CALL;
    JR_TRY(JR_GIVEN(context));
    if (bytes > 0) JR_TRY(JR_GIVEN(to, from));
    const jr_device *device = &context->device;
    JR_IN_DEVICE_TO_WAIT(device, NULL);
    JR_TRY(jr_memory_upload(device, jr_cu_address(to), from, bytes, NULL));
    return jr_memory_wait(device, NULL);
}

jr_status jr_memory_read(jr_context *context, void *to, const void *from, uint64_t bytes) {
    JR_GUARD_CALL;
    JR_TRY(JR_GIVEN(context));
    if (bytes > 0) JR_TRY(JR_GIVEN(to, from));
    JR_IN_DEVICE_TO_WAIT(&context->device, NULL);
    return jr_memory_download(&context->device, to, jr_cu_address(from), bytes, NULL);
}
