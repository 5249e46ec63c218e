/* The program of `run`: a file of CUDA C++ or PTX becomes an image for the device. */
#ifndef CLI_RUN_PROGRAM_H
#define CLI_RUN_PROGRAM_H

#include "options/cli_options.h"

/* A file of CUDA C++, read, with what else it is compiled with. Not copied: it points into itself. */
typedef struct cli_run_source {
    jr_program program;
    char *text;
    jr_named_text constants[CLI_DEFINES_MAX];
    const char *folders[1 + CLI_FOLDERS_MAX];
    const char *nvrtc_options[CLI_ARGUMENTS_MAX];
    char own[4096]; /* the folder of the file */
} cli_run_source;

/* Reads the file that the command line names. The caller frees it. */
cli_exit cli_run_source_read(const cli_options *options, cli_run_source *source, cli_error *error);
void cli_run_source_free(cli_run_source *source); /* a zeroed one is fine */

/* Is it named as one of PTX? */
bool cli_run_is_ptx(const cli_options *options);

/* Loads the kernel of the file, and prints where it came from with --stats. image: made where it is needed; the caller
 * destroys it, also after a failure. kernel: the context owns it. */
cli_exit cli_run_load(const cli_options *options, jr_context *context, jr_image **image, jr_kernel **kernel,
                      cli_error *error);

/* Reports a failure of the library; if the program is at fault, the message begins with the file's name. */
cli_exit cli_run_explain(const char *path, jr_status status, cli_error *error);

/* Fails when the file cannot be what the command line says, before a device is opened. */
cli_exit cli_run_program_check(const cli_options *options, cli_error *error);

/* Prints all kernels of the file, with the types of their parameters, on standard output. */
cli_exit cli_run_kernels(const cli_options *options, jr_context *context, cli_error *error);

/* Prints the machine code of an image on standard output, by nvdisasm, or by cuobjdump where that is missing. */
cli_exit cli_run_sass(const jr_image *image, cli_error *error);

#endif
