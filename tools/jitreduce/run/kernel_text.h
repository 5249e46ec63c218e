/* The pointers that a kernel takes, as its source writes them: in PTX a pointer and an integer of 64 bits are the same.
 */
#ifndef CLI_KERNEL_TEXT_H
#define CLI_KERNEL_TEXT_H

#include "options/cli_options.h"

/* A parameter that its source writes as a pointer. */
typedef struct cli_pointer {
    bool found;
    bool constant; /* what it points to */
    jr_type type;  /* that it points to; JR_TYPE_NONE: another one than the library's */
    char text[96]; /* "const float *x" */
} cli_pointer;

/* Finds the pointers among a kernel's parameters, by their place. entry: NULL: the only kernel. None where the text has
 * no such kernel, or several whose parameters differ: a template's, say, or those of a branch. */
void cli_kernel_pointers(const char *source, const char *entry, cli_pointer pointers[CLI_ARGUMENTS_MAX]);

#endif
