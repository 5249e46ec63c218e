/* A file that is written whole or not at all. */
#ifndef CLI_NEW_FILE_H
#define CLI_NEW_FILE_H

#include "error.h"

enum { CLI_TEMPORARY_BYTES = 4096 };

/* A temporary file in the folder of path, whose name it takes at the end, and the place of a file that had it. */
typedef struct cli_new_file {
    const char *path; /* borrowed */
    int file;         /* written to by the caller */
    char temporary[CLI_TEMPORARY_BYTES];
} cli_new_file;

/* Writes *created on success only; the caller finishes it. */
cli_exit cli_new_file_create(const char *path, cli_new_file *created, cli_error *error);

/* Closes the file and gives it its name; or, failure (an errno) not 0, removes it and fails. */
cli_exit cli_new_file_finish(cli_new_file *created, int failure, cli_error *error);

/* Closes and removes it. */
void cli_new_file_drop(cli_new_file *created);

#endif
