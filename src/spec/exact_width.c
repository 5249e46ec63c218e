/* Works out how wide exact sums are. */
#include "exact_width.h"

enum { COUNT_BITS = 64, SIGN_BITS = 1, WORD_BITS = 32 };

/* Elements of a type are multiples of 2^least, and their sizes are below 2^most. */
typedef struct exact_range {
    int least, most;
} exact_range;

static exact_range range_of(const jr_dtype *dtype) {
    if (!jr_dtype_is_float(dtype)) return (exact_range){0, 8 * (int)dtype->bytes};
    const int normal = jr_dtype_least_exponent(dtype);
    /* The greatest exponent is that of the least normal number, negated, and 1; of a type without infinities one more.
     */
    return (exact_range){normal - dtype->fraction_bits, 2 - normal + dtype->finite};
}

static jr_exact_width width_of(exact_range range) {
    const int bits = range.most - range.least + COUNT_BITS + SIGN_BITS;
    return (jr_exact_width){range.least, (bits + WORD_BITS - 1) / WORD_BITS, range.most};
}

jr_exact_width jr_exact_width_of(const jr_dtype *dtype) {
    return width_of(range_of(dtype));
}

jr_exact_width jr_exact_width_of_products(const jr_dtype *one, const jr_dtype *other) {
    const exact_range x = range_of(one), y = range_of(other);
    return width_of((exact_range){x.least + y.least, x.most + y.most});
}

jr_exact_width jr_exact_width_of_both(jr_exact_width one, jr_exact_width other) {
    const int least = one.least < other.least ? one.least : other.least;
    const int one_end = one.least + WORD_BITS * one.words, other_end = other.least + WORD_BITS * other.words;
    const int bits = (one_end > other_end ? one_end : other_end) - least;
    return (jr_exact_width){least, (bits + WORD_BITS - 1) / WORD_BITS, one.most > other.most ? one.most : other.most};
}
