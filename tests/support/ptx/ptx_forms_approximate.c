/* Approximations: the values themselves are recorded, and the simulator stays within a bound of them. */
#include "ptx_forms.h"

/* The simulator rounds the exact value once; a GPU is off by what the manual allows it. The bounds are what the
 * recorded values need, in the manual's terms: units of the last place, and for sin, cos and lg2 near 1 an absolute
 * error. */
#define NEAR(opcode, type, operands, ulps)                                                                             \
    {                                                                                                                  \
        opcode, type, operands, "", NULL, &(const form_bound) {                                                        \
            ulps, 0, 0                                                                                                 \
        }                                                                                                              \
    }
#define NEAR_EITHER(opcode, type, operands, ulps, absolute)                                                            \
    {                                                                                                                  \
        opcode, type, operands, "", NULL, &(const form_bound) {                                                        \
            ulps, absolute, 0                                                                                          \
        }                                                                                                              \
    }
#define NEAR_ABSOLUTE(opcode, type, operands, absolute, domain)                                                        \
    {                                                                                                                  \
        opcode, type, operands, "", NULL, &(const form_bound) {                                                        \
            0.5, absolute, domain                                                                                      \
        }                                                                                                              \
    }

const form_row form_approximate[] = {
    NEAR("ex2.approx.%s", "f32", "T T", 2),
    NEAR("ex2.approx.ftz.%s", "f32", "T T", 2),
    NEAR_EITHER("lg2.approx.%s", "f32", "T T", 2, 0x1p-22),
    NEAR_EITHER("lg2.approx.ftz.%s", "f32", "T T", 2, 0x1p-22),
    NEAR_ABSOLUTE("sin.approx.%s", "f32", "T T", 0x1p-20, 6.28),
    NEAR_ABSOLUTE("sin.approx.ftz.%s", "f32", "T T", 0x1p-20, 6.28),
    NEAR_ABSOLUTE("cos.approx.%s", "f32", "T T", 0x1p-20, 6.28),
    NEAR_ABSOLUTE("cos.approx.ftz.%s", "f32", "T T", 0x1p-20, 6.28),
    NEAR("rsqrt.approx.%s", "f32", "T T", 1),
    NEAR("rsqrt.approx.ftz.%s", "f32", "T T", 1),
    NEAR("rcp.approx.%s", "f32", "T T", 1),
    NEAR("rcp.approx.ftz.%s", "f32", "T T", 1),
    NEAR("sqrt.approx.%s", "f32", "T T", 1),
    NEAR("sqrt.approx.ftz.%s", "f32", "T T", 1),
    NEAR("tanh.approx.%s", "f32", "T T", 128),
    NEAR("div.approx.%s", "f32", "T T T", 1),
    NEAR("div.approx.ftz.%s", "f32", "T T T", 1),
    NEAR("div.full.%s", "f32", "T T T", 1),
    NEAR("div.full.ftz.%s", "f32", "T T T", 1),
    NEAR("rcp.approx.ftz.%s", "f64", "T T", 0x1p33),
    NEAR("rsqrt.approx.%s", "f64", "T T", 1),
    NEAR("rsqrt.approx.ftz.%s", "f64", "T T", 0x1p32),
    NEAR("ex2.approx.%s", "f16", "T T", 1),
    NEAR("ex2.approx.%s", "f16x2", "T T", 1),
    NEAR("ex2.approx.ftz.%s", "bf16", "T T", 1),
    NEAR("ex2.approx.ftz.%s", "bf16x2", "T T", 1),
    NEAR("tanh.approx.%s", "f16", "T T", 1),
    NEAR("tanh.approx.%s", "f16x2", "T T", 1),
    NEAR("tanh.approx.%s", "bf16", "T T", 1),
    NEAR("tanh.approx.%s", "bf16x2", "T T", 1),
};
const size_t form_approximate_count = sizeof form_approximate / sizeof *form_approximate;
