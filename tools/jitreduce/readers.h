/* The readers: bytes of one format in, elements of one type out. */
#ifndef CLI_READERS_H
#define CLI_READERS_H

#include "data.h"

/* Reads an .npy file of format 1, 2 or 3. type: what the elements must be, or JR_TYPE_NONE.
 * Writes *data on success only; the elements may lie inside bytes, which must live as long. */
cli_exit cli_read_npy(const cli_bytes *bytes, jr_type type, cli_data *data, cli_error *error);

/* Takes the bytes as elements of this machine's byte order. The elements lie inside bytes. */
cli_exit cli_read_raw(const cli_bytes *bytes, jr_type type, size_t element_bytes, cli_data *data, cli_error *error);

#endif
