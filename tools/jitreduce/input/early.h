/* Recognises formats, and reports bad input before all of it has been read: it may be endless. */
#ifndef CLI_EARLY_H
#define CLI_EARLY_H

#include "io/bytes.h"
#include "options/cli_options.h"

/* The format of a file by its first bytes and its name, unless another than AUTO or BINARY is wanted. */
cli_format cli_format_recognise(const cli_bytes *bytes, cli_format wanted);

/* A cli_check; options: the command line's cli_options. Fails as the readers will for the whole input. */
cli_exit cli_early_check(const void *options, const cli_bytes *read, cli_error *error);

#endif
