/* Approximations, computed in double and rounded once: well inside the bounds that the PTX manual states. */
#include <math.h>

#include "sim/exec/lanes.h"
#include "sim_number.h"

#define SINGLE(value) jrs_nan_f32((float)(value))
#define HALF(value)   jrs_to_f16(value)
#define BRAIN(value)  jrs_to_bf16(value)
#define F16(bits)     ((double)jrs_f16_to_f32((uint16_t)(bits)))
#define BF16(bits)    ((double)jrs_bf16_to_f32((uint16_t)(bits)))
#define BOTH(convert, widen, function, a)                                                                              \
    ((uint32_t)convert(function(widen((a) >> 16))) << 16 | convert(function(widen((a)&0xffff))))

/* Subnormals to zeros of the same sign. */
static double flush(double value) {
    return fabs(value) < 0x1p-1022 ? copysign(0.0, value) : value;
}

/* Only the upper 32 bits of the approximate f64 reciprocals carry a value. */
static double upper_word(double value) {
    return value == value ? jrs_f64_of(jrs_f64_bits(flush(value)) & UINT64_C(0xffffffff00000000)) : value;
}

#define FORMS(XX)                                                                                                      \
    XX(UNARY, ex2_approx_f32, f32, f32, SINGLE(exp2((double)a)))                                                       \
    XX(UNARY, lg2_approx_f32, f32, f32, SINGLE(log2((double)a)))                                                       \
    XX(UNARY, sin_approx_f32, f32, f32, SINGLE(sin((double)a)))                                                        \
    XX(UNARY, cos_approx_f32, f32, f32, SINGLE(cos((double)a)))                                                        \
    XX(UNARY, tanh_approx_f32, f32, f32, SINGLE(tanh((double)a)))                                                      \
    XX(UNARY, rsqrt_approx_f32, f32, f32, SINGLE(1.0 / sqrt((double)a)))                                               \
    XX(UNARY, rsqrt_approx_f64, f64, f64, 1.0 / sqrt(a))                                                               \
    XX(UNARY, rsqrt_approx_ftz_f64, f64, f64, upper_word(1.0 / sqrt(flush(a))))                                        \
    XX(UNARY, rcp_approx_ftz_f64, f64, f64, upper_word(1.0 / flush(a)))                                                \
    XX(UNARY, ex2_approx_f16, u16, u16, HALF(exp2(F16(a))))                                                            \
    XX(UNARY, ex2_approx_f16x2, u32, u32, BOTH(HALF, F16, exp2, a))                                                    \
    XX(UNARY, ex2_approx_bf16, u16, u16, BRAIN(exp2(BF16(a))))                                                         \
    XX(UNARY, ex2_approx_bf16x2, u32, u32, BOTH(BRAIN, BF16, exp2, a))                                                 \
    XX(UNARY, tanh_approx_f16, u16, u16, HALF(tanh(F16(a))))                                                           \
    XX(UNARY, tanh_approx_f16x2, u32, u32, BOTH(HALF, F16, tanh, a))                                                   \
    XX(UNARY, tanh_approx_bf16, u16, u16, BRAIN(tanh(BF16(a))))                                                        \
    XX(UNARY, tanh_approx_bf16x2, u32, u32, BOTH(BRAIN, BF16, tanh, a))

JRS_HANDLERS_AND_TABLE(math, FORMS)
