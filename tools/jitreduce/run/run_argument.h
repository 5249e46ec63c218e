/* The arguments of a kernel, as --arg gives them: numbers, bytes, and arrays that lie in device memory. */
#ifndef CLI_RUN_ARGUMENT_H
#define CLI_RUN_ARGUMENT_H

#include "base/cli_formula.h"
#include "io/data.h"
#include "options/cli_options.h"

enum { CLI_ARGUMENT_BYTES = 4096 }; /* of one that is passed by value, at most: as the driver takes */

typedef struct cli_argument {
    const char *text; /* as given; borrowed */
    size_t number;    /* from 1 */
    bool array;       /* a pointer to data on the device; else data's elements are the argument itself */
    bool fresh;       /* zeros, from no file */
    bool written_back;
    cli_data data;
    cli_bytes bytes;    /* of the file that data may lie in */
    size_t value_bytes; /* of an argument that is no array */
    bool literal;       /* a number without a type: it takes the parameter's */
    void *device;       /* where an array lies; the kernel is given this pointer */
    const char *output; /* file that it is written to; NULL: none */
} cli_argument;

/* Reads an argument's text and file. argument->text and number are set; the rest is zero. Writes *argument on success
 * only; the caller frees it. */
cli_exit cli_argument_read(cli_argument *argument, const cli_names *names, cli_error *error);

/* Arguments as a kernel takes them. */
typedef struct cli_converted {
    _Alignas(16) unsigned char room[1 << 16];
    void *pointers[CLI_ARGUMENTS_MAX];
} cli_converted;

/* Converts arguments, whose arrays are on the device already if they are to be launched with, to what the kernel takes;
 * the reason of a failure names both. */
cli_exit cli_arguments_convert(cli_argument *arguments, size_t count, const jr_kernel *kernel, cli_converted *converted,
                               cli_error *error);

/* Bytes of an array. */
uint64_t cli_argument_bytes(const cli_argument *argument);

/* Frees what it holds on the host; a zeroed struct is fine. */
void cli_argument_free(cli_argument *argument);

#endif
