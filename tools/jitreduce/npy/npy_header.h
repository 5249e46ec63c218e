/* The header of an .npy file: what the array is, and where its bytes begin. */
#ifndef CLI_NPY_HEADER_H
#define CLI_NPY_HEADER_H

#include "io/bytes.h"
#include "npy_type.h"

/* Whether the bytes begin as an .npy file does. */
bool cli_npy_recognise(const cli_bytes *bytes);

/* How many bytes must have been read before the header can be parsed, or be refused: as many as it says that it has, 12
 * where that is not known yet, or more than is read. */
size_t cli_npy_header_bytes(const cli_bytes *bytes);

/* Parses the header; of a structured type, the field that bytes->field names is the element. Strict: format 1, 2 or 3;
 * a dictionary of exactly descr, fortran_order and shape; a type of ours; a shape whose size in bytes does not
 * overflow. Does not check the data after the header. Writes *header on success only.
 */
cli_exit cli_npy_header_parse(const cli_bytes *bytes, cli_npy_header *header, cli_error *error);

/* Whether the elements of a file are of a type, by its header or because its header names none of their size. */
bool cli_npy_stands_for(const cli_npy_header *header, jr_type type);

/* The word in the file for a type that NumPy has no name for: 'V2', 'V1' or 'f1'. */
const char *cli_npy_word(const cli_npy_header *header);

/* Fails because the file does not say which small float its elements are, and the caller does not either. */
cli_exit cli_npy_fail_unnamed(const char *name, const cli_npy_header *header, cli_error *error);

/* Fails because the elements of the file do not have the type that the caller gives. */
cli_exit cli_npy_fail_type(const char *name, const cli_npy_header *header, jr_type type, cli_error *error);

#endif
