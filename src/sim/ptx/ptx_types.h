/* The fundamental types of PTX: one list. */
#ifndef JRS_PTX_TYPES_H
#define JRS_PTX_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum jrs_kind {
    JRS_KIND_BITS,
    JRS_KIND_UNSIGNED,
    JRS_KIND_SIGNED,
    JRS_KIND_FLOAT,
    JRS_KIND_BRAIN,      /* bf16 */
    JRS_KIND_TENSOR,     /* tf32: an f32 with 10 bits of mantissa */
    JRS_KIND_FLOAT_PAIR, /* f16x2 */
    JRS_KIND_BRAIN_PAIR, /* bf16x2 */
    JRS_KIND_PREDICATE
} jrs_kind;

/* name, bytes (of a predicate: 0), kind */
#define JRS_TYPES(XX)                                                                                                  \
    XX(b8, 1, BITS)                                                                                                    \
    XX(b16, 2, BITS)                                                                                                   \
    XX(b32, 4, BITS)                                                                                                   \
    XX(b64, 8, BITS)                                                                                                   \
    XX(b128, 16, BITS)                                                                                                 \
    XX(u8, 1, UNSIGNED)                                                                                                \
    XX(u16, 2, UNSIGNED)                                                                                               \
    XX(u32, 4, UNSIGNED)                                                                                               \
    XX(u64, 8, UNSIGNED)                                                                                               \
    XX(s8, 1, SIGNED)                                                                                                  \
    XX(s16, 2, SIGNED)                                                                                                 \
    XX(s32, 4, SIGNED)                                                                                                 \
    XX(s64, 8, SIGNED)                                                                                                 \
    XX(f16, 2, FLOAT)                                                                                                  \
    XX(f32, 4, FLOAT)                                                                                                  \
    XX(f64, 8, FLOAT)                                                                                                  \
    XX(bf16, 2, BRAIN)                                                                                                 \
    XX(tf32, 4, TENSOR)                                                                                                \
    XX(f16x2, 4, FLOAT_PAIR)                                                                                           \
    XX(bf16x2, 4, BRAIN_PAIR)                                                                                          \
    XX(pred, 0, PREDICATE)

typedef enum jrs_type {
#define JRS_TYPE_ENUM(name, bytes, kind) JRS_TYPE_##name,
    JRS_TYPES(JRS_TYPE_ENUM)
#undef JRS_TYPE_ENUM
        JRS_TYPE_COUNT
} jrs_type;

/* The type with this name (without the dot); JRS_TYPE_COUNT when no type has it. */
jrs_type jrs_type_find(const char *name);
const char *jrs_type_name(jrs_type type);
unsigned jrs_type_bytes(jrs_type type);
jrs_kind jrs_type_kind(jrs_type type);
/* Bytes a lane of a register of this type takes: 8-bit registers take 2, a predicate 0. */
unsigned jrs_type_register_bytes(jrs_type type);
bool jrs_type_is_integer(jrs_type type); /* unsigned, signed or bits */

#endif
