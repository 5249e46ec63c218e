/* Writes arrays as .npy files. */
#ifndef CLI_NPY_WRITE_H
#define CLI_NPY_WRITE_H

#include "io/data.h"

/* Fails when the format, as NumPy reads it, has no such type. */
cli_exit cli_npy_check_type(jr_type type, cli_error *error);

/* Writes the header of data, of which shape and type alone are looked at; returns its size. */
enum { CLI_NPY_HEADER_BYTES = 256 };
size_t cli_npy_header_write(const cli_data *data, unsigned char header[CLI_NPY_HEADER_BYTES]);

/* Writes a file of format 1 whole or not at all: a temporary file in the same folder takes the name of path, and the
 * place of a file that had it. option: that named it. data->shape: of at most JR_DIMENSIONS_MAX dimensions, data->count
 * elements in all; data->type must pass cli_npy_check_type. */
cli_exit cli_npy_write(const char *option, const char *path, const cli_data *data, cli_error *error);

#endif
