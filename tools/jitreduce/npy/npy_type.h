/* Types as .npy files name them: '<f4'. */
#ifndef CLI_NPY_TYPE_H
#define CLI_NPY_TYPE_H

#include <stdbool.h>

#include <jitreduce.h>

/* Whether this machine has the least byte of a number first. */
static inline bool cli_little_endian(void) {
    const uint16_t one = 1;
    return *(const unsigned char *)&one == 1;
}

/* The letter of NumPy's kind of a type ('i', 'u', 'f', 'b'), '\0' of one that NumPy has not. */
char cli_npy_kind(jr_type type);

/* Whether a word is what ml_dtypes writes of a type that NumPy has no word for: '<V2' of bf16, '<V1' and '<f1' of fp8.
 * Of which type, the caller must say. */
bool cli_npy_is_unnamed(const char *begin, const char *end);

/* Finds the type of a word like '<f4', and whether its bytes are swapped; JR_TYPE_NONE: none of ours. Of one that is
 * unnamed a type of its size. */
jr_type cli_npy_find_type(const char *begin, const char *end, bool *swapped);

#endif
