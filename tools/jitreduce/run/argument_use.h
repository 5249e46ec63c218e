/* What an array is used for, held against what the kernel's source says of it: the pointers that a kernel takes, as its
 * source writes them. In PTX a pointer and an integer of 64 bits are the same. */
#ifndef CLI_ARGUMENT_USE_H
#define CLI_ARGUMENT_USE_H

#include "options/cli_options.h"
#include "run_argument.h"

/* A parameter that its source writes as a pointer. */
typedef struct cli_pointer {
    bool found;
    bool constant; /* what it points to */
    jr_type type;  /* that it points to; JR_TYPE_NONE: another one than the library's */
    char text[96]; /* "const float *x" */
} cli_pointer;

/* Finds the pointers that the kernel of the command line takes; none of PTX, and of a source that can be read once. */
cli_exit cli_pointers_read(const cli_options *options, cli_pointer pointers[CLI_ARGUMENTS_MAX], cli_error *error);

/* Fails if an array's elements have another size than what the pointer points to; notes that one are floats and the
 * others are not. Bytes may be anything. */
cli_exit cli_arguments_check_elements(const cli_options *options, const cli_argument *arguments, size_t count,
                                      const cli_pointer *pointers, cli_error *error);

/* Notes which arrays the kernel wrote that are not written back. They lie on the context's device. */
cli_exit cli_arguments_note_dropped(const cli_options *options, const cli_argument *arguments, size_t count,
                                    const cli_pointer *pointers, jr_context *context, cli_error *error);

#endif
