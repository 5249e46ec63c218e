/* What machine code says of itself: its architecture, and its symbols. Nothing in it is believed before it was checked.
 */
#ifndef JR_LINK_CUBIN_SYMBOLS_H
#define JR_LINK_CUBIN_SYMBOLS_H

#include <stdbool.h>

#include "base/text.h"

/* True and the number of its architecture (90), and whether it can be linked; false: it is no ELF file of 64 bits. */
bool jr_cubin_look(const void *cubin, size_t bytes, int *architecture, bool *relocatable);

/* A symbol that is defined. is_strong: others see it, and there may be only one. */
typedef bool jr_cubin_visit(void *user, const char *name, bool is_kernel, bool is_strong);

/* Visits the functions and variables that are defined, until a visit returns false. False: that, or it is no ELF file
 * of 64 bits, or is cut short or damaged. */
bool jr_cubin_each(const void *cubin, size_t bytes, jr_cubin_visit *visit, void *user);

/* Appends the kernels' names as a list "a; b" (program/entries.h). False: as above. */
bool jr_cubin_kernels(const void *cubin, size_t bytes, jr_text *list);

#endif
