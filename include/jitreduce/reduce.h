/* Tier 1: one call, host memory in, one value out. */
#ifndef JITREDUCE_REDUCE_H
#define JITREDUCE_REDUCE_H

#include "context.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Where the block keeps the values that its threads combine. */
typedef enum jr_shared { JR_SHARED_AUTO = 0, JR_SHARED_STATIC = 1, JR_SHARED_DYNAMIC = 2 } jr_shared;

/* What is wanted. Zero-initialise it, then set op and type. Members left 0 are chosen by the library; those that are
 * set become compile-time constants of the kernel (grid excepted: a launch parameter). */
typedef struct jr_spec {
    jr_op op;                /* required */
    jr_type type;            /* required: element type of the input */
    jr_algorithm algorithm;  /* 0: chosen */
    int unroll;              /* independent accumulators (unroll factor, UF) of a thread, 1 to 16; 0: chosen */
    int block;               /* threads a block, multiple of 32, 32 to 1024; 0: chosen */
    int grid;                /* blocks, 1 to 65535; 0: chosen. one_block takes only 1 */
    jr_shared shared;        /* static or dynamic shared memory; 0: chosen */
    const jr_value *initial; /* folded in once; NULL: none. Its type must be the result type. Gives min and max
                              * of an empty input a value */
} jr_spec;

/* Reduces count elements in host memory to one value: copies them to the device, reduces, waits.
 * data: count elements of spec->type, aligned to the element; may be NULL when count is 0; not changed.
 * value: written on success only.
 * Owns: nothing. Threads: any, several at once. Errors: JR_ERROR_EMPTY_INPUT (min, max without initial),
 * JR_ERROR_INVALID_ARGUMENT, JR_ERROR_UNSUPPORTED_TYPE, JR_ERROR_NOT_APPLICABLE, JR_ERROR_COMPILE,
 * JR_ERROR_NVRTC_NOT_FOUND, JR_ERROR_DEVICE_OUT_OF_MEMORY, JR_ERROR_LAUNCH_RESOURCES, JR_ERROR_DRIVER,
 * JR_ERROR_DEVICE_FAULT. Since: 0.1. */
JR_API jr_status jr_reduce_host(jr_context *context, const jr_spec *spec, const void *data, uint64_t count,
                                jr_value *value);

#ifdef __cplusplus
}
#endif
#endif
