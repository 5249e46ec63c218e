/* The spine: program -> key -> image -> kernel. */
#ifndef JR_KERNEL_KERNEL_H
#define JR_KERNEL_KERNEL_H

#include "context.h"

/* Gets the kernel of a program, making it if need be; the context's memo owns it. cost: written on success.
 * Errors: those of the public jr_kernel_get. */
jr_status jr_kernel_find_or_make(jr_context *context, const jr_program *program, jr_kernel **kernel,
                                 jr_kernel_cost *cost);

/* The same of a program that the caller wrote: the simulator's reports name lines of its source. The PTX of the
 * library's own programs has none. */
jr_status jr_kernel_of_caller(jr_context *context, const jr_program *program, jr_kernel **kernel, jr_kernel_cost *cost);

/* The same of a program with several entries: the first one's kernel, which has the others as `next`. */
jr_status jr_kernels_of_caller(jr_context *context, const jr_program *program, jr_kernel **first, jr_kernel_cost *cost);

/* Gets the kernel of an image that the caller brought, or the first of several; the context's memo owns it. */
jr_status jr_kernel_of_image(jr_context *context, const jr_image *image, jr_kernel **kernel, jr_kernel_cost *cost);

/* Gets the image of a program for a named architecture by a compiler and a cache; the caller frees it. limit_ms: of a
 * compile, as in jr_options. Any thread. Errors: those of the public jr_image_compile. */
jr_status jr_kernel_image_by(jr_compiler *compiler, jr_cache *cache, double limit_ms, const jr_program *program,
                             const char *architecture, jr_image **image);

/* Gets the image of a program for a named architecture, without any device; the caller frees it.
 * Errors: those of the public jr_image_compile. */
jr_status jr_kernel_image(const jr_options *options, const jr_program *program, const char *architecture,
                          jr_image **image);

/* Gets the image of a program for a named architecture, to be linked with others; the caller frees it.
 * Errors: those of the public jr_image_compile. */
jr_status jr_kernel_image_relocatable(jr_context *context, const jr_program *program, const char *architecture,
                                      jr_image **image);

/* Gets the image of a program for the device of a context, as it would be loaded; the caller frees it.
 * Errors: those of the public jr_image_compile_for. */
jr_status jr_kernel_image_for(jr_context *context, const jr_program *program, jr_image **image);

#endif
