/* The readers: bytes of one format in, elements of one type out. */
#ifndef CLI_READERS_H
#define CLI_READERS_H

#include "io/data.h"
#include "npy/npy_type.h"

/* Reads an .npy file of format 1, 2 or 3. type: what the elements must be, or JR_TYPE_NONE.
 * Writes *data on success only; the elements may lie inside bytes, which must live as long. */
cli_exit cli_read_npy(const cli_bytes *bytes, jr_type type, cli_data *data, cli_error *error);

/* Checks the number of bytes after a header against the header. */
cli_exit cli_npy_check_size(const char *name, uint64_t present, const cli_npy_header *header, cli_error *error);

/* Brings the elements of an array of that header, which lie in Fortran order, into C order. name: of the file. */
cli_exit cli_npy_reorder(const cli_npy_header *header, cli_vector *vector, const char *name, cli_error *error);

/* Turns the bytes of each element around. */
void cli_npy_swap(char *elements, uint64_t count, size_t size);

/* Holds the bytes of a raw file against the size of an element. */
cli_exit cli_raw_check_size(const char *name, uint64_t present, jr_type type, size_t element_bytes, cli_error *error);

/* Takes the bytes as elements of this machine's byte order. The elements lie inside bytes. */
cli_exit cli_read_raw(const cli_bytes *bytes, jr_type type, size_t element_bytes, cli_data *data, cli_error *error);

#endif
