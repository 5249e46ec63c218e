/* PTX text as a caller brings it: for which architecture it is, its kernels, and their parameters. */
#ifndef JR_IMAGE_PTX_TEXT_H
#define JR_IMAGE_PTX_TEXT_H

#include <stdbool.h>

#include "base/text.h"
#include "image.h"

/* Makes an image of PTX text. entry: NULL: the only kernel there is.
 * Errors: those of the public jr_image_read_ptx. */
jr_status jr_ptx_image(const char *ptx, const char *entry, jr_image **image);

/* Appends the names of the kernels of PTX text as a list "a; b" (program/entries.h). */
void jr_ptx_kernels(const char *ptx, jr_text *list);

/* Finds the parameters of a kernel in PTX text. parameters: room for so many; the first ones are written. count: of
 * all. Errors: JR_ERROR_INVALID_ARGUMENT (no such kernel, parameters that cannot be read). */
jr_status jr_ptx_parameters(const char *ptx, const char *entry, jr_kernel_parameter *parameters, size_t room,
                            size_t *count);

/* As jr_ptx_parameters, and fails without a word: false leaves the error record as it was. */
bool jr_ptx_parameters_read(const char *ptx, const char *entry, jr_kernel_parameter *parameters, size_t room,
                            size_t *count);

#endif
