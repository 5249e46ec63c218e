/* What the forms are given: corners of every type, and bits at large. */
#include "ptx_forms.h"

#include <string.h>

static const uint64_t integers[] = {0,
                                    1,
                                    2,
                                    3,
                                    7,
                                    31,
                                    32,
                                    33,
                                    63,
                                    64,
                                    127,
                                    128,
                                    255,
                                    256,
                                    0x7fff,
                                    0x8000,
                                    0xffff,
                                    0x10000,
                                    0x7fffffff,
                                    0x80000000,
                                    0xffffffff,
                                    0x100000000,
                                    0x7fffffffffffffff,
                                    0x8000000000000000,
                                    0xffffffffffffffff,
                                    0xfffffffffffffffe,
                                    0xaaaaaaaaaaaaaaaa,
                                    0x5555555512345678};
static const uint64_t singles[] = {
    0,          0x80000000, 1,          0x80000001, 0x007fffff, 0x00800000, 0x3f800000, 0xbf800000, 0x3f000000,
    0x40490fdb, 0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000, 0x7fc00000, 0x7f800001, 0xffc12345, 0x4b000000,
    0x4b800001, 0x4f000000, 0xcf000000, 0x4f7fffff, 0x5f000000, 0x3effffff, 0x3fc00000, 0x40200000, 0xc0200000,
    0x33800001, 0x477fe000, 0x477ff000, 0x38800000, 0x387fffff, 0x33000000, 0x33000001, 0x437f0000, 0x43ff8000};
static const uint64_t doubles[] = {0,
                                   0x8000000000000000,
                                   1,
                                   0x000fffffffffffff,
                                   0x0010000000000000,
                                   0x3ff0000000000000,
                                   0xbff0000000000000,
                                   0x3fe0000000000000,
                                   0x7fefffffffffffff,
                                   0x7ff0000000000000,
                                   0xfff0000000000000,
                                   0x4330000000000001,
                                   0x41e0000000000000,
                                   0xc1e0000000200000,
                                   0x43e0000000000000,
                                   0xc3e0000000000000,
                                   0x3ff8000000000000,
                                   0x4004000000000000,
                                   0x400921fb54442d18,
                                   0x36a0000000000000,
                                   0x47efffffe0000000,
                                   0x47efffffefffffff,
                                   0x3ff0000010000000,
                                   0x3ff0000010000001,
                                   0x3ff0000030000000,
                                   0x3690000000000001,
                                   0x7ff8000000000000,
                                   0x3810000000000000};
static const uint64_t halves[] = {0,      0x8000, 1,      0x8001, 0x03ff, 0x0400, 0x3c00, 0xbc00, 0x7bff, 0xfbff,
                                  0x7c00, 0xfc00, 0x7e00, 0x7c01, 0x3555, 0x4248, 0x6400, 0x6401, 0x3800, 0x1400,
                                  0x7f80, 0xff80, 0x7fc0, 0x3f80, 0x0080, 0x007f, 0x7f7f, 0x4049};

static uint64_t mixed_bits(uint64_t *state) {
    *state += UINT64_C(0x9e3779b97f4a7c15);
    uint64_t z = *state;
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static uint64_t pick(const uint64_t *pool, size_t count, uint64_t bits) {
    return pool[bits % count];
}

#define PICK(pool, bits) pick(pool, sizeof(pool) / sizeof *(pool), bits)

/* A corner, or bits whose exponents are moderate. */
static uint64_t value_of(const char *type, uint64_t bits, uint64_t more) {
    bool corner = more % 4 != 0;
    if (strcmp(type, "f32") == 0) return corner ? PICK(singles, bits) : (bits & 0x87ffffff) | 0x38000000;
    if (strcmp(type, "f64") == 0)
        return corner ? PICK(doubles, bits) : (bits & 0x807fffffffffffff) | 0x3f80000000000000;
    if (strcmp(type, "f16") == 0 || strcmp(type, "bf16") == 0) return corner ? PICK(halves, bits) : bits & 0xffff;
    if (strcmp(type, "f16x2") == 0 || strcmp(type, "bf16x2") == 0)
        return corner ? PICK(halves, bits) << 16 | PICK(halves, bits >> 20) : bits & 0xffffffff;
    if (strcmp(type, "u16x2") == 0 || strcmp(type, "s16x2") == 0)
        return corner ? (PICK(integers, bits) & 0xffff) << 16 | (PICK(integers, bits >> 20) & 0xffff)
                      : bits & 0xffffffff;
    return corner ? PICK(integers, bits) : bits >> (more >> 2) % 60;
}

/* For approximations, whose errors lie anywhere: a corner now and then, half of the rest with a moderate exponent, the
 * other half with any. */
static uint64_t spread_value_of(const char *type, uint64_t bits, uint64_t more) {
    uint64_t near = (more >> 3) % 41; /* 2^-20 to 2^20 */
    bool moderate = more >> 2 & 1;
    if (more % 4 == 0) return value_of(type, bits, 1);
    if (strcmp(type, "f32") == 0) return moderate ? (bits & 0x807fffff) | (107 + near) << 23 : bits & 0xffffffff;
    if (strcmp(type, "f64") == 0) return moderate ? (bits & 0x800fffffffffffff) | (1003 + near) << 52 : bits;
    return strlen(type) > 4 ? bits & 0xffffffff : bits & 0xffff; /* f16x2, bf16x2; f16, bf16 */
}

void form_input(const form_row *row, size_t type, unsigned k, uint64_t out[FORM_ELEMENTS]) {
    char name[16] = "u32";
    uint64_t state = k * 7919 + type * 104729;
    form_operand_type(row, type, k + 1, name);
    for (size_t i = 0; i < FORM_ELEMENTS; i++) {
        uint64_t bits = mixed_bits(&state), more = mixed_bits(&state);
        out[i] = row->bound ? spread_value_of(name, bits, more) : value_of(name, bits, more);
    }
}
