/* Reads, writes and adds exact sums: integers in two's complement, words of 32 bits, the lowest first, then marks, and
 * a count of 64 bits (kernels_src/operators/exact.cuh). */
#include "exact_sums.h"

#include <string.h>

#include "abi.h"
#include "base/error.h"

/* One word of zeros follows the widest integer, so that any byte can be taken from two words. */
typedef struct sum_words {
    uint32_t words[JR_EXACT_WORDS_MAX + 1];
    uint32_t marks;
    uint64_t count;
} sum_words;

static void load(const jr_exact_sum *sum, const unsigned char *accumulator, sum_words *of) {
    const size_t bytes = 4 * (size_t)sum->width.words;
    const unsigned char *at = accumulator + sum->offset;
    memset(of, 0, sizeof *of);
    memcpy(of->words, at, bytes);
    memcpy(&of->marks, at + bytes, 4);
    memcpy(&of->count, at + bytes + 4, 8);
}

static void store(const jr_exact_sum *sum, const sum_words *of, unsigned char *accumulator) {
    const size_t bytes = 4 * (size_t)sum->width.words;
    unsigned char *at = accumulator + sum->offset;
    memcpy(at, of->words, bytes);
    memcpy(at + bytes, &of->marks, 4);
    memcpy(at + bytes + 4, &of->count, 8);
}

static void negate(sum_words *of, int words) {
    uint64_t carry = 1;
    for (int w = 0; w < words; w++) {
        carry += (uint32_t)~of->words[w];
        of->words[w] = (uint32_t)carry;
        carry >>= 32;
    }
}

/* 32 bits from bit `at` on, of words that end with a 0. */
static uint32_t bits_at(const sum_words *of, int at) {
    const uint64_t two = of->words[at / 32] | (uint64_t)of->words[at / 32 + 1] << 32;
    return (uint32_t)(two >> at % 32);
}

/* ---- numbers ---- */

static jr_exact_class class_of(const sum_words *of) {
    const uint32_t both = JR_EXACT_PLUS_INFINITE | JR_EXACT_MINUS_INFINITE;
    if (of->count == 0) return JR_EXACT_CLASS_NOTHING;
    if (of->marks & JR_EXACT_NAN || (of->marks & both) == both) return JR_EXACT_CLASS_NAN;
    if (of->marks & JR_EXACT_PLUS_INFINITE) return JR_EXACT_CLASS_PLUS_INFINITE;
    if (of->marks & JR_EXACT_MINUS_INFINITE) return JR_EXACT_CLASS_MINUS_INFINITE;
    return of->marks & JR_EXACT_NOT_MINUS_ZERO ? JR_EXACT_CLASS_FINITE : JR_EXACT_CLASS_MINUS_ZERO;
}

static uint32_t marks_of(jr_exact_class class) {
    static const uint32_t marks[] = {
        [JR_EXACT_CLASS_NOTHING] = 0,
        [JR_EXACT_CLASS_FINITE] = JR_EXACT_ANY | JR_EXACT_NOT_MINUS_ZERO,
        [JR_EXACT_CLASS_MINUS_ZERO] = JR_EXACT_ANY,
        [JR_EXACT_CLASS_PLUS_INFINITE] = JR_EXACT_ANY | JR_EXACT_NOT_MINUS_ZERO | JR_EXACT_PLUS_INFINITE,
        [JR_EXACT_CLASS_MINUS_INFINITE] = JR_EXACT_ANY | JR_EXACT_NOT_MINUS_ZERO | JR_EXACT_MINUS_INFINITE,
        [JR_EXACT_CLASS_NAN] = JR_EXACT_ANY | JR_EXACT_NOT_MINUS_ZERO | JR_EXACT_NAN};
    return marks[class];
}

uint64_t jr_exact_sum_read(const jr_exact_sum *sum, const unsigned char *accumulator, jr_exact_number *number) {
    const int words = sum->width.words;
    sum_words of;
    int low = 0, top = 32 * words - 1;
    load(sum, accumulator, &of);
    *number = (jr_exact_number){.class = class_of(&of)};
    if (number->class != JR_EXACT_CLASS_FINITE) return of.count;
    number->negative = of.words[words - 1] >> 31;
    if (number->negative) negate(&of, words);
    while (top >= 0 && !(of.words[top / 32] >> top % 32 & 1)) top--;
    if (top < 0) return of.count;
    while (!(of.words[low / 32] >> low % 32 & 1)) low++;
    number->exponent = sum->width.least + low;
    number->bytes = (size_t)(top - low) / 8 + 1;
    for (size_t i = 0; i < number->bytes; i++) number->magnitude[i] = (uint8_t)bits_at(&of, low + 8 * (int)i);
    return of.count;
}

static int top_bit(unsigned byte) {
    int bit = 0;
    while (byte >> (bit + 1) != 0) bit++;
    return bit;
}

/* Whether the size is below count * 2^most, and no bit below the least that elements have. */
static bool is_of_range(const jr_exact_sum *sum, const jr_exact_number *number) {
    if (number->bytes == 0) return true;
    if (number->bytes > sizeof number->magnitude || number->exponent < sum->terms.least) return false;
    const int64_t bits = 8 * (int64_t)(number->bytes - 1) + top_bit(number->magnitude[number->bytes - 1]) + 1;
    return number->exponent + bits <= (int64_t)sum->terms.most + 64;
}

/* The magnitude in units of 2^most, cut off: what is_of_range leaves has 64 bits. */
static uint64_t in_greatest(const jr_exact_sum *sum, const sum_words *of) {
    const int at = sum->terms.most - sum->width.least;
    return bits_at(of, at) | (uint64_t)bits_at(of, at + 32) << 32;
}

jr_status jr_exact_sum_write(const jr_exact_sum *sum, const jr_exact_number *number, uint64_t count,
                             unsigned char *accumulator) {
    sum_words of = {.marks = marks_of(number->class), .count = count};
    const bool size = number->class == JR_EXACT_CLASS_FINITE || number->class == JR_EXACT_CLASS_PLUS_INFINITE ||
                      number->class == JR_EXACT_CLASS_NAN || number->class == JR_EXACT_CLASS_NOTHING;
    if ((number->class == JR_EXACT_CLASS_NOTHING) != (count == 0))
        return jr_fail(JR_ERROR_STATE, "the state's sum and its count of elements do not belong together");
    if (sum->of_sizes && (number->negative || !size))
        return jr_fail(JR_ERROR_STATE, "the state has a negative sum of what is never negative");
    if (!is_of_range(sum, number))
        return jr_fail(JR_ERROR_STATE, "the state's sum has bits that no sum of its type has");
    for (size_t i = 0; i < number->bytes; i++) {
        const int at = number->exponent - sum->width.least + 8 * (int)i;
        const uint64_t two = (uint64_t)number->magnitude[i] << at % 32;
        of.words[at / 32] |= (uint32_t)two;
        of.words[at / 32 + 1] |= (uint32_t)(two >> 32);
    }
    if (number->bytes > 0 && in_greatest(sum, &of) >= count)
        return jr_fail(JR_ERROR_STATE, "the state's sum is greater than %llu elements of its type can be together",
                       (unsigned long long)count);
    if (number->negative) negate(&of, sum->width.words);
    store(sum, &of, accumulator);
    return JR_OK;
}

void jr_exact_sum_add(const jr_exact_sum *sum, unsigned char *accumulator, const unsigned char *more) {
    sum_words to, of;
    uint64_t carry = 0;
    load(sum, accumulator, &to);
    load(sum, more, &of);
    for (int w = 0; w < sum->width.words; w++) {
        carry += (uint64_t)to.words[w] + of.words[w];
        to.words[w] = (uint32_t)carry;
        carry >>= 32;
    }
    to.marks |= of.marks;
    to.count += of.count;
    store(sum, &to, accumulator);
}

void jr_exact_count_kept(const jr_reduction *reduction, unsigned char *accumulator) {
    jr_exact_number number;
    if (reduction->kept_offset == 0) return;
    const uint64_t kept = jr_exact_sum_read(&reduction->sums[0], accumulator, &number);
    memcpy(accumulator + reduction->accumulator_bytes - sizeof kept, &kept, sizeof kept);
}
