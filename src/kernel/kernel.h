/* The spine: program -> key -> image -> module -> kernel, and the struct that a kernel is. */
#ifndef JR_KERNEL_KERNEL_H
#define JR_KERNEL_KERNEL_H

#include "device/module.h"
#include "jitreduce/kernel.h"

struct jr_kernel {
    jr_context *context;
    jr_module module;
    char *name; /* lowered */
};

/* What getting a kernel cost; part of jr_stats. */
typedef struct jr_kernel_cost {
    jr_origin origin;
    double nvrtc_ms, cache_ms, load_ms;
} jr_kernel_cost;

/* Gets the kernel of a program, making it if need be; the context's memo owns it. cost: written on success.
 * Errors: those of the public jr_kernel_get. */
jr_status jr_kernel_find_or_make(jr_context *context, const jr_program *program, jr_kernel **kernel,
                                 jr_kernel_cost *cost);

/* Gets the kernel of an image that the caller brought; the context's memo owns it. */
jr_status jr_kernel_of_image(jr_context *context, const jr_image *image, jr_kernel **kernel, jr_kernel_cost *cost);

/* Unloads and frees a kernel; for the memo. */
void jr_kernel_free(jr_kernel *kernel);

#endif
