/* Members of an .npz file: a zip archive of .npy files (numpy.savez, numpy.savez_compressed). */
#ifndef CLI_NPZ_H
#define CLI_NPZ_H

#include "io/bytes.h"

/* A member: its bytes, or where they are packed. */
typedef struct cli_npz_member {
    bool deflated;
    cli_bytes bytes;          /* of one that is stored: they lie in the archive, and their checksum is right */
    cli_packed_member packed; /* of one that is deflated */
} cli_npz_member;

/* Whether the bytes begin as a zip archive with members does. */
bool cli_npz_recognise(const cli_bytes *bytes);

/* Finds a member by its name, with or without ".npy"; NULL: the only one. archive: all bytes of the file, in which the
 * member lies. Writes *member on success only. */
cli_exit cli_npz_find(const cli_bytes *archive, const char *name, cli_npz_member *member, cli_error *error);

/* The name of the member in a path such as "data.npz:price", if no file has that path; NULL: the path has no member. */
const char *cli_npz_member_name(const char *path);

#endif
