/* Approximations: the values themselves are recorded, and the simulator stays within a bound of them. */
#include "support/ptx_forms.h"

/* The bounds are the manual's for the GPU (of the relative error: 2^-23 is 1 unit, at most 2 near a power of two), and
 * half a unit for the simulator, which rounds the exact value. The manual bounds sin and cos by an absolute error. */
#define NEAR(opcode, type, operands, ulps)                                                                             \
    {                                                                                                                  \
        opcode, type, operands, "", NULL, &(const form_bound) {                                                        \
            ulps, 0, 0                                                                                                 \
        }                                                                                                              \
    }
#define NEAR_ABSOLUTE(opcode, type, operands, absolute, domain)                                                        \
    {                                                                                                                  \
        opcode, type, operands, "", NULL, &(const form_bound) {                                                        \
            0.5, absolute, domain                                                                                      \
        }                                                                                                              \
    }

const form_row form_approximate[] = {
    NEAR("ex2.approx.%s", "f32", "T T", 4),
    NEAR("ex2.approx.ftz.%s", "f32", "T T", 4),
    NEAR_ABSOLUTE("lg2.approx.%s", "f32", "T T", 0x1p-22, 0),
    NEAR_ABSOLUTE("lg2.approx.ftz.%s", "f32", "T T", 0x1p-22, 0),
    NEAR_ABSOLUTE("sin.approx.%s", "f32", "T T", 0x1p-20, 6.28),
    NEAR_ABSOLUTE("sin.approx.ftz.%s", "f32", "T T", 0x1p-20, 6.28),
    NEAR_ABSOLUTE("cos.approx.%s", "f32", "T T", 0x1p-20, 6.28),
    NEAR_ABSOLUTE("cos.approx.ftz.%s", "f32", "T T", 0x1p-20, 6.28),
    NEAR("rsqrt.approx.%s", "f32", "T T", 4),
    NEAR("rsqrt.approx.ftz.%s", "f32", "T T", 4),
    NEAR("rcp.approx.%s", "f32", "T T", 2),
    NEAR("rcp.approx.ftz.%s", "f32", "T T", 2),
    NEAR("sqrt.approx.%s", "f32", "T T", 3),
    NEAR("sqrt.approx.ftz.%s", "f32", "T T", 3),
    NEAR_ABSOLUTE("tanh.approx.%s", "f32", "T T", 0x1p-10, 0),
    NEAR("div.approx.%s", "f32", "T T T", 3),
    NEAR("div.approx.ftz.%s", "f32", "T T T", 3),
    NEAR("div.full.%s", "f32", "T T T", 3),
    NEAR("div.full.ftz.%s", "f32", "T T T", 3),
    NEAR("rcp.approx.ftz.%s", "f64", "T T", 0x1p33),
    NEAR("rsqrt.approx.%s", "f64", "T T", 0x1p30),
    NEAR("rsqrt.approx.ftz.%s", "f64", "T T", 0x1p33),
    NEAR("ex2.approx.%s", "f16", "T T", 4),
    NEAR("ex2.approx.%s", "f16x2", "T T", 4),
    NEAR("ex2.approx.ftz.%s", "bf16", "T T", 4),
    NEAR("ex2.approx.ftz.%s", "bf16x2", "T T", 4),
    NEAR("tanh.approx.%s", "f16", "T T", 3),
    NEAR("tanh.approx.%s", "f16x2", "T T", 3),
    NEAR("tanh.approx.%s", "bf16", "T T", 3),
    NEAR("tanh.approx.%s", "bf16x2", "T T", 3),
};
const size_t form_approximate_count = sizeof form_approximate / sizeof *form_approximate;
