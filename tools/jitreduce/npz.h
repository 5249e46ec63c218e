/* Members of an .npz file: a zip archive of .npy files (numpy.savez, numpy.savez_compressed). */
#ifndef CLI_NPZ_H
#define CLI_NPZ_H

#include "bytes.h"

/* Whether the bytes begin as a zip archive with members does. */
bool cli_npz_recognise(const cli_bytes *bytes);

/* Finds a member by its name, with or without ".npy"; NULL: the only one. archive: all bytes of the file.
 * Writes *member on success only: it lies in the archive, or is memory that the caller frees (cli_bytes_free). */
cli_exit cli_npz_find(const cli_bytes *archive, const char *name, cli_bytes *member, cli_error *error);

/* The name of a member in a path like "data.npz:price", where no file is called so; NULL: there is none. */
const char *cli_npz_member_name(const char *path);

#endif
