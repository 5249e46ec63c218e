/* Device memory, for programs that do not use CUDA's own headers. Any other device memory does as well. */
#ifndef JITREDUCE_MEMORY_H
#define JITREDUCE_MEMORY_H

#include "context.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Allocates device memory, aligned to 256 bytes.
 * bytes: 0 gives NULL, which every call takes for memory of no bytes. address: written on success only. Its contents
 * are undefined. Owns: the caller frees it with jr_memory_free before closing the context. Threads: any. Errors:
 * JR_ERROR_DEVICE_OUT_OF_MEMORY (with what is free), JR_ERROR_INVALID_ARGUMENT, JR_ERROR_DRIVER, JR_ERROR_DEVICE_FAULT.
 * Since: 0.1. */
JR_API jr_status jr_memory_new(jr_context *context, uint64_t bytes, void **address);

/* Frees device memory, after the work on the device that may use it. address: NULL is fine.
 * Owns: takes the memory. Threads: any. Errors: none. Since: 0.1. */
JR_API void jr_memory_free(jr_context *context, void *address);

/* Copies bytes from host memory to device memory, on the default stream, and waits.
 * Owns: nothing. Threads: any. Errors: JR_ERROR_INVALID_ARGUMENT (also while a stream that waits for the default one is
 * captured), JR_ERROR_DRIVER, JR_ERROR_DEVICE_FAULT. Since: 0.1.
 */
JR_API jr_status jr_memory_write(jr_context *context, void *to, const void *from, uint64_t bytes);

/* Copies bytes from device memory to host memory, after all work of the default stream, and waits.
 * Owns: nothing. Threads: any. Errors: JR_ERROR_INVALID_ARGUMENT (as jr_memory_write), JR_ERROR_DRIVER,
 * JR_ERROR_DEVICE_FAULT (also of a kernel launched before). Since: 0.1. */
JR_API jr_status jr_memory_read(jr_context *context, void *to, const void *from, uint64_t bytes);

#ifdef __cplusplus
}
#endif
#endif
