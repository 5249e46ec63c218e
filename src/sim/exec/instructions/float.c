/* IEEE arithmetic of f32 and f64: nearest even, subnormals kept; jrs_op_adjust adds .ftz, .sat and other roundings.
 *
 * f32 makes the one NaN 0x7fffffff. f64 keeps the payload of the first NaN operand, quieted. */
#include <math.h>

#include "sim/exec/lanes.h"
#include "sim_number.h"

#define SINGLE(value) jrs_nan_f32(value)
#define SIGN32        0x80000000u
#define NAN32(bits)   (((bits) & ~SIGN32) > 0x7f800000u)
#define NAN64(bits)   (((bits) & ~SIGN64) > UINT64_C(0x7ff0000000000000))
#define SIGN64        UINT64_C(0x8000000000000000)

/* min and max of magnitudes, with the product's sign; of three (which need sm_100). */
static float cross_min(float a, float b, bool nan_wins) {
    float least = jrs_min_f32(fabsf(a), fabsf(b), nan_wins);
    return least == least ? copysignf(least, copysignf(1, a) * copysignf(1, b)) : least;
}

static float cross_max(float a, float b, bool nan_wins) {
    float most = jrs_max_f32(fabsf(a), fabsf(b), nan_wins);
    return most == most ? copysignf(most, copysignf(1, a) * copysignf(1, b)) : most;
}

static float min3(float a, float b, float c, bool nan_wins) {
    return jrs_min_f32(jrs_min_f32(a, b, nan_wins), c, nan_wins);
}

static float max3(float a, float b, float c, bool nan_wins) {
    return jrs_max_f32(jrs_max_f32(a, b, nan_wins), c, nan_wins);
}

#define THREE(XX, f)                                                                                                   \
    XX(TERNARY, f##_f32, f32, f32, f32, f32, f(a, b, c, false))                                                        \
    XX(TERNARY, f##_NaN_f32, f32, f32, f32, f32, f(a, b, c, true))                                                     \
    XX(TERNARY, f##_abs_f32, f32, f32, f32, f32, f(fabsf(a), fabsf(b), fabsf(c), false))                               \
    XX(TERNARY, f##_NaN_abs_f32, f32, f32, f32, f32, f(fabsf(a), fabsf(b), fabsf(c), true))

#define FORMS(XX)                                                                                                      \
    XX(BINARY, add_f32, f32, f32, f32, SINGLE(a + b))                                                                  \
    XX(BINARY, sub_f32, f32, f32, f32, SINGLE(a - b))                                                                  \
    XX(BINARY, mul_f32, f32, f32, f32, SINGLE(a *b))                                                                   \
    XX(TERNARY, fma_f32, f32, f32, f32, f32, SINGLE(fmaf(a, b, c)))                                                    \
    XX(TERNARY, mad_f32, f32, f32, f32, f32, SINGLE(fmaf(a, b, c)))                                                    \
    XX(BINARY, div_f32, f32, f32, f32, SINGLE(a / b))                                                                  \
    XX(BINARY, div_full_f32, f32, f32, f32, SINGLE(a / b))                                                             \
    XX(BINARY, div_approx_f32, f32, f32, f32, SINGLE(jrs_divide_near(a, b)))                                           \
    XX(UNARY, rcp_f32, f32, f32, SINGLE(1.0f / a))                                                                     \
    XX(UNARY, rcp_approx_f32, f32, f32, SINGLE(1.0f / a))                                                              \
    XX(UNARY, sqrt_f32, f32, f32, SINGLE(sqrtf(a)))                                                                    \
    XX(UNARY, sqrt_approx_f32, f32, f32, SINGLE(sqrtf(a)))                                                             \
    XX(UNARY, neg_f32, u32, u32, NAN32(a) ? JRS_NAN_F32 : a ^ SIGN32)                                                  \
    XX(UNARY, abs_f32, u32, u32, NAN32(a) ? JRS_NAN_F32 : a & ~SIGN32)                                                 \
    XX(BINARY, copysign_f32, u32, u32, u32, (b & ~SIGN32) | (a & SIGN32))                                              \
    XX(BINARY, min_f32, f32, f32, f32, jrs_min_f32(a, b, false))                                                       \
    XX(BINARY, max_f32, f32, f32, f32, jrs_max_f32(a, b, false))                                                       \
    XX(BINARY, min_NaN_f32, f32, f32, f32, jrs_min_f32(a, b, true))                                                    \
    XX(BINARY, max_NaN_f32, f32, f32, f32, jrs_max_f32(a, b, true))                                                    \
    XX(BINARY, min_xorsign_abs_f32, f32, f32, f32, cross_min(a, b, false))                                             \
    XX(BINARY, max_xorsign_abs_f32, f32, f32, f32, cross_max(a, b, false))                                             \
    XX(BINARY, min_NaN_xorsign_abs_f32, f32, f32, f32, cross_min(a, b, true))                                          \
    XX(BINARY, max_NaN_xorsign_abs_f32, f32, f32, f32, cross_max(a, b, true))                                          \
    THREE(XX, min3)                                                                                                    \
    THREE(XX, max3)                                                                                                    \
    XX(BINARY, add_f64, f64, f64, f64, jrs_first_nan(a, a + b))                                                        \
    XX(BINARY, sub_f64, f64, f64, f64, a - b)                                                                          \
    XX(BINARY, mul_f64, f64, f64, f64, jrs_first_nan(a, a *b))                                                         \
    XX(TERNARY, fma_f64, f64, f64, f64, f64, jrs_first_nan(a, jrs_first_nan(b, fma(a, b, c))))                         \
    XX(TERNARY, mad_f64, f64, f64, f64, f64, jrs_first_nan(a, jrs_first_nan(b, fma(a, b, c))))                         \
    XX(BINARY, div_f64, f64, f64, f64, a / b)                                                                          \
    XX(UNARY, rcp_f64, f64, f64, 1.0 / a)                                                                              \
    XX(UNARY, sqrt_f64, f64, f64, sqrt(a))                                                                             \
    XX(UNARY, neg_f64, u64, u64, NAN64(a) ? a : a ^ SIGN64)                                                            \
    XX(UNARY, abs_f64, u64, u64, a & ~SIGN64)                                                                          \
    XX(BINARY, copysign_f64, u64, u64, u64, (b & ~SIGN64) | (a & SIGN64))                                              \
    XX(BINARY, min_f64, f64, f64, f64, jrs_min_f64(a, b, false))                                                       \
    XX(BINARY, max_f64, f64, f64, f64, jrs_max_f64(a, b, false))

JRS_HANDLERS_AND_TABLE(float, FORMS)
