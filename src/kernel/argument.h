/* Arguments, converted to what a kernel's parameters are. */
#ifndef JR_KERNEL_ARGUMENT_H
#define JR_KERNEL_ARGUMENT_H

#include "loaded.h"

/* Writes one argument as its parameter (from 0) has it. to: as many bytes of room as the parameter has.
 * Errors: those of the public jr_kernel_arguments. */
jr_status jr_argument_fill(const jr_kernel *kernel, size_t index, const jr_argument *argument, void *to);

/* Fails because the kernel, whose parameters are known, has another number of them. */
jr_status jr_argument_fail_count(const jr_kernel *kernel, size_t count);

#endif
