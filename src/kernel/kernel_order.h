/* Kernels that other threads make: an order for one, and all of a list at once. */
#ifndef JR_KERNEL_KERNEL_ORDER_H
#define JR_KERNEL_KERNEL_ORDER_H

#include "kernel.h"

/* Begins to make the kernel of a program on a thread of its own; the program is copied. ready: NULL: nobody is called.
 * Errors: JR_ERROR_OUT_OF_MEMORY. */
jr_status jr_order_begin(jr_context *context, const jr_program *program, jr_kernel_ready *ready, void *user,
                         jr_kernel_order **order);

/* Waits for its end, for wait_ms at most; *kernel NULL on success: it has not ended. Errors: what the making gave. */
jr_status jr_order_wait(jr_kernel_order *order, double wait_ms, jr_kernel **kernel);

/* Frees an order, after waiting for its end, unless its own callback calls this: then it is freed when that returns. */
void jr_order_end(jr_kernel_order *order);

/* Makes the kernels of all programs, several at once; kernels[i] is NULL where that failed. Errors: those of the first
 * program that failed, which the message names by its index. */
jr_status jr_orders_all(jr_context *context, const jr_program *programs, size_t count, jr_kernel **kernels);

#endif
