/* The program of `run`: a file of CUDA C++ or PTX becomes an image for the device. */
#ifndef CLI_RUN_PROGRAM_H
#define CLI_RUN_PROGRAM_H

#include "options.h"

/* Reads the file that the command line names, compiles it for the context's device unless it is PTX, and on the
 * simulator with lines of the source. Writes *image on success only; the caller destroys it. */
cli_exit cli_run_program(const cli_options *options, jr_context *context, jr_image **image, cli_error *error);

/* Fails when the file cannot be what the command line says, before a device is opened. */
cli_exit cli_run_program_check(const cli_options *options, cli_error *error);

/* Prints the machine code of an image on standard output, by nvdisasm, or by cuobjdump where that is missing. */
cli_exit cli_run_sass(const jr_image *image, cli_error *error);

#endif
