/* Types as .npy files name them, '<f4', and what the header of such a file says of its array. */
#ifndef CLI_NPY_TYPE_H
#define CLI_NPY_TYPE_H

#include <jitreduce.h>
#include <stdbool.h>

#include "base/shape.h"

/* Whether this machine has the least byte of a number first. */
static inline bool cli_little_endian(void) {
    const uint16_t one = 1;
    return *(const unsigned char *)&one == 1;
}

/* The letter of NumPy's kind of a type ('i', 'u', 'f', 'b'), '\0' of one that NumPy has not. */
char cli_npy_kind(jr_type type);

/* True if a word is one that ml_dtypes writes for types without a NumPy name: '<V2' for bf16, '<V1' and '<f1' for fp8.
 * The word does not determine the type; the user must give it. */
bool cli_npy_is_unnamed(const char *begin, const char *end);

/* Finds the type of a word like '<f4', and whether its bytes are swapped; JR_TYPE_NONE: none of ours. Of one that is
 * unnamed a type of its size. */
jr_type cli_npy_find_type(const char *begin, const char *end, bool *swapped);

typedef struct cli_npy_header {
    jr_type type;
    bool unnamed;       /* the file does not say which small float its elements are */
    bool swapped;       /* the file's byte order is not this machine's */
    bool fortran_order; /* of an array whose order matters: more than one dimension above 1 */
    cli_shape shape;
    uint64_t count;                    /* elements: the product of the shape */
    uint64_t offset;                   /* of the first element, in bytes from the start of the file */
    uint64_t item_bytes, field_offset; /* from one element to the next, and where in its item it stands: of fields */
} cli_npy_header;

#endif
