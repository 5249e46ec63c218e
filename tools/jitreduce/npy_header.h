/* The header of an .npy file: what the array is, and where its bytes begin. */
#ifndef CLI_NPY_HEADER_H
#define CLI_NPY_HEADER_H

#include "bytes.h"
#include "shape.h"

typedef struct cli_npy_header {
    jr_type type;
    bool swapped;       /* the file's byte order is not this machine's */
    bool fortran_order; /* of an array whose order matters: more than one dimension above 1 */
    cli_shape shape;
    uint64_t count;  /* elements: the product of the shape */
    uint64_t offset; /* of the first element, in bytes from the start of the file */
} cli_npy_header;

/* Whether this machine has the least byte of a number first. */
static inline bool cli_little_endian(void) {
    const uint16_t one = 1;
    return *(const unsigned char *)&one == 1;
}

/* The letter of NumPy's kind of a type ('i', 'u', 'f', 'b'), '\0' of one that NumPy has not. */
char cli_npy_kind(jr_type type);

/* Whether the bytes begin as an .npy file does. */
bool cli_npy_recognise(const cli_bytes *bytes);

/* Parses the header. Strict: format 1, 2 or 3; a dictionary of exactly descr, fortran_order and shape; a type of ours;
 * a shape whose size in bytes does not overflow. Says nothing about the data behind it. Writes *header on success only.
 */
cli_exit cli_npy_header_parse(const cli_bytes *bytes, cli_npy_header *header, cli_error *error);

#endif
