/* Makes data for exact sums by integers alone, as tests/judge/exact_bits.py does. */
#include "exact_bits.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "support/fixtures/open_context.h"

#define JR_BITS_TYPE_f16                      JR_F16
#define JR_BITS_TYPE_bf16                     JR_BF16
#define JR_BITS_TYPE_f32                      JR_F32
#define JR_BITS_TYPE_f64                      JR_F64
#define EXACT_BITS(type, data, sum, wide_sum) {JR_BITS_TYPE_##type, EXACT_BITS_##data, #type " " #data, sum, wide_sum},

const exact_bits_row exact_bits_rows[EXACT_BITS_ROWS] = {
#include "exact_bits.inc"
};

typedef struct format {
    int bytes, fraction; /* bits of the fraction */
    uint64_t most;       /* the greatest exponent field of a finite number */
} format;

static format format_of(jr_type type) {
    return type == JR_F16    ? (format){2, 10, 30}
           : type == JR_BF16 ? (format){2, 7, 254}
           : type == JR_F32  ? (format){4, 23, 254}
                             : (format){8, 52, 2046};
}

static uint64_t field_of(const format *f, exact_bits_data data, uint64_t random) {
    switch (data) {
    case EXACT_BITS_near: return f->most / 2 - (random >> 52 & 3);
    case EXACT_BITS_subnormal: return 0;
    case EXACT_BITS_greatest:
    case EXACT_BITS_overflowing: return f->most - (random >> 52 & 1);
    default: return (random >> 52 & 0x7ff) % (f->most - 15);
    }
}

/* The last numbers, which follow those that cancel; returns how many they are; 0: no numbers cancel. */
static int deciding_numbers(const format *f, exact_bits_data data, uint64_t last[3]) {
    const uint64_t sign = (f->most + 2) << f->fraction;
    last[0] = f->most / 2 << f->fraction;                               /* 1 */
    last[1] = (f->most / 2 - (uint64_t)f->fraction - 1) << f->fraction; /* half a unit of it */
    last[2] = data == EXACT_BITS_below ? sign | 1 : 1;                  /* the least number there is */
    return data == EXACT_BITS_cancelling || data == EXACT_BITS_overflowing ? 1
           : data == EXACT_BITS_tie                                        ? 2
           : data == EXACT_BITS_above || data == EXACT_BITS_below          ? 3
                                                                           : 0;
}

static int by_size(const void *a, const void *b) {
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x >> 1 > y >> 1) - (x >> 1 < y >> 1);
}

/* Orders by size. */
static void sort(uint64_t *bits, uint64_t sign) {
    for (int i = 0; i < EXACT_BITS_COUNT; i++) bits[i] = (bits[i] & (sign - 1)) << 1 | (bits[i] & sign ? 1 : 0);
    qsort(bits, EXACT_BITS_COUNT, sizeof *bits, by_size);
    for (int i = 0; i < EXACT_BITS_COUNT; i++) bits[i] = bits[i] >> 1 | (bits[i] & 1 ? sign : 0);
}

void *exact_bits_make(const exact_bits_row *row) {
    enum { STRIDE = 7919 };
    const format f = format_of(row->type);
    const uint64_t sign = (f.most + 2) << f.fraction, fraction = (UINT64_C(1) << f.fraction) - 1;
    uint64_t *bits = test_bytes(EXACT_BITS_COUNT * sizeof *bits), last[3];
    uint64_t seed = (uint64_t)f.fraction << 8 | row->data;
    for (int i = 0; i < EXACT_BITS_COUNT; i++) {
        const uint64_t random = random_bits(&seed), field = field_of(&f, row->data, random);
        const bool negative = random >> 63 && row->data != EXACT_BITS_overflowing;
        bits[i] = (negative ? sign : 0) | field << f.fraction | (random & fraction);
        if (row->data == EXACT_BITS_minus_zero) bits[i] = sign;
    }
    const int more = deciding_numbers(&f, row->data, last), half = (EXACT_BITS_COUNT - more) / 2;
    for (int i = 0; i < half && more > 0; i++) bits[half + i] = bits[(long long)i * STRIDE % half] ^ sign;
    for (int i = 2 * half; i < EXACT_BITS_COUNT && more > 0; i++)
        bits[i] = i - 2 * half < more ? last[i - 2 * half] : 0;
    if (row->data == EXACT_BITS_sorted) sort(bits, sign);
    if (row->data == EXACT_BITS_infinite) bits[EXACT_BITS_COUNT / 3] = (f.most + 1) << f.fraction;
    for (int i = 0; i < EXACT_BITS_COUNT; i++)
        memcpy((char *)bits + (size_t)i * (size_t)f.bytes, &bits[i], (size_t)f.bytes);
    return bits;
}
