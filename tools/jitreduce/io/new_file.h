/* A file that is written whole or not at all. */
#ifndef CLI_NEW_FILE_H
#define CLI_NEW_FILE_H

#include "base/cli_error.h"

enum { CLI_TEMPORARY_BYTES = 4096 };

/* A temporary file in the folder of path, whose name it takes at the end, and the place of a file that had it. */
typedef struct cli_new_file {
    const char *option; /* that names it, for messages: "--output"; borrowed, like the path */
    const char *path;
    int file; /* written to by the caller */
    char temporary[CLI_TEMPORARY_BYTES];
} cli_new_file;

/* Fails when what has this name is no regular file: a device, say, that would be gone. */
cli_exit cli_new_file_check(const char *option, const char *path, cli_error *error);

/* As cli_new_file_check; writes *created on success only; the caller finishes it. */
cli_exit cli_new_file_create(const char *option, const char *path, cli_new_file *created, cli_error *error);

/* Appends all of these bytes. Returns 0 or the errno. */
int cli_new_file_write(const cli_new_file *created, const void *bytes, size_t size);

/* Closes the file and gives it its name; or, failure (an errno) not 0, removes it and fails. */
cli_exit cli_new_file_finish(cli_new_file *created, int failure, cli_error *error);

/* Closes and removes it. */
void cli_new_file_drop(cli_new_file *created);

#endif
