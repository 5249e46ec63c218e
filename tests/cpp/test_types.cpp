/* Types: every element type and operator at compile time is what the library says at run time. */
#include "check.hpp"

#include <array>
#include <cmath>
#include <tuple>
#include <type_traits>

#if __cplusplus >= 202002L
#include <span>
#endif

using jitreduce::spec;
using jitreduce::type_of;
template <class Spec> using value_of = typename Spec::value;
template <class T, jr_op... Ops> using sum_of = value_of<decltype(spec<T, Ops...>())>;

static_assert(type_of<signed char> == JR_I8 && type_of<unsigned char> == JR_U8);
static_assert(type_of<short> == JR_I16 && type_of<unsigned short> == JR_U16);
static_assert(type_of<int> == JR_I32 && type_of<unsigned> == JR_U32);
static_assert(type_of<long> == JR_I64 && type_of<unsigned long> == JR_U64);
static_assert(type_of<long long> == JR_I64 && type_of<unsigned long long> == JR_U64);
static_assert(type_of<float> == JR_F32 && type_of<double> == JR_F64 && type_of<bool> == JR_BOOL);
static_assert(type_of<const float> == JR_F32 && type_of<volatile int> == JR_I32);
static_assert(type_of<char> == JR_TYPE_NONE && type_of<wchar_t> == JR_TYPE_NONE &&
              type_of<long double> == JR_TYPE_NONE);
static_assert(type_of<void *> == JR_TYPE_NONE && type_of<std::string> == JR_TYPE_NONE && type_of<void> == JR_TYPE_NONE);

/* Every type of the library's list has a C++ type, which leads back to it. */
#define SAME(name, number, text) static_assert(type_of<jitreduce::numbers<JR_##name>::type> == JR_##name);
JR_TYPES(SAME)
#undef SAME

static_assert(std::is_same_v<sum_of<int, JR_OP_SUM>, std::int64_t>);
static_assert(std::is_same_v<sum_of<unsigned char, JR_OP_PROD>, std::uint64_t>);
static_assert(std::is_same_v<sum_of<float, JR_OP_SUM>, float> && std::is_same_v<sum_of<double, JR_OP_SUM>, double>);
static_assert(std::is_same_v<sum_of<jitreduce::f16, JR_OP_SUM>, float>);
static_assert(std::is_same_v<sum_of<long long, JR_OP_SUM>, long long>);
static_assert(std::is_same_v<sum_of<jitreduce::bf16, JR_OP_MIN>, jitreduce::bf16>);
static_assert(std::is_same_v<sum_of<int, JR_OP_MEAN>, double> && std::is_same_v<sum_of<float, JR_OP_MEAN>, float>);
static_assert(std::is_same_v<sum_of<float, JR_OP_ARGMAX>, std::int64_t>);
static_assert(std::is_same_v<sum_of<int, JR_OP_ANY>, bool>);
static_assert(std::is_same_v<sum_of<float, JR_OP_DOT>, float>);
static_assert(std::is_same_v<sum_of<float, JR_OP_SUM, JR_OP_ARGMIN>, std::tuple<float, std::int64_t>>);
static_assert(std::is_same_v<value_of<decltype(spec<int, JR_OP_SUM>().map<double>("x"))>, double>);
static_assert(std::is_same_v<value_of<decltype(spec<int, JR_OP_SUM>().accumulate<float>())>, float>);
static_assert(std::is_same_v<value_of<decltype(spec<int, JR_OP_SUM>().result<short>())>, short>);
static_assert(std::is_same_v<value_of<decltype(spec<float, JR_OP_SUM>().kept())>, std::tuple<float, std::uint64_t>>);

static std::string name_of(jr_op op, jr_type type, jr_type asked) {
    return std::string(jr_op_name(op)) + " of " + jr_type_name(type) + " in " + jr_type_name(asked);
}

/* The library's answer to a spec: its result type; JR_TYPE_NONE: it refuses the spec. */
static jr_type library_type(jr_op op, jr_type type, jr_type asked) {
    jr_spec c = JR_INIT(jr_spec);
    jr_type types[JR_OPS_MAX] = {};
    c.op = op;
    c.type = type;
    c.accumulate = asked;
    if (op == JR_OP_CUSTOM) {
        c.combine = "a < b ? a : b";
        c.identity = "0";
    }
    return jr_reduce_check(&c, types) == JR_OK ? types[0] : JR_TYPE_NONE;
}

static const jr_type all_types[] = {JR_TYPE_NONE,
#define ONE(name, number, text) JR_##name,
                                    JR_TYPES(ONE)
#undef ONE
};
static const jr_op all_ops[] = {
#define ONE(name, number, text) JR_OP_##name,
    JR_OPS(ONE)
#undef ONE
};

TEST(every_operator_and_type_has_the_result_type_of_the_library) {
    int refused = 0, checked = 0;
    for (const jr_op op : all_ops)
        for (const jr_type type : all_types)
            for (const jr_type asked : all_types) {
                if (type == JR_TYPE_NONE) continue;
                const jr_type wanted = library_type(op, type, asked);
                const bool taken = jitreduce::op_takes(op, type) &&
                                   (asked == JR_TYPE_NONE || jitreduce::op_takes_accumulator(op, asked));
                /* A float that becomes an integer accumulator, and the like, only the library refuses. */
                if (wanted == JR_TYPE_NONE && asked == JR_TYPE_NONE && taken)
                    throw std::logic_error(name_of(op, type, asked));
                if (wanted == JR_TYPE_NONE) {
                    refused++;
                    continue;
                }
                if (!taken || jitreduce::op_result(op, type, asked) != wanted)
                    throw std::logic_error(name_of(op, type, asked));
                checked++;
            }
    CHECK(checked > 1000 && refused > 1000);
}

TEST(initial_values_are_taken_by_the_operators_of_the_library) {
    for (const jr_op op : all_ops)
        CHECK(jitreduce::op_takes_initial(op) == ((jr_op_flags(op) & JR_OP_FLAG_INITIAL) != 0));
}

TEST(sizes_and_classes_are_those_of_the_library) {
#define ONE(name, number, text)                                                                                        \
    CHECK(sizeof(jitreduce::numbers<JR_##name>::type) == jr_type_size(JR_##name));                                     \
    CHECK(jitreduce::is_float_type(JR_##name) == (jr_type_class_of(JR_##name) == JR_CLASS_FLOAT));                     \
    CHECK(jitreduce::is_signed_type(JR_##name) == (jr_type_class_of(JR_##name) == JR_CLASS_SIGNED));
    JR_TYPES(ONE)
#undef ONE
}

/* The library's layout of a spec's results is that of the C++ types. */
template <class Spec> static void has_layout_of_library(const Spec &of) {
    jr_result_layout layout = JR_INIT(jr_result_layout);
    const jr_spec c = of.c();
    if (jr_result_layout_of(&c, &layout) != JR_OK) throw jitreduce::error::last();
    CHECK(layout.count == static_cast<int>(Spec::outputs::count));
    CHECK(layout.bytes <= sizeof(typename Spec::result_element));
    if (layout.count > 1) CHECK(layout.bytes == sizeof(typename Spec::result_element));
    for (int i = 0; i < layout.count; i++) CHECK(layout.offsets[i] == 16 * static_cast<std::size_t>(i));
}

TEST(records_lie_as_the_library_writes_them) {
    has_layout_of_library(spec<float, JR_OP_SUM>());
    has_layout_of_library(spec<float, JR_OP_SUM, JR_OP_MIN, JR_OP_ARGMAX>());
    has_layout_of_library(spec<double, JR_OP_SUM, JR_OP_ANY>().kept());
    has_layout_of_library(spec<short, JR_OP_MIN, JR_OP_MAX>());
}

struct pair {
    float key;
    int id;
};
namespace jitreduce {
template <> struct element<pair> {
    static constexpr jr_type type = JR_STRUCT;
    static constexpr const char *name = "pair", *source = "struct pair { float key; int id; };\n"
                                                          "__device__ pair last() { return {INFINITY, -1}; }";
};
} // namespace jitreduce

/* A caller's own half: results that are elements are of its type. */
struct half {
    std::uint16_t bits;
};
namespace jitreduce {
template <> struct element<half> { static constexpr jr_type type = JR_F16; };
} // namespace jitreduce
static_assert(std::is_same_v<sum_of<half, JR_OP_MAX>, half> && std::is_same_v<sum_of<half, JR_OP_SUM>, float>);

TEST(structs_are_reduced) {
    auto gpu = jitreduce::context::open();
    const std::vector<pair> data = {{3, 1}, {1, 2}, {2, 3}};
    const auto least = spec<pair, JR_OP_CUSTOM>().combine("a.key < b.key ? a : b", "last()", true);
    const pair found = gpu.reduce(least, data);
    CHECK(found.key == 1 && found.id == 2);
    CHECK(gpu.reduce(spec<pair, JR_OP_SUM>().map<double>("x.key * x.id"), data) == 11);
}

TEST(small_floats_are_bits) {
    auto gpu = jitreduce::context::open();
    const std::vector<half> data = {{0x3c00}, {0x4200}, {0x4000}}; /* 1 3 2 */
    CHECK(gpu.reduce<JR_OP_MAX>(data).bits == 0x4200 && gpu.reduce<JR_OP_SUM>(data) == 6);
}

TEST(every_element_type_is_reduced) {
    auto gpu = jitreduce::context::open();
#define ONE(name, number, text)                                                                                        \
    {                                                                                                                  \
        using T = jitreduce::numbers<JR_##name>::type;                                                                 \
        const T data[3] = {};                                                                                          \
        CHECK(gpu.reduce<JR_OP_COUNT_NONZERO>(data) == 0);                                                             \
    }
    JR_TYPES(ONE)
#undef ONE
}

TEST(arrays_are_read_from_every_container) {
    auto gpu = jitreduce::context::open();
    int plain[] = {1, 2, 3};
    const std::array<int, 3> fixed = {1, 2, 3};
    std::vector<int> grown = {1, 2, 3};
    CHECK(gpu.reduce<JR_OP_SUM>(plain) == 6 && gpu.reduce<JR_OP_SUM>(fixed) == 6 && gpu.reduce<JR_OP_SUM>(grown) == 6);
    CHECK(gpu.reduce<JR_OP_SUM>(jitreduce::host_span<const int>(plain, 2)) == 3);
    CHECK(gpu.reduce<JR_OP_SUM>(jitreduce::host_span<int>(grown)) == 6);
#if __cplusplus >= 202002L
    CHECK(gpu.reduce<JR_OP_SUM>(std::span<int>(grown).subspan(1)) == 5);
    CHECK(gpu.reduce<JR_OP_SUM>(std::span<const int, 3>(fixed)) == 6);
#endif
}

TEST(specs_have_all_that_the_library_takes) {
    auto gpu = jitreduce::context::open();
    const std::vector<float> x = {1, 2, 3, NAN}, y = {4, 5, 6, 7};
    const auto ignoring = spec<float, JR_OP_SUM>().nan(JR_NAN_IGNORE).initial(10).unroll(2).block(64);
    CHECK(gpu.reduce(ignoring, x) == 16);
    CHECK(std::get<1>(gpu.reduce(ignoring.kept(), x)) == 3);
    using both = jitreduce::inputs<float, float>;
    const auto products = spec<both, JR_OP_SUM>().map<double>("x * y").where("i < limit").parameter("limit", 3);
    CHECK(gpu.reduce(products, x, y) == 32);
    CHECK(gpu.reduce(products.finish<float>("sqrt(a + n)").initial(0.0), x, y) == 6);
    CHECK(gpu.reduce(spec<float, JR_OP_VAR>().ddof(1).accuracy(JR_ACCURACY_EXACT), y) == 5.0F / 3.0F);
    CHECK(gpu.reduce<JR_OP_DOT>(y, y) == 126);
}

TEST(a_parameter_too_many_is_the_librarys_error) {
    auto gpu = jitreduce::context::open();
    auto many = spec<float, JR_OP_SUM>();
    for (int i = 0; i <= JR_PARAMETERS_MAX; i++) many = many.parameter("p", i);
    CHECK(error_of([&] { gpu.reduce(many, std::vector<float>{1}); }).status() == JR_ERROR_INVALID_ARGUMENT);
}

#if __cplusplus >= 202002L
TEST(structs_are_made_with_named_members) {
    const jr_spec made = JR_INIT(jr_spec, .op = JR_OP_MIN, .type = JR_F32, .unroll = 4);
    CHECK(made.size == sizeof made && made.op == JR_OP_MIN && made.unroll == 4 && made.block == 0);
    const jr_launch launch = JR_INIT(jr_launch, .grid = {7}, .block = {32, 2});
    CHECK(launch.block[1] == 2 && JR_INIT(jr_launch).size == sizeof(jr_launch));
}
#endif

RUN_TESTS
