/* Elements and C's numbers. */
#include "c_element.h"

#include <math.h>
#include <string.h>

#include "support/oracle/element.h"

c_type c_element_type(jr_type type) {
    switch (type) {
    case JR_U32: return C_UNSIGNED;
    case JR_I64: return C_LLONG;
    case JR_U64: return C_ULLONG;
    case JR_F64: return C_DOUBLE;
    default: return element_is_float(type) ? C_FLOAT : C_INT;
    }
}

c_number c_element_read(jr_type type, const void *data, uint64_t index) {
    const c_type seen = c_element_type(type);
    return c_is_float(seen) ? c_floating(seen, element_float(type, data, index))
                            : c_integer(seen, element_integer(type, data, index));
}

/* Toward zero, the nearest end of the range beyond it, 0 of a NaN. */
static uint64_t saturated(jr_type type, double x) {
    const bool is_signed = element_is_signed(type);
    const int bits = 8 * (int)element_bytes(type);
    const uint64_t most = ~UINT64_C(0) >> (64 - bits + is_signed), least = is_signed ? ~most : 0;
    const double end = ldexp(1, bits - is_signed);
    if (isnan(x)) return 0;
    if (x >= end) return most;
    if (x <= (is_signed ? -end : 0)) return least;
    return x < 0 ? 0 - (uint64_t)-x : (uint64_t)x;
}

/* Integers are rounded once: what f32 and f64 can hold of them, C rounds; 53 bits are enough for narrower types, except
 * for integers next to a tie, whose last bit is kept. */
static double to_float(jr_type type, c_number number) {
    if (c_is_float(number.type)) return number.floating;
    const bool is_signed = c_is_signed(number.type);
    const int64_t x = (int64_t)number.integer;
    if (type == JR_F32) return is_signed ? (double)(float)x : (double)(float)number.integer;
    if (type == JR_F64) return is_signed ? (double)x : (double)number.integer;
    const bool negative = is_signed && x < 0;
    const uint64_t size = negative ? 0 - number.integer : number.integer;
    const uint64_t odd = (size & ~UINT64_C(2047)) | ((size & 2047) != 0 ? UINT64_C(2048) : 0);
    const double kept = size >> 52 != 0 ? (double)odd : (double)size;
    return negative ? -kept : kept;
}

c_number c_element_converted(jr_type type, c_number number) {
    unsigned char bytes[8] = {0};
    if (type == JR_BOOL)
        element_store_integer(type, bytes, c_is_true(number));
    else if (element_is_float(type))
        element_store_float(type, bytes, to_float(type, number));
    else
        element_store_integer(type, bytes, c_is_float(number.type) ? saturated(type, number.floating) : number.integer);
    c_number made = c_element_read(type, bytes, 0);
    made.product = number.product && c_is_float(made.type);
    return made;
}

void c_element_write(jr_type type, void *data, uint64_t index, c_number number) {
    unsigned char *to = (unsigned char *)data + index * element_bytes(type);
    if (element_is_float(type))
        element_store_float(type, to, number.floating);
    else
        element_store_integer(type, to, number.integer);
}

bool c_element_equal(c_number a, c_number b) {
    if (!c_is_float(a.type)) return a.integer == b.integer;
    if (isnan(a.floating) || isnan(b.floating)) return isnan(a.floating) && isnan(b.floating);
    return a.floating == b.floating && !signbit(a.floating) == !signbit(b.floating);
}
