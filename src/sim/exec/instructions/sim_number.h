/* Number formats: rounding to narrow ones, and directed rounding. */
#ifndef JRS_INSTRUCTIONS_NUMBER_H
#define JRS_INSTRUCTIONS_NUMBER_H

#include "number_bits.h"
#include "sim/ptx/code.h"

/* Formats of 16 bits or fewer fields than double: rounds to mantissa and exponent bits; NaN: 0x7fff. */
uint16_t jrs_narrow(double value, unsigned mantissa_bits, unsigned exponent_bits, jrs_rounding rounding);

static inline uint16_t jrs_to_f16(double value) {
    return jrs_narrow(value, 10, 5, JRS_ROUND_NEAREST);
}

static inline uint16_t jrs_to_bf16(double value) {
    return jrs_narrow(value, 7, 8, JRS_ROUND_NEAREST);
}

/* a * b + c rounded to odd, so that rounding again to a much narrower format is right. a * b must be exact. */
double jrs_fma_odd(double a, double b, double c);

/* Runs a handler with the processor's rounding mode set. */
jrs_next jrs_with_rounding(jrs_rounding rounding, jrs_handler *run, jrs_warp *warp, const jrs_instruction *instruction,
                           uint32_t mask);
/* value as f32 in a direction. */
float jrs_narrow_f32(double value, jrs_rounding rounding);
/* To an integral value. */
double jrs_integral(double value, jrs_rounding rounding);

#endif
