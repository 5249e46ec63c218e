/* Element types, operators, algorithms and values: the words in which a reduction is specified.
 * Manual: operators.md. */
#ifndef JITREDUCE_TYPES_H
#define JITREDUCE_TYPES_H

#include <stddef.h>
#include <stdint.h>

#include "init.h"
#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The version of this header; jr_version() and jr_version_number() return the version of the library that runs. */
#define JR_VERSION_MAJOR  0
#define JR_VERSION_MINOR  3
#define JR_VERSION_PATCH  0
#define JR_VERSION_NUMBER (JR_VERSION_MAJOR * 10000 + JR_VERSION_MINOR * 100 + JR_VERSION_PATCH)

/* Element types. JR_TYPE_NONE (0) means "not given". The numbers are part of the ABI. */
#define JR_TYPES(XX)                                                                                                   \
    XX(I32, 1, "i32")                                                                                                  \
    XX(U32, 2, "u32")                                                                                                  \
    XX(I64, 3, "i64")                                                                                                  \
    XX(U64, 4, "u64")                                                                                                  \
    XX(F32, 5, "f32")                                                                                                  \
    XX(F64, 6, "f64")                                                                                                  \
    XX(I8, 7, "i8")                                                                                                    \
    XX(U8, 8, "u8")                                                                                                    \
    XX(I16, 9, "i16")                                                                                                  \
    XX(U16, 10, "u16")                                                                                                 \
    XX(F16, 11, "f16")                                                                                                 \
    XX(BF16, 12, "bf16")                                                                                               \
    XX(BOOL, 13, "bool")                                                                                               \
    XX(E4M3, 14, "e4m3")                                                                                               \
    XX(E5M2, 15, "e5m2")

typedef enum jr_type {
    JR_TYPE_NONE = 0,
#define JR_TYPE_ENUM(name, number, text) JR_##name = (number),
    JR_TYPES(JR_TYPE_ENUM)
#undef JR_TYPE_ENUM
        JR_STRUCT = 100 /* a struct of the caller's, described by a jr_structure */
} jr_type;

/* What kind of numbers the elements of a type are. */
typedef enum jr_type_class {
    JR_CLASS_NONE = 0, /* not numbers (a struct), or not a type */
    JR_CLASS_SIGNED = 1,
    JR_CLASS_UNSIGNED = 2,
    JR_CLASS_BOOLEAN = 3,
    JR_CLASS_FLOAT = 4
} jr_type_class;

/* Operators. JR_OP_NONE (0) means "not given". */
#define JR_OPS(XX)                                                                                                     \
    XX(SUM, 1, "sum")                                                                                                  \
    XX(PROD, 2, "prod")                                                                                                \
    XX(MIN, 3, "min")                                                                                                  \
    XX(MAX, 4, "max")                                                                                                  \
    XX(AND, 5, "and")                                                                                                  \
    XX(OR, 6, "or")                                                                                                    \
    XX(XOR, 7, "xor")                                                                                                  \
    XX(ANY, 8, "any")                                                                                                  \
    XX(ALL, 9, "all")                                                                                                  \
    XX(COUNT_NONZERO, 10, "count_nonzero")                                                                             \
    XX(ARGMIN, 11, "argmin")                                                                                           \
    XX(ARGMAX, 12, "argmax")                                                                                           \
    XX(MEAN, 13, "mean")                                                                                               \
    XX(VAR, 14, "var")                                                                                                 \
    XX(STD, 15, "std")                                                                                                 \
    XX(NORM1, 16, "norm1")                                                                                             \
    XX(NORM2, 17, "norm2")                                                                                             \
    XX(NORMINF, 18, "norminf")                                                                                         \
    XX(SUMSQ, 19, "sumsq")                                                                                             \
    XX(DOT, 20, "dot")                                                                                                 \
    XX(LOGSUMEXP, 21, "logsumexp")                                                                                     \
    XX(CUSTOM, 22, "custom")

typedef enum jr_op {
    JR_OP_NONE = 0,
#define JR_OP_ENUM(name, number, text) JR_OP_##name = (number),
    JR_OPS(JR_OP_ENUM)
#undef JR_OP_ENUM
} jr_op;

/* Properties of an operator, as bits. */
typedef enum jr_op_flag {
    JR_OP_FLAG_FLOATS = 1,   /* takes elements that are floats */
    JR_OP_FLAG_INITIAL = 2,  /* takes an initial value */
    JR_OP_FLAG_NO_EMPTY = 4, /* has no value for an empty input */
    JR_OP_FLAG_SELECTS = 8   /* its result is an element, or the absolute value or index of one: nothing is rounded */
} jr_op_flag;

/* Algorithms. JR_ALGORITHM_AUTO (0) lets the library choose. */
#define JR_ALGORITHMS(XX)                                                                                              \
    XX(SINGLE_PASS, 1, "single_pass")                                                                                  \
    XX(TWO_PASS, 2, "two_pass")                                                                                        \
    XX(ONE_BLOCK, 3, "one_block")                                                                                      \
    XX(ROWS, 4, "rows")                                                                                                \
    XX(TOURNAMENT, 5, "tournament")                                                                                    \
    XX(TOURNAMENT_SERIAL, 6, "tournament_serial")                                                                      \
    XX(STRIDED, 7, "strided")                                                                                          \
    XX(ATOMIC, 8, "atomic")                                                                                            \
    XX(BULK_COPY, 9, "bulk_copy")

/* Algorithms for scans only (jitreduce/scan.h); scans also take SINGLE_PASS, ONE_BLOCK and BULK_COPY. */
#define JR_SCAN_ALGORITHMS(XX)                                                                                         \
    XX(THREE_PASS, 100, "three_pass")                                                                                  \
    XX(WAVE, 101, "wave")

typedef enum jr_algorithm {
    JR_ALGORITHM_AUTO = 0,
#define JR_ALGORITHM_ENUM(name, number, text) JR_ALGORITHM_##name = (number),
    JR_ALGORITHMS(JR_ALGORITHM_ENUM) JR_SCAN_ALGORITHMS(JR_ALGORITHM_ENUM)
#undef JR_ALGORITHM_ENUM
} jr_algorithm;

enum {
    JR_STRUCT_BYTES_MAX = 64,
    JR_VALUE_TEXT_BYTES = 2 * JR_STRUCT_BYTES_MAX + 1 /* a buffer for the text of any value. Since: 0.2 */
};

/* A typed value, such as the result of a reduction: `type` says which member of `as` holds it. Keeps its layout in all
 * versions. */
typedef struct jr_value {
    jr_type type;
    union {
        int8_t i8;
        uint8_t u8;
        int16_t i16;
        uint16_t u16;
        uint16_t f16;    /* the bits, IEEE 754 binary16 */
        uint16_t bf16;   /* the bits: the upper half of a float's */
        uint8_t e4m3;    /* the bits, OCP 8-bit E4M3: without infinities, NaN is all ones, the greatest number 448 */
        uint8_t e5m2;    /* the bits, OCP 8-bit E5M2: the upper half of an f16's */
        uint8_t boolean; /* 0 or 1 */
        int32_t i32;
        uint32_t u32;
        int64_t i64;
        uint64_t u64;
        float f32;
        double f64;
        unsigned char bytes[JR_STRUCT_BYTES_MAX]; /* of a struct */
    } as;
} jr_value;

/* Returns the version of the library that is running, such as "0.3.0".
 *
 * Returns: the version, never NULL.
 * Owns: static.
 * Threads: any.
 * Errors: none.
 * Since: 0.1. */
JR_API const char *jr_version(void);

/* Returns the version of the library that is running as a number to compare with JR_VERSION_NUMBER.
 *
 * Returns: 300 for 0.3.0, 10203 for 1.2.3.
 * Owns: nothing.
 * Threads: any.
 * Errors: none.
 * Since: 0.2. */
JR_API int jr_version_number(void);

/* Returns the short name of a type, operator or algorithm ("f32", "sum", "two_pass").
 *
 * type, op, algorithm: any number.
 *
 * Returns: the name; "?" for an unknown number.
 * Owns: static.
 * Threads: any.
 * Errors: none.
 * Since: 0.1. */
JR_API const char *jr_type_name(jr_type type);
JR_API const char *jr_op_name(jr_op op);
JR_API const char *jr_algorithm_name(jr_algorithm algorithm);

/* Finds a type, operator or algorithm by its short name. Types are also found by their names in C, CUDA and NumPy:
 * "int", "unsigned char", "long", "int64", "uint8_t", "float", "half", "f8", "<f4", "<i8". C's names mean what they
 * mean in a kernel: int has 32 bits. "i8" and "u8" have 8 bits; NumPy's 64-bit types are "<i8" and "<u8".
 *
 * name: a string that ends with a NUL.
 * type, op, algorithm: where the number is written, on success only.
 *
 * Owns: nothing.
 * Threads: any.
 * Errors: JR_ERROR_INVALID_ARGUMENT (for an unknown name, the message lists the known ones).
 * Since: 0.1. */
JR_API jr_status jr_type_find(const char *name, jr_type *type);
JR_API jr_status jr_op_find(const char *name, jr_op *op);
JR_API jr_status jr_algorithm_find(const char *name, jr_algorithm *algorithm);

/* Returns the size of an element.
 *
 * type: any number.
 *
 * Returns: bytes; 0 for an unknown number and for JR_STRUCT.
 * Owns: nothing.
 * Threads: any.
 * Errors: none.
 * Since: 0.1. */
JR_API size_t jr_type_size(jr_type type);

/* Returns what kind of numbers the elements of a type are.
 *
 * type: any number.
 *
 * Returns: the class; JR_CLASS_NONE for JR_STRUCT and for an unknown number.
 * Owns: nothing.
 * Threads: any.
 * Errors: none.
 * Since: 0.2. */
JR_API jr_type_class jr_type_class_of(jr_type type);

/* Returns how many bits the fraction of a float type has; the type's numbers just above 1 are 2^-bits apart.
 *
 * type: any number.
 *
 * Returns: the bits, for example 10 for f16; 0 for types that are not floats and for an unknown number.
 * Owns: nothing.
 * Threads: any.
 * Errors: none.
 * Since: 0.2. */
JR_API int jr_type_fraction_bits(jr_type type);

/* Converts a number to a value of a type, by the one rule that all conversions follow, also those in kernels (element
 * to accumulator, accumulator to result, expression to map_type and result):
 * - to a float: the nearest value, ties to even; infinity beyond the greatest value (NaN for e4m3, which has no
 *   infinity);
 * - from a float to an integer: toward zero; the nearest end of the range if it is out of range; 0 for NaN;
 * - to bool: whether it is not 0;
 * - from an integer to a narrower integer (in kernels only): the low bits.
 *
 * type: an element type; not JR_STRUCT.
 * number: any number.
 * value: where the value is written, on success only.
 *
 * Owns: nothing.
 * Threads: any.
 * Errors: JR_ERROR_INVALID_ARGUMENT (`type` is not a type of numbers).
 * Since: 0.2. */
JR_API jr_status jr_value_of_number(jr_type type, double number, jr_value *value);

/* Converts a value to the nearest double. The conversion is exact except for 64-bit integers above 2^53.
 *
 * value: a value of a type of numbers.
 * number: where the number is written, on success only.
 *
 * Owns: nothing.
 * Threads: any.
 * Errors: JR_ERROR_INVALID_ARGUMENT (a struct, or a value without a type).
 * Since: 0.2. */
JR_API jr_status jr_value_number(const jr_value *value, double *number);

/* Returns the properties of an operator.
 *
 * op: any number.
 *
 * Returns: JR_OP_FLAG_ values combined by `or`; 0 for an unknown number.
 * Owns: nothing.
 * Threads: any.
 * Errors: none.
 * Since: 0.2. */
JR_API unsigned jr_op_flags(jr_op op);

/* Finds the result type that an operator has for elements of a type when the spec does not set one: for example, the
 * sum of i32 is i64.
 *
 * op: an operator.
 * type: an element type.
 * result: where the type is written, on success only.
 *
 * Owns: nothing.
 * Threads: any.
 * Errors: JR_ERROR_UNSUPPORTED_TYPE (for example a bitwise operator over floats), JR_ERROR_INVALID_ARGUMENT.
 * Since: 0.1. */
JR_API jr_status jr_result_type(jr_op op, jr_type type, jr_type *result);

/* Writes a value as text with enough digits to read back the same bits ("0.1", "-inf", "nan", "-7", "true"); a struct
 * becomes two hexadecimal digits per byte, of all JR_STRUCT_BYTES_MAX bytes, since a value does not hold the size of
 * its struct: the first 2 * jr_structure.bytes digits are the struct's, and printf("%.*s") shows these alone.
 *
 * value: a value that has a type.
 * buffer: where the text is written, with a NUL at its end; on success only.
 * bytes: the size of `buffer`. JR_VALUE_TEXT_BYTES is enough for every value; 32 for every number.
 *
 * Owns: nothing.
 * Threads: any.
 * Errors: JR_ERROR_INVALID_ARGUMENT (the text does not fit: the message says how many bytes it takes, and nothing is
 *   written; or the value has no type).
 * Since: 0.1. */
JR_API jr_status jr_value_print(const jr_value *value, char *buffer, size_t bytes);

#ifdef __cplusplus
}
#endif
#endif
