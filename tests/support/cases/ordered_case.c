/* Operators that do not commute. */
#include "ordered_case.h"

#include <string.h>

enum { PRIME = 32749 }; /* two products of residues fit into 32 bits */

jr_spec matrix_spec(void) {
    static const jr_structure structure = {
        .size = sizeof(jr_structure),
        .name = "matrix",
        .source = "struct matrix { unsigned a, b, c, d; };\n"
                  "__device__ __forceinline__ matrix unit() { return {1, 0, 0, 1}; }\n"
                  "__device__ __forceinline__ matrix product(const matrix &l, const matrix &r) {\n"
                  "    return {(l.a * r.a + l.b * r.c) % 32749, (l.a * r.b + l.b * r.d) % 32749,\n"
                  "            (l.c * r.a + l.d * r.c) % 32749, (l.c * r.b + l.d * r.d) % 32749};\n"
                  "}\n",
        .bytes = sizeof(matrix),
        .alignment = 4};
    return JR_INIT(jr_spec, .op = JR_OP_CUSTOM, .type = JR_STRUCT, .structure = &structure, .combine = "product(a, b)",
                   .identity = "unit()");
}

void matrix_fill(matrix *matrices, uint64_t count, uint64_t *seed) {
    for (uint64_t i = 0; i < count;) {
        const uint64_t bits = random_bits(seed);
        const uint32_t high = (uint32_t)(bits >> 32), low = (uint32_t)bits;
        const matrix m = {low % PRIME, (low >> 16) % PRIME, high % PRIME, (high >> 16) % PRIME};
        if (m.a * m.d % PRIME != m.b * m.c % PRIME) matrices[i++] = m;
    }
}

static matrix multiply(matrix l, matrix r) {
    return (matrix){(l.a * r.a + l.b * r.c) % PRIME, (l.a * r.b + l.b * r.d) % PRIME, (l.c * r.a + l.d * r.c) % PRIME,
                    (l.c * r.b + l.d * r.d) % PRIME};
}

matrix matrix_product(const matrix *matrices, uint64_t count) {
    matrix product = {1, 0, 0, 1};
    for (uint64_t i = 0; i < count; i++) product = multiply(product, matrices[i]);
    return product;
}

jr_spec first_spec(jr_type type) {
    return JR_INIT(jr_spec, .op = JR_OP_CUSTOM, .type = type, .combine = "a != 0 ? a : b", .identity = "0");
}

void matrix_assert(const opened *device, jr_plan *plan, const matrix *d_in, const matrix *host, uint64_t count,
                   const char *what) {
    const jr_value value = plan_value(device, plan, d_in, count);
    const matrix expected = matrix_product(host, count);
    matrix got;
    memcpy(&got, value.as.bytes, sizeof got);
    if (memcmp(&got, &expected, sizeof got) != 0)
        fail_msg("%s, %llu matrices: got %u %u %u %u, expected %u %u %u %u", what, (unsigned long long)count, got.a,
                 got.b, got.c, got.d, expected.a, expected.b, expected.c, expected.d);
}
