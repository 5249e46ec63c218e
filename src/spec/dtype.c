/* The table of element types, and elements as numbers by what the rows say of them. */
#include "dtype.h"

#include <math.h>
#include <string.h>

/* By their numbers, which are those from 1 on. */
static const jr_dtype rows[] = {
    [JR_I32 - 1] = {.type = JR_I32, .name = "i32", .c_name = "int", .bytes = 4, .class = JR_CLASS_SIGNED},
    [JR_U32 - 1] = {.type = JR_U32, .name = "u32", .c_name = "unsigned", .bytes = 4, .class = JR_CLASS_UNSIGNED},
    [JR_I64 - 1] = {.type = JR_I64, .name = "i64", .c_name = "long long", .bytes = 8, .class = JR_CLASS_SIGNED},
    [JR_U64 -
        1] = {.type = JR_U64, .name = "u64", .c_name = "unsigned long long", .bytes = 8, .class = JR_CLASS_UNSIGNED},
    [JR_F32 - 1] =
        {.type = JR_F32, .name = "f32", .c_name = "float", .bytes = 4, .class = JR_CLASS_FLOAT, .fraction_bits = 23},
    [JR_F64 - 1] =
        {.type = JR_F64, .name = "f64", .c_name = "double", .bytes = 8, .class = JR_CLASS_FLOAT, .fraction_bits = 52},
    [JR_I8 - 1] = {.type = JR_I8, .name = "i8", .c_name = "signed char", .bytes = 1, .class = JR_CLASS_SIGNED},
    [JR_U8 - 1] = {.type = JR_U8, .name = "u8", .c_name = "unsigned char", .bytes = 1, .class = JR_CLASS_UNSIGNED},
    [JR_I16 - 1] = {.type = JR_I16, .name = "i16", .c_name = "short", .bytes = 2, .class = JR_CLASS_SIGNED},
    [JR_U16 - 1] = {.type = JR_U16, .name = "u16", .c_name = "unsigned short", .bytes = 2, .class = JR_CLASS_UNSIGNED},
    [JR_F16 - 1] =
        {.type = JR_F16, .name = "f16", .c_name = "jr_f16", .bytes = 2, .class = JR_CLASS_FLOAT, .fraction_bits = 10},
    [JR_BF16 - 1] =
        {.type = JR_BF16, .name = "bf16", .c_name = "jr_bf16", .bytes = 2, .class = JR_CLASS_FLOAT, .fraction_bits = 7},
    [JR_E4M3 - 1] = {.type = JR_E4M3,
                     .name = "e4m3",
                     .c_name = "jr_e4m3",
                     .bytes = 1,
                     .class = JR_CLASS_FLOAT,
                     .fraction_bits = 3,
                     .finite = true},
    [JR_E5M2 - 1] =
        {.type = JR_E5M2, .name = "e5m2", .c_name = "jr_e5m2", .bytes = 1, .class = JR_CLASS_FLOAT, .fraction_bits = 2},
    [JR_BOOL - 1] = {.type = JR_BOOL, .name = "bool", .c_name = "jr_bool", .bytes = 1, .class = JR_CLASS_BOOLEAN}};

enum { ROW_COUNT = sizeof rows / sizeof rows[0] };

/* The names of a type in C, CUDA and NumPy, separated by commas. Names that mean different types there (uint, char,
 * byte) are missing, and so are NumPy's i1, i2, i4 and u1, u2, u4 without a byte order, since its i8 and u8 have 64
 * bits. */
static const struct {
    jr_type type;
    const char *names;
} other_names[] = {
    {JR_I32, "int,signed,signed int,int32,int32_t,intc,<i4,=i4"},
    {JR_U32, "unsigned,unsigned int,uint32,uint32_t,uintc,<u4,=u4"},
    {JR_I64, "long,long int,long long,long long int,longlong,int64,int64_t,intp,ssize_t,ptrdiff_t,<i8,=i8"},
    {JR_U64, "unsigned long,unsigned long int,unsigned long long,unsigned long long int,ulong,ulonglong"},
    {JR_U64, "uint64,uint64_t,uintp,size_t,<u8,=u8"},
    {JR_F32, "float,single,float32,f4,<f4,=f4"},
    {JR_F64, "double,float64,f8,<f8,=f8"},
    {JR_I8, "signed char,int8,int8_t,|i1,<i1,=i1"},
    {JR_U8, "unsigned char,uchar,ubyte,uint8,uint8_t,|u1,<u1,=u1"},
    {JR_I16, "short,short int,int16,int16_t,<i2,=i2"},
    {JR_U16, "unsigned short,unsigned short int,ushort,uint16,uint16_t,<u2,=u2"},
    {JR_F16, "half,__half,float16,f2,<f2,=f2"},
    {JR_BF16, "bfloat16,__nv_bfloat16"},
    {JR_E4M3, "float8_e4m3fn,__nv_fp8_e4m3"},
    {JR_E5M2, "float8_e5m2,__nv_fp8_e5m2"},
    {JR_BOOL, "bool_,_Bool,?,b1,|b1"},
};

/* Every type of the public list has a row here. */
#define JR_TYPE_ONE(name, number, text) +1
_Static_assert(ROW_COUNT == 0 JR_TYPES(JR_TYPE_ONE), "a type without a row");
#undef JR_TYPE_ONE

const jr_dtype *jr_dtype_find(jr_type type) {
    const size_t at = (size_t)type - 1;
    return at < ROW_COUNT ? &rows[at] : NULL;
}

/* Whether a list, parted by commas, has a name. */
static bool has_name(const char *list, const char *name) {
    const size_t length = strlen(name);
    while (*list != '\0') {
        const size_t bytes = strcspn(list, ",");
        if (bytes == length && memcmp(list, name, bytes) == 0) return true;
        list += bytes + (list[bytes] == ',');
    }
    return false;
}

const jr_dtype *jr_dtype_find_name(const char *name) {
    for (size_t i = 0; i < ROW_COUNT; i++)
        if (strcmp(rows[i].name, name) == 0) return &rows[i];
    for (size_t i = 0; i < sizeof other_names / sizeof *other_names; i++)
        if (has_name(other_names[i].names, name)) return jr_dtype_find(other_names[i].type);
    return NULL;
}

const jr_dtype *jr_dtype_find_c_name(const char *c_name, size_t length) {
    for (size_t i = 0; i < ROW_COUNT; i++)
        if (strlen(rows[i].c_name) == length && memcmp(rows[i].c_name, c_name, length) == 0) return &rows[i];
    return NULL;
}

jr_type jr_dtype_value_type(const jr_dtype *row) {
    if (row->bytes >= 4) return row->type;
    return row->class == JR_CLASS_FLOAT ? JR_F32 : row->class == JR_CLASS_SIGNED ? JR_I32 : JR_U32;
}

const jr_dtype *jr_dtype_value(jr_type type) {
    const jr_dtype *row = jr_dtype_find(type);
    return row != NULL ? jr_dtype_find(jr_dtype_value_type(row)) : NULL;
}

jr_type jr_dtype_promoted(const jr_dtype *row) {
    return row->bytes < 4 && row->class != JR_CLASS_FLOAT ? JR_I32 : jr_dtype_value_type(row);
}

bool jr_dtype_is_float(const jr_dtype *row) {
    return row != NULL && row->class == JR_CLASS_FLOAT;
}

bool jr_dtype_is_signed(const jr_dtype *row) {
    return row != NULL && (row->class == JR_CLASS_FLOAT || row->class == JR_CLASS_SIGNED);
}

/* Bits of an element but its sign. */
static int magnitude_bits(const jr_dtype *row) {
    return 8 * (int)row->bytes - 1;
}

int jr_dtype_least_exponent(const jr_dtype *row) {
    const int exponent_bits = magnitude_bits(row) - row->fraction_bits;
    return 2 - (1 << (exponent_bits - 1));
}

/* An element's bits, in the low ones. Little-endian, as every machine with a CUDA driver. */
static uint64_t bits_of(const jr_dtype *row, const void *from) {
    uint64_t bits = 0;
    memcpy(&bits, from, row->bytes);
    return bits;
}

static uint64_t magnitude_mask(const jr_dtype *row) {
    return (UINT64_C(1) << magnitude_bits(row)) - 1;
}

/* The bits of the infinity; of a type without one, of the NaN. No number lies above them. */
static uint64_t infinity_bits(const jr_dtype *row) {
    return row->finite ? magnitude_mask(row) : magnitude_mask(row) >> row->fraction_bits << row->fraction_bits;
}

static uint64_t nan_bits(const jr_dtype *row) {
    return row->finite ? magnitude_mask(row) : infinity_bits(row) | UINT64_C(1) << (row->fraction_bits - 1);
}

jr_float_parts jr_dtype_float_parts(const jr_dtype *row, const void *from) {
    const uint64_t bits = bits_of(row, from), magnitude = bits & magnitude_mask(row);
    const uint64_t implied = UINT64_C(1) << row->fraction_bits, fraction = magnitude & (implied - 1);
    const int field = (int)(magnitude >> row->fraction_bits), step = jr_dtype_least_exponent(row) - row->fraction_bits;
    const bool nan = magnitude > infinity_bits(row) || (row->finite && magnitude == infinity_bits(row));
    return (jr_float_parts){.kind = nan                               ? JR_FLOAT_NAN
                                    : magnitude == infinity_bits(row) ? JR_FLOAT_INFINITY
                                                                      : JR_FLOAT_NUMBER,
                            .negative = bits > magnitude_mask(row),
                            .significand = field == 0 ? fraction : fraction | implied,
                            .exponent = field == 0 ? step : step + field - 1,
                            .lower_is_closer = fraction == 0 && field > 1};
}

double jr_dtype_read_float(const jr_dtype *row, const void *from) {
    const jr_float_parts parts = jr_dtype_float_parts(row, from);
    const double sign = parts.negative ? -1 : 1;
    if (parts.kind == JR_FLOAT_NAN) return (double)NAN;
    return sign *
           (parts.kind == JR_FLOAT_INFINITY ? (double)INFINITY : ldexp((double)parts.significand, parts.exponent));
}

uint64_t jr_dtype_read_integer(const jr_dtype *row, const void *from) {
    const uint64_t bits = bits_of(row, from), sign = UINT64_C(1) << magnitude_bits(row);
    if (row->class == JR_CLASS_BOOLEAN) return bits != 0;
    return row->class == JR_CLASS_SIGNED ? (bits ^ sign) - sign : bits;
}

/* Shifts right by 1 to 63 bits, and rounds to nearest, ties to even. */
static uint64_t shift_rounded(uint64_t bits, int shift) {
    const uint64_t kept = bits >> shift, rest = bits << (64 - shift), half = UINT64_C(1) << 63;
    return kept + (rest > half || (rest == half && (kept & 1)));
}

/* A fraction that rounds up to the next power of two carries into the exponent by itself. In integers, so that the
 * rounding mode in force changes nothing. */
static uint64_t float_bits(const jr_dtype *row, double number) {
    enum { DOUBLE_FRACTION = 52, DOUBLE_MIN = -1022 };
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    const uint64_t sign = (bits >> 63) << magnitude_bits(row);
    if (isnan(number)) return sign | nan_bits(row);
    if (isinf(number)) return sign | infinity_bits(row);
    const int field = (int)(bits << 1 >> (DOUBLE_FRACTION + 1)), least = jr_dtype_least_exponent(row);
    const int exponent = field > 0 ? field + DOUBLE_MIN - 1 : DOUBLE_MIN;
    const uint64_t fraction = bits & ((UINT64_C(1) << DOUBLE_FRACTION) - 1);
    const uint64_t significand = field > 0 ? fraction | UINT64_C(1) << DOUBLE_FRACTION : fraction;
    const int below = exponent < least ? least - exponent : 0; /* bits that a subnormal number has less */
    const int shift = DOUBLE_FRACTION - row->fraction_bits + below;
    const uint64_t rounded = shift == 0 ? significand : shift > 63 ? 0 : shift_rounded(significand, shift);
    const uint64_t magnitude = ((uint64_t)(exponent + below - least) << row->fraction_bits) + rounded;
    return sign | (magnitude > infinity_bits(row) ? infinity_bits(row) : magnitude);
}

/* Toward zero, and to the nearer end of the range. */
static uint64_t integer_bits(const jr_dtype *row, double number) {
    const int bits = 8 * (int)row->bytes;
    const bool is_signed = row->class == JR_CLASS_SIGNED;
    const double end = ldexp(1, is_signed ? bits - 1 : bits);
    if (isnan(number)) return 0;
    if (number >= end) return is_signed ? (UINT64_C(1) << (bits - 1)) - 1 : UINT64_MAX;
    if (number < 0 && !is_signed) return 0;
    if (number < -end) return UINT64_C(1) << (bits - 1);
    return number < 0 ? (uint64_t)(int64_t)number : (uint64_t)number;
}

void jr_dtype_write(const jr_dtype *row, double number, void *to) {
    const uint64_t bits = row->class == JR_CLASS_BOOLEAN ? number != 0
                          : row->class == JR_CLASS_FLOAT ? float_bits(row, number)
                                                         : integer_bits(row, number);
    memcpy(to, &bits, row->bytes);
}
