/* JR_INIT: makes a struct that begins with its size.
 * Manual: embedding.md, cpp.md. */
#ifndef JITREDUCE_INIT_H
#define JITREDUCE_INIT_H

/* No warning of members that are not named: they are 0. */
#pragma GCC system_header

/* Makes a struct that begins with its size; its other members are as given, or 0:
 *     jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_MIN, .type = JR_F32);
 * It equals {.size = sizeof(jr_spec), .op = JR_OP_MIN, .type = JR_F32}; use that form for constants at file scope. In
 * C++20 the members are given in the order of their declaration. Before C++20, JR_INIT(jr_spec) sets the size only; set
 * the other members afterwards. */
#if !defined(__cplusplus)
#define JR_INIT(...)          JR_INIT_OF(__VA_ARGS__, )
#define JR_INIT_OF(type, ...) ((type){.size = sizeof(type), __VA_ARGS__})
#else
#if __cplusplus >= 202002L
#define JR_INIT(type, ...)       JR_INIT_##__VA_OPT__(NAMED)(type, __VA_ARGS__)
#define JR_INIT_NAMED(type, ...) (JR_INIT_QUIETLY(type{.size = sizeof(type), __VA_ARGS__}))
#define JR_INIT_(type, ...)      jr_init<type>()
#else
#define JR_INIT(type) jr_init<type>()
#endif
/* Hidden: where shared objects see each other's names, each keeps its own size of the struct. */
extern "C++" {
template <typename Type> __attribute__((visibility("hidden"))) inline Type jr_init() {
    Type made = Type();
    made.size = sizeof(Type);
    return made;
}
}
#endif

#if defined(__clang__) && __clang_major__ >= 19
#define JR_INIT_QUIETLY(...)                                                                                           \
    _Pragma("clang diagnostic push") _Pragma("clang diagnostic ignored \"-Wmissing-designated-field-initializers\"")   \
        __VA_ARGS__ _Pragma("clang diagnostic pop")
#else
#define JR_INIT_QUIETLY(...) __VA_ARGS__
#endif

#endif
