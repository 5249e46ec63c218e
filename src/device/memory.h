/* Device memory, host memory that kernels write to, and copies. All of these expect the device's context to be current
 * (jr_device_enter). */
#ifndef JR_DEVICE_MEMORY_H
#define JR_DEVICE_MEMORY_H

#include <stdint.h>

#include "device.h"

/* Allocates device memory, 256-byte aligned, from the caller's allocator where the options have one; 0 bytes gives 0.
 * stream: in whose order it is used first; NULL: any may use it at once. No lock may be held. Errors:
 * JR_ERROR_DEVICE_OUT_OF_MEMORY (with what is free), JR_ERROR_INVALID_ARGUMENT (the allocator's is misaligned),
 * JR_ERROR_DRIVER, JR_ERROR_DEVICE_FAULT. */
jr_status jr_memory_allocate(const jr_device *device, uint64_t bytes, jr_cu_stream stream, jr_cu_deviceptr *address);

/* Gives it back. stream: in whose order it was used last; NULL: nothing uses it any more. 0 is fine. */
void jr_memory_release(const jr_device *device, jr_cu_deviceptr address, jr_cu_stream stream);

/* How much device memory is free. Errors: JR_ERROR_DRIVER, JR_ERROR_DEVICE_FAULT. */
jr_status jr_memory_free_bytes(const jr_device *device, uint64_t *bytes);

/* Clears memory, in stream order. */
jr_status jr_memory_clear(const jr_device *device, jr_cu_deviceptr address, size_t bytes, jr_cu_stream stream);

/* Copies on a stream; from pageable memory the source may be reused when the call returns. */
jr_status jr_memory_upload(const jr_device *device, jr_cu_deviceptr to, const void *from, uint64_t bytes,
                           jr_cu_stream stream);

/* Copies back on a stream; into pageable memory the call may return before or after the bytes are there. */
jr_status jr_memory_fetch(const jr_device *device, void *to, jr_cu_deviceptr from, uint64_t bytes, jr_cu_stream stream);

/* Copies within the device's memory, on a stream. */
jr_status jr_memory_copy(const jr_device *device, jr_cu_deviceptr to, jr_cu_deviceptr from, uint64_t bytes,
                         jr_cu_stream stream);

/* Copies back, after everything before it on the stream, and waits. */
jr_status jr_memory_download(const jr_device *device, void *to, jr_cu_deviceptr from, uint64_t bytes,
                             jr_cu_stream stream);

/* Whether the driver knows all of a span: pinned, registered, mapped, managed or device memory, from which a copy needs
 * no staging. Other memory is the host's alone, and the CPU may read it. */
bool jr_memory_is_known(const jr_device *device, const void *address, uint64_t bytes);

/* Waits for all that was put on a stream. Errors: JR_ERROR_DRIVER, JR_ERROR_DEVICE_FAULT of what it waited for. */
jr_status jr_memory_wait(const jr_device *device, jr_cu_stream stream);

/* Allocates pinned host memory, which the driver's cuMemFreeHost frees; 0 bytes gives NULL. Errors:
 * JR_ERROR_OUT_OF_MEMORY, JR_ERROR_DRIVER, JR_ERROR_DEVICE_FAULT. */
jr_status jr_memory_pinned(const jr_device *device, uint64_t bytes, void **host);

/* Mapped memory: host memory that kernels write to. */
typedef struct jr_mapped {
    void *host;
    jr_cu_deviceptr address; /* of the same bytes, for kernels */
} jr_mapped;

/* Allocates and clears. The context must be current. Errors: JR_ERROR_OUT_OF_MEMORY, JR_ERROR_DRIVER,
 * JR_ERROR_DEVICE_FAULT. */
jr_status jr_mapped_create(const jr_device *device, size_t bytes, jr_mapped *mapped);
void jr_mapped_destroy(const jr_device *device, jr_mapped *mapped); /* one that was zeroed is fine */

#endif
