/* Elements of every type. */
#include "element.h"

#include <math.h>
#include <string.h>

#include "support/fixtures/check.h"

/* A float type of 8 or 16 bits. finite: without infinities, only all ones is NaN. */
typedef struct narrow_form {
    int fraction_bits, exponent_bits;
    bool finite;
} narrow_form;

static const narrow_form f16_form = {10, 5, false}, bf16_form = {7, 8, false}, e4m3_form = {3, 4, true},
                         e5m2_form = {2, 5, false};

/* NULL: the type is not a narrow float. */
static const narrow_form *form_of(jr_type type) {
    switch (type) {
    case JR_F16: return &f16_form;
    case JR_BF16: return &bf16_form;
    case JR_E4M3: return &e4m3_form;
    case JR_E5M2: return &e5m2_form;
    default: return NULL;
    }
}

static int least_exponent(const narrow_form *form) {
    return 2 - (1 << (form->exponent_bits - 1));
}

static double narrow_decode(const narrow_form *form, unsigned bits) {
    const unsigned exponents = (1u << form->exponent_bits) - 1;
    const unsigned fraction = bits & ((1u << form->fraction_bits) - 1), field = bits >> form->fraction_bits & exponents;
    const double sign = bits >> (form->fraction_bits + form->exponent_bits) ? -1 : 1;
    if (form->finite && field == exponents && fraction == (1u << form->fraction_bits) - 1) return (double)NAN;
    if (field == exponents && !form->finite) return fraction != 0 ? (double)NAN : sign * (double)INFINITY;
    const int exponent = least_exponent(form) - form->fraction_bits;
    if (field == 0) return sign * ldexp(fraction, exponent);
    return sign * ldexp(fraction + (1u << form->fraction_bits), exponent + (int)field - 1);
}

/* A fraction that rounds up to the next power of two carries into the exponent by itself. */
static uint64_t narrow_encode(const narrow_form *form, double x) {
    const int size = form->exponent_bits + form->fraction_bits;
    const uint64_t sign = signbit(x) ? 1ull << size : 0, ones = (1ull << size) - 1;
    const uint64_t infinite = form->finite ? ones : ((1ull << form->exponent_bits) - 1) << form->fraction_bits;
    const int least = least_exponent(form);
    if (isnan(x)) return sign | infinite | 1ull << (form->fraction_bits - 1); /* all ones already where finite */
    if (isinf(x)) return sign | infinite;
    const int exponent = x == 0 || ilogb(x) < least ? least : ilogb(x);
    const double steps = rint(fabs(ldexp(x, form->fraction_bits - exponent)));
    const uint64_t bits = ((uint64_t)(exponent - least) << form->fraction_bits) + (uint64_t)steps;
    return sign | (bits > infinite ? infinite : bits);
}

bool element_is_float(jr_type type) {
    return form_of(type) != NULL || type == JR_F32 || type == JR_F64;
}

bool element_is_signed(jr_type type) {
    return type == JR_I8 || type == JR_I16 || type == JR_I32 || type == JR_I64;
}

size_t element_bytes(jr_type type) {
    switch (type) {
    case JR_I8:
    case JR_U8:
    case JR_E4M3:
    case JR_E5M2:
    case JR_BOOL: return 1;
    case JR_I16:
    case JR_U16:
    case JR_F16:
    case JR_BF16: return 2;
    case JR_I32:
    case JR_U32:
    case JR_F32: return 4;
    case JR_I64:
    case JR_U64:
    case JR_F64:
    case JR_STRUCT: /* tests of structs have their sizes */
    case JR_TYPE_NONE: return 8;
    }
    fail_msg("the oracle does not know type %s: add it to tests/support/oracle/element.c", jr_type_name(type));
    return 0;
}

double element_float(jr_type type, const void *data, uint64_t i) {
    const narrow_form *form = form_of(type);
    if (form != NULL && element_bytes(type) == 1) return narrow_decode(form, ((const uint8_t *)data)[i]);
    if (form != NULL) return narrow_decode(form, ((const uint16_t *)data)[i]);
    return type == JR_F32 ? (double)((const float *)data)[i] : ((const double *)data)[i];
}

uint64_t element_integer(jr_type type, const void *data, uint64_t i) {
    switch (type) {
    case JR_I8: return (uint64_t)(int64_t)((const int8_t *)data)[i];
    case JR_U8: return ((const uint8_t *)data)[i];
    case JR_BOOL: return ((const uint8_t *)data)[i] != 0;
    case JR_I16: return (uint64_t)(int64_t)((const int16_t *)data)[i];
    case JR_U16: return ((const uint16_t *)data)[i];
    case JR_I32: return (uint64_t)(int64_t)((const int32_t *)data)[i];
    case JR_U32: return ((const uint32_t *)data)[i];
    default: return ((const uint64_t *)data)[i];
    }
}

long double element_number(jr_type type, const void *data, uint64_t i) {
    if (element_is_float(type)) return (long double)element_float(type, data, i);
    const uint64_t bits = element_integer(type, data, i);
    return element_is_signed(type) ? (long double)(int64_t)bits : (long double)bits;
}

/* Little-endian, as every machine with a CUDA driver. */
void element_store_integer(jr_type type, void *to, uint64_t bits) {
    memcpy(to, &bits, element_bytes(type));
}

void element_store_float(jr_type type, void *to, double x) {
    const float single = (float)x;
    if (form_of(type) != NULL)
        element_store_integer(type, to, narrow_encode(form_of(type), x));
    else if (type == JR_F32)
        memcpy(to, &single, sizeof single);
    else
        memcpy(to, &x, sizeof x);
}
