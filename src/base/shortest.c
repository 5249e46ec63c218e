/* Source: Raffaello Giulietti, The Schubfach way to render doubles (2021). A number's interval, the numbers that round
 * to it, is scaled by a power of ten, so that whole numbers and tens lie in it: a ten that does is the shortest one. */
#include "shortest.h"

#include <pthread.h>
#include <string.h>

/* An interval around a number, scaled: in quarters of 10^exponent, their last bit set if more bits follow. */
typedef struct interval {
    uint64_t low, middle, high;
    int exponent;
} interval;

typedef struct candidate {
    jr_decimal decimal;
    bool is_below; /* the number */
} candidate;

__extension__ typedef unsigned __int128 wide;

/* floor(log2(10^e)), and floor(log10(2^e)), for the exponents of f64. */
static int log2_of_power(int e) {
    return (e * 1741647) >> 19;
}

static int log10_of_binary(int e) {
    return (e * 1262611) >> 22;
}

/* ---- powers of ten ---- */

/* By 10^exponent divided by a power of two: its first 128 bits and one more. Made once. */
static uint64_t powers[JR_POWER_MAX - JR_POWER_MIN + 1][2];
static pthread_once_t powers_made = PTHREAD_ONCE_INIT;

/* The first 192 bits of a number, which begin with a one, times five; the highest word first. */
static void times_five(uint64_t words[3]) {
    wide product = 0;
    for (int i = 2; i >= 0; i--) {
        product += (wide)words[i] * 5;
        words[i] = (uint64_t)product;
        product >>= 64;
    }
    const int more = product >= 4 ? 3 : 2; /* bits */
    for (int i = 2; i >= 0; i--) {
        const uint64_t next = i > 0 ? words[i - 1] : (uint64_t)product;
        words[i] = words[i] >> more | next << (64 - more);
    }
}

/* What a product loses is lost below the 128 bits: of 10^0 to 10^324 and of 10^-292 to 10^-1, from the least on. */
static void make_powers(void) {
    static const uint64_t least[3] = {0xff77b1fcbebcdc4f, 0x25e8e89c13bb0f7a, 0xdf9b302944a88414};
    uint64_t words[3];
    for (int e = JR_POWER_MIN; e <= JR_POWER_MAX; e++, times_five(words)) {
        if (e == JR_POWER_MIN) memcpy(words, least, sizeof words);
        if (e == 0) memcpy(words, (uint64_t[3]){UINT64_C(1) << 63}, sizeof words);
        uint64_t *power = powers[e - JR_POWER_MIN];
        power[1] = words[1] + 1;
        power[0] = words[0] + (power[1] == 0);
    }
}

const uint64_t *jr_power_of_ten(int exponent) {
    pthread_once(&powers_made, make_powers);
    return powers[exponent - JR_POWER_MIN];
}

/* ---- intervals ---- */

/* power * factor / 2^128, the last bit set if any bit below was. */
static uint64_t scaled(const uint64_t power[2], uint64_t factor) {
    const wide low = (wide)power[1] * factor;
    const wide high = (wide)power[0] * factor + (uint64_t)(low >> 64);
    return (uint64_t)(high >> 64) | ((uint64_t)high > 1);
}

/* The interval of a half distance of 1 << half_bits in units of 2^(exponent - 2). */
static interval scale(jr_binary number, int half_bits) {
    const int exponent = log10_of_binary(number.exponent + half_bits - 1);
    const int shift = number.exponent + log2_of_power(-exponent) + 1;
    const uint64_t quarters = number.significand << 2, half = UINT64_C(1) << half_bits;
    const uint64_t *power = jr_power_of_ten(-exponent);
    return (interval){scaled(power, (quarters - half) << shift), scaled(power, quarters << shift),
                      scaled(power, (quarters + half) << shift), exponent};
}

static jr_decimal without_zeros(uint64_t digits, int exponent) {
    for (; digits % 10 == 0; exponent++) digits /= 10;
    return (jr_decimal){digits, exponent};
}

/* The shortest and then nearest number in an interval; without its ends, unless these are `closed`. */
static candidate shortest_in(interval in, bool closed) {
    const uint64_t low = in.low + !closed, high = in.high - !closed, whole = in.middle / 4, ten = whole / 10;
    const bool ten_below = ten > 0 && low <= 40 * ten, ten_above = ten > 0 && 40 * ten + 40 <= high;
    if (ten_below != ten_above)
        return (candidate){without_zeros(ten + ten_above, in.exponent + 1), ten_below && 40 * ten != in.middle};
    const bool below = low <= 4 * whole, above = 4 * whole + 4 <= high;
    const uint64_t half = 4 * whole + 2;
    const bool up = below != above ? above : in.middle > half || (in.middle == half && whole % 2 == 1);
    return (candidate){without_zeros(whole + up, in.exponent), !up && 4 * whole != in.middle};
}

/* Where the next smaller number is closer, decimals read back from farther above than below. `below` lies too far below
 * if a nearer one needs more digits; of those, the last one can be spared if the nearest decimal is then one above. */
static jr_decimal of_power_of_two(jr_binary number, jr_decimal below) {
    const candidate near = shortest_in(scale(number, 0), number.ends_read_back);
    const uint64_t last = near.decimal.digits % 10;
    const bool up = last > 5 || (last == 5 && near.is_below);
    if (near.decimal.digits == below.digits || !up) return near.decimal;
    return without_zeros(near.decimal.digits / 10 + 1, near.decimal.exponent + 1);
}

jr_decimal jr_shortest(jr_binary number) {
    const candidate found = shortest_in(scale(number, 1), number.ends_read_back);
    return number.lower_is_closer && found.is_below ? of_power_of_two(number, found.decimal) : found.decimal;
}
