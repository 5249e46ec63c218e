/* Which element type a C++ type is, and the result types of operators, at compile time.
 * Manual: cpp.md. */
#ifndef JITREDUCE_CPP_ELEMENT_HPP
#define JITREDUCE_CPP_ELEMENT_HPP

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "../reduce.h"
#include "namespace.hpp"

JR_CPP_BEGIN

/* Bits of the small floats, for programs without a type of their own for them. */
struct f16 {
    std::uint16_t bits;
};
struct bf16 {
    std::uint16_t bits;
};
struct e4m3 {
    std::uint8_t bits;
};
struct e5m2 {
    std::uint8_t bits;
};

/* The C++ type of an element type: numbers<JR_I64>::type is std::int64_t. */
template <jr_type Type> struct numbers;
#define JR_CPP_NUMBERS(name, as)                                                                                       \
    template <> struct numbers<JR_##name> { using type = as; };
JR_CPP_NUMBERS(I8, std::int8_t)
JR_CPP_NUMBERS(U8, std::uint8_t)
JR_CPP_NUMBERS(I16, std::int16_t)
JR_CPP_NUMBERS(U16, std::uint16_t)
JR_CPP_NUMBERS(I32, std::int32_t)
JR_CPP_NUMBERS(U32, std::uint32_t)
JR_CPP_NUMBERS(I64, std::int64_t)
JR_CPP_NUMBERS(U64, std::uint64_t)
JR_CPP_NUMBERS(F32, float)
JR_CPP_NUMBERS(F64, double)
JR_CPP_NUMBERS(BOOL, bool)
JR_CPP_NUMBERS(F16, f16)
JR_CPP_NUMBERS(BF16, bf16)
JR_CPP_NUMBERS(E4M3, e4m3)
JR_CPP_NUMBERS(E5M2, e5m2)
#undef JR_CPP_NUMBERS

/* The type of an integer of so many bytes, or JR_TYPE_NONE. */
constexpr jr_type integer_type(std::size_t bytes, bool has_sign) {
    return bytes == 1   ? (has_sign ? JR_I8 : JR_U8)
           : bytes == 2 ? (has_sign ? JR_I16 : JR_U16)
           : bytes == 4 ? (has_sign ? JR_I32 : JR_U32)
           : bytes == 8 ? (has_sign ? JR_I64 : JR_U64)
                        : JR_TYPE_NONE;
}

/* The type of a number. Characters are not numbers: char has a sign on some machines only. */
template <class T> constexpr jr_type number_type() {
    if constexpr (std::is_same_v<T, bool>)
        return JR_BOOL;
    else if constexpr (std::is_same_v<T, char> || std::is_same_v<T, wchar_t> || std::is_same_v<T, char16_t> ||
                       std::is_same_v<T, char32_t>)
        return JR_TYPE_NONE;
#ifdef __cpp_char8_t
    else if constexpr (std::is_same_v<T, char8_t>)
        return JR_TYPE_NONE;
#endif
    else if constexpr (std::is_integral_v<T>)
        return integer_type(sizeof(T), std::is_signed_v<T>);
    else
        return std::is_same_v<T, float> ? JR_F32 : std::is_same_v<T, double> ? JR_F64 : JR_TYPE_NONE;
}

/* What T is as an element. Specialise it for a type of yours; a small float:
 *     template <> struct jitreduce::element<__half> { static constexpr jr_type type = JR_F16; };
 * a struct, with the text that kernels are compiled with:
 *     template <> struct jitreduce::element<pair> {
 *         static constexpr jr_type type = JR_STRUCT;
 *         static constexpr const char *name = "pair", *source = "struct pair { float key; int id; };";
 *     }; */
template <class T> struct element { static constexpr jr_type type = number_type<T>(); };
#define JR_CPP_ELEMENT(name)                                                                                           \
    template <> struct element<numbers<JR_##name>::type> { static constexpr jr_type type = JR_##name; };
JR_CPP_ELEMENT(F16)
JR_CPP_ELEMENT(BF16)
JR_CPP_ELEMENT(E4M3)
JR_CPP_ELEMENT(E5M2)
#undef JR_CPP_ELEMENT

template <class T> inline constexpr jr_type type_of = element<std::remove_cv_t<T>>::type;
template <class T> inline constexpr bool is_element = type_of<T> != JR_TYPE_NONE;

/* The number of the type, or T itself if it is that type (long long for i64, the caller's half for f16). */
template <jr_type Type, class T, bool Same = Type == type_of<T>> struct typed_like { using type = T; };
template <jr_type Type, class T> struct typed_like<Type, T, false> { using type = typename numbers<Type>::type; };

constexpr bool is_float_type(jr_type type) {
    return type == JR_F32 || type == JR_F64 || type == JR_F16 || type == JR_BF16 || type == JR_E4M3 || type == JR_E5M2;
}
constexpr bool is_signed_type(jr_type type) {
    return type == JR_I8 || type == JR_I16 || type == JR_I32 || type == JR_I64;
}

/* Whether an operator takes elements of a type, an initial value, and an accumulator's type (spec.accumulate). */
constexpr bool op_takes(jr_op op, jr_type type) {
    if (type == JR_STRUCT) return op == JR_OP_CUSTOM;
    return !((op == JR_OP_AND || op == JR_OP_OR || op == JR_OP_XOR) && is_float_type(type));
}
constexpr bool op_takes_initial(jr_op op) {
    return op == JR_OP_SUM || op == JR_OP_PROD || op == JR_OP_MIN || op == JR_OP_MAX || op == JR_OP_AND ||
           op == JR_OP_OR || op == JR_OP_XOR || op == JR_OP_DOT || op == JR_OP_CUSTOM;
}
constexpr bool op_takes_accumulator(jr_op op, jr_type type) {
    const bool is_float = type == JR_F32 || type == JR_F64;
    if (op == JR_OP_NORM2 || op == JR_OP_LOGSUMEXP) return is_float;
    return (is_float || type == JR_I32 || type == JR_U32 || type == JR_I64 || type == JR_U64) &&
           (op == JR_OP_SUM || op == JR_OP_PROD || op == JR_OP_MEAN || op == JR_OP_NORM1 || op == JR_OP_NORMINF ||
            op == JR_OP_SUMSQ || op == JR_OP_DOT || op == JR_OP_CUSTOM);
}

/* The result type of an operator over elements of a type, as jr_result_type has it; asked: spec.accumulate. */
constexpr jr_type op_result(jr_op op, jr_type type, jr_type asked = JR_TYPE_NONE) {
    const bool is_float = is_float_type(type);
    const jr_type norm = is_float && type != JR_F64 ? JR_F32 : JR_F64;
    switch (op) {
    case JR_OP_SUM:
    case JR_OP_PROD:
        if (asked != JR_TYPE_NONE) return asked;
        return is_float ? norm : is_signed_type(type) ? JR_I64 : JR_U64;
    case JR_OP_MIN:
    case JR_OP_MAX:
    case JR_OP_AND:
    case JR_OP_OR:
    case JR_OP_XOR: return type;
    case JR_OP_ANY:
    case JR_OP_ALL: return JR_BOOL;
    case JR_OP_COUNT_NONZERO: return JR_U64;
    case JR_OP_ARGMIN:
    case JR_OP_ARGMAX: return JR_I64;
    case JR_OP_MEAN: return asked == JR_F64 ? JR_F64 : norm;
    case JR_OP_CUSTOM: return asked != JR_TYPE_NONE ? asked : type;
    default: return asked != JR_TYPE_NONE ? asked : norm;
    }
}

template <class T> jr_value to_value(const T &number) {
    jr_value value = jr_value();
    static_assert(std::is_trivially_copyable_v<T> && sizeof number <= sizeof value.as, "a value holds up to 64 bytes");
    value.type = type_of<T>;
    std::memcpy(&value.as, &number, sizeof number);
    return value;
}
template <class T> T from_value(const jr_value &value) {
    T number;
    std::memcpy(&number, &value.as, sizeof number);
    return number;
}

JR_CPP_END
#endif
