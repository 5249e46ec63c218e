/* Device memory, for programs that do not use CUDA's own headers. Device memory from elsewhere (cudaMalloc, a
 * framework's pool) works as well.
 * Manual: embedding.md. */
#ifndef JITREDUCE_MEMORY_H
#define JITREDUCE_MEMORY_H

#include "context.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Allocates device memory, aligned to 256 bytes. Its contents are undefined.
 *
 * bytes: the size; 0 gives NULL, which every call accepts as memory of 0 bytes.
 * address: where the address is written, on success only.
 *
 * Owns: the caller frees the memory with jr_memory_free before closing the context.
 * Threads: any.
 * Errors: JR_ERROR_DEVICE_OUT_OF_MEMORY (the message says how much is free), JR_ERROR_INVALID_ARGUMENT,
 *   JR_ERROR_DRIVER, JR_ERROR_DEVICE_FAULT.
 * Since: 0.1. */
JR_API jr_status jr_memory_new(jr_context *context, uint64_t bytes, void **address);

/* Frees device memory, after the work on the device that may use it is complete.
 *
 * address: from jr_memory_new of the same context; may be NULL.
 *
 * Owns: takes the memory.
 * Threads: any.
 * Errors: none.
 * Since: 0.1. */
JR_API void jr_memory_free(jr_context *context, void *address);

/* Copies bytes from host memory to device memory, on the default stream, and waits until the copy is complete.
 *
 * to: device memory, no alignment required; may be NULL if `bytes` is 0.
 * from: host memory, no alignment required; may be NULL if `bytes` is 0.
 * bytes: how many; may be 0.
 *
 * Owns: nothing.
 * Threads: any.
 * Errors: JR_ERROR_INVALID_ARGUMENT (also while a stream that waits for the default stream is being captured),
 *   JR_ERROR_DRIVER, JR_ERROR_DEVICE_FAULT.
 * Since: 0.1. */
JR_API jr_status jr_memory_write(jr_context *context, void *to, const void *from, uint64_t bytes);

/* Copies bytes from device memory to host memory, after all earlier work of the default stream, and waits until the
 * copy is complete.
 *
 * to: host memory, no alignment required; may be NULL if `bytes` is 0.
 * from: device memory, no alignment required; may be NULL if `bytes` is 0.
 * bytes: how many; may be 0.
 *
 * Owns: nothing.
 * Threads: any.
 * Errors: JR_ERROR_INVALID_ARGUMENT (also while a stream that waits for the default stream is being captured),
 *   JR_ERROR_DRIVER, JR_ERROR_DEVICE_FAULT (also of a kernel that was launched before).
 * Since: 0.1. */
JR_API jr_status jr_memory_read(jr_context *context, void *to, const void *from, uint64_t bytes);

#ifdef __cplusplus
}
#endif
#endif
