/* Linked images: programs are compiled, then all parts are linked, unless the disk cache has the result. */
#ifndef JR_KERNEL_LINKED_H
#define JR_KERNEL_LINKED_H

#include "context.h"
#include "jitreduce/link.h"

/* Does what the public jr_image_link does; the inputs' programs are as this version knows them, and inputs have names.
 */
jr_status jr_linked_image(jr_context *context, const jr_link_input *inputs, size_t count, const char *entry,
                          const char *architecture, jr_image **image);

/* Appends the names of an image's kernels. Errors: JR_ERROR_INVALID_ARGUMENT. */
jr_status jr_linked_kernels(const jr_image *image, jr_text *names);

#endif
