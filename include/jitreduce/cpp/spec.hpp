/* Specs: what is reduced and how, with the types of elements and results checked by the compiler.
 * Manual: cpp.md. */
#ifndef JITREDUCE_CPP_SPEC_HPP
#define JITREDUCE_CPP_SPEC_HPP

#include <array>
#include <cstddef>
#include <tuple>

#include "element.hpp"

JR_CPP_BEGIN

/* The element types of several arrays that are read side by side: x, y, z and w of expressions. */
template <class... T> struct inputs {
    static constexpr int count = sizeof...(T);
    static_assert(count >= 1 && count <= JR_INPUTS_MAX, "a spec has 1 to 4 arrays");
    static_assert((is_element<T> && ...), "this is no element type: specialise jitreduce::element for it");
    using first = std::tuple_element_t<0, std::tuple<T...>>;
    template <std::size_t I> using type = std::tuple_element_t<I, std::tuple<T...>>;

    static void write(jr_spec *spec) {
        const jr_type types[] = {type_of<T>...};
        spec->type = types[0];
        spec->input_count = count;
        for (int i = 1; i < count; i++) spec->more_types[i - 1] = types[i];
    }
};

/* inputs<T> for T, and for dot two arrays of T. */
template <class T, bool Pair> struct inputs_of { using type = inputs<T>; };
template <class T> struct inputs_of<T, true> { using type = inputs<T, T>; };
template <class... T, bool Pair> struct inputs_of<inputs<T...>, Pair> { using type = inputs<T...>; };

/* One of the results of a pass with several, which lie 16 bytes apart. record<double, float> is the element type of
 * arrays of such results. */
template <class... R> struct alignas(16) record {
    std::array<std::byte, 16 * sizeof...(R)> bytes;

    template <std::size_t I> auto get() const {
        std::tuple_element_t<I, std::tuple<R...>> number;
        std::memcpy(&number, bytes.data() + 16 * I, sizeof number);
        return number;
    }
};

/* The results of a spec: `value` is what a call returns, `element` what an array of results has. */
template <class... R> struct results {
    using value = std::tuple<R...>;
    using element = record<R...>;
    static constexpr std::size_t count = sizeof...(R);

    static value read(const jr_value *values) {
        return read(values, std::index_sequence_for<R...>());
    }
    template <std::size_t... I> static value read(const jr_value *values, std::index_sequence<I...>) {
        return value(from_value<R>(values[I])...);
    }
};
template <class R> struct results<R> {
    using value = R;
    using element = R;
    static constexpr std::size_t count = 1;

    static value read(const jr_value *values) {
        return from_value<R>(values[0]);
    }
};

/* Marks a result type that `finish` has: what is folded has another type. */
template <class To> struct finished;
template <class Result> struct declared { /* Result: what result() or finish() declared, or void */
    using type = Result;
    using folded = Result;
};
template <class To> struct declared<finished<To>> {
    using type = To;
    using folded = void;
};

/* What decides the types of a spec's results: the type of what the operators get (of the elements, or of map), the
 * accumulator's type and the result's (void: the library's choice), and whether the kept elements are counted. */
template <class Value, class Accumulator, class Result, bool Kept> struct typing {
    template <jr_op Op, class Declared> struct of_op {
        static constexpr jr_type own = op_result(Op, type_of<Value>, type_of<Accumulator>);
        using chosen = std::conditional_t<std::is_void_v<Declared>, typed_like<own, Value>, declared<Declared>>;
        using type = typename chosen::type;
    };
    template <jr_op Op> using type = typename of_op<Op, typename declared<Result>::type>::type;
    template <jr_op Op> using folded = typename of_op<Op, typename declared<Result>::folded>::type;

    template <jr_op... Ops> static auto make() {
        if constexpr (Kept)
            return results<type<Ops>..., std::uint64_t>();
        else
            return results<type<Ops>...>();
    }
};

/* Makes specs; see spec() below. Each function returns a new spec, so that calls follow each other. Texts are not
 * copied: they must stay valid as long as the spec. */
template <class Inputs, class Typing, jr_op... Ops> class spec_of;

template <class Inputs, class Value, class Accumulator, class Result, bool Kept, jr_op... Ops>
class spec_of<Inputs, typing<Value, Accumulator, Result, Kept>, Ops...> {
    using types = typing<Value, Accumulator, Result, Kept>;
    template <class Typing> using again = spec_of<Inputs, Typing, Ops...>;
    static constexpr jr_op first_op = std::get<0>(std::make_tuple(Ops...));
    static constexpr bool is_list = sizeof...(Ops) > 1;
    static_assert(sizeof...(Ops) + Kept <= JR_OPS_MAX, "a spec has up to 8 operators");
    static_assert(!is_list || ((Ops != JR_OP_DOT && Ops != JR_OP_CUSTOM) && ...), "dot and custom stand alone");

  public:
    using arrays = Inputs;
    using outputs = decltype(types::template make<Ops...>());
    using value = typename outputs::value;
    using result_element = typename outputs::element;

    spec_of() {
        own_.size = sizeof own_;
        Inputs::write(&own_);
        if constexpr (type_of<typename Inputs::first> == JR_STRUCT) {
            using structure = element<typename Inputs::first>;
            structure_.size = sizeof structure_;
            structure_.name = structure::name;
            structure_.source = structure::source;
            structure_.bytes = sizeof(typename Inputs::first);
            structure_.alignment = alignof(typename Inputs::first);
        }
    }

    /* The value that the operators get for each element, "x * y", converted to the type. */
    template <class To> auto map(const char *text) const {
        static_assert(is_element<To>, "give map a type of numbers: map<float>(\"x * x\")");
        again<typing<To, Accumulator, Result, Kept>> made(*this);
        made.own_.map = text;
        made.own_.map_type = type_of<To>;
        return made;
    }
    /* The type in which sums, products, means and norms accumulate. */
    template <class As> auto accumulate() const {
        static_assert((op_takes_accumulator(Ops, type_of<As>) && ...), "an operator does not accumulate in this type");
        again<typing<Value, As, Result, Kept>> made(*this);
        made.own_.accumulate = type_of<As>;
        return made;
    }
    /* The type of the result. */
    template <class To> auto result() const {
        static_assert(is_element<To> && !is_list, "give result a type of numbers, and the spec one operator");
        again<typing<Value, Accumulator, To, Kept>> made(*this);
        made.own_.result = type_of<To>;
        return made;
    }
    /* Computes the result from the reduced value, "sqrt(a)", in the type. */
    template <class To> auto finish(const char *text) const {
        static_assert(is_element<To> && !is_list, "give finish a type of numbers, and the spec one operator");
        again<typing<Value, Accumulator, finished<To>, Kept>> made(*this);
        made.own_.finish = text;
        made.own_.result = type_of<To>;
        return made;
    }
    /* One more result: how many elements the operators got. */
    auto kept() const {
        again<typing<Value, Accumulator, Result, true>> made(*this);
        made.own_.kept = 1;
        return made;
    }
    /* The value that is folded in first. */
    template <class Number> spec_of initial(const Number &number) const {
        using start = typename types::template folded<first_op>;
        static_assert(!is_list && (op_takes_initial(Ops) && ...), "this operator takes no initial value");
        static_assert(std::is_convertible_v<Number, start> &&
                          !(std::is_floating_point_v<Number> && std::is_integral_v<start>),
                      "the initial value has another type than the result");
        spec_of made(*this);
        made.initial_ = to_value<start>(static_cast<start>(number));
        return made;
    }
    /* A named number for expressions. */
    template <class Number> spec_of parameter(const char *name, Number number) const {
        static_assert(op_takes_accumulator(JR_OP_SUM, type_of<Number>),
                      "a parameter is an i32, u32, i64, u64, float or double");
        spec_of made(*this);
        if (made.own_.parameter_count < JR_PARAMETERS_MAX) {
            jr_parameter &next = made.parameters_[static_cast<std::size_t>(made.own_.parameter_count)];
            next.name = name;
            next.value = to_value(number);
        }
        made.own_.parameter_count++; /* one too many is the library's error */
        return made;
    }
    /* The operator of JR_OP_CUSTOM, "a < b ? a : b", and the value that it leaves unchanged. */
    spec_of combine(const char *text, const char *identity, bool commutative = false) const {
        static_assert(first_op == JR_OP_CUSTOM, "only JR_OP_CUSTOM has a combine");
        spec_of made(*this);
        made.own_.combine = text;
        made.own_.identity = identity;
        made.own_.commutative = commutative;
        return made;
    }

    /* Members of jr_spec that change no type. */
#define JR_CPP_MEMBER(type, name)                                                                                      \
    spec_of name(type given) const {                                                                                   \
        spec_of made(*this);                                                                                           \
        made.own_.name = given;                                                                                        \
        return made;                                                                                                   \
    }
    JR_CPP_MEMBER(const char *, where)
    JR_CPP_MEMBER(jr_nan, nan)
    JR_CPP_MEMBER(jr_accuracy, accuracy)
    JR_CPP_MEMBER(double, ddof)
    JR_CPP_MEMBER(jr_algorithm, algorithm)
    JR_CPP_MEMBER(int, unroll)
    JR_CPP_MEMBER(int, block)
    JR_CPP_MEMBER(int, grid)
    JR_CPP_MEMBER(int, blocks_per_multiprocessor)
    JR_CPP_MEMBER(jr_shared, shared)
    JR_CPP_MEMBER(std::uint64_t, capacity)
    JR_CPP_MEMBER(double, max_launch_ms)
    JR_CPP_MEMBER(std::uint64_t, device_bytes)
#undef JR_CPP_MEMBER

    /* The C struct; it points into this spec, and is valid as long as the spec is unchanged. */
    jr_spec c() const {
        static_assert((op_takes(Ops, type_of<Value>) && ...), "an operator does not take elements of this type");
        jr_spec made = own_;
        if (is_list) {
            made.ops = ops_.data();
            made.op_count = sizeof...(Ops);
        } else {
            made.op = first_op;
        }
        if (initial_.type != JR_TYPE_NONE) made.initial = &initial_;
        if (structure_.size > 0) made.structure = &structure_;
        made.parameters = parameters_.data();
        return made;
    }

  private:
    template <class, class, jr_op...> friend class spec_of;
    template <class Typing>
    explicit spec_of(const again<Typing> &other)
        : own_(other.own_), initial_(other.initial_), structure_(other.structure_), parameters_(other.parameters_) {}

    std::array<jr_op, sizeof...(Ops)> ops_ = {Ops...};
    jr_spec own_ = jr_spec(); /* without what points into this object */
    jr_value initial_ = jr_value();
    jr_structure structure_ = jr_structure();
    std::array<jr_parameter, JR_PARAMETERS_MAX> parameters_ = {};
};

/* A spec: spec<float, JR_OP_SUM>(), spec<float, JR_OP_MIN, JR_OP_MAX>(), spec<inputs<float, int>, JR_OP_SUM>(). */
template <class T, jr_op... Ops> auto spec() {
    static_assert(sizeof...(Ops) > 0, "give an operator: spec<float, JR_OP_SUM>()");
    using arrays = typename inputs_of<T, ((Ops == JR_OP_DOT) || ...)>::type;
    return spec_of<arrays, typing<typename arrays::first, void, void, false>, Ops...>();
}

/* A spec of rows to whose elements a value is given, "x - r"; see work_of::apply. */
template <class Spec, class To> struct applied : Spec {
    using result_element = To;

    applied(const Spec &of, const char *given, unsigned rows) : Spec(of), text(given), row_inputs(rows) {}
    jr_spec c() const {
        jr_spec made = Spec::c();
        made.apply = text;
        made.apply_type = type_of<To>;
        made.row_inputs = row_inputs;
        return made;
    }

    const char *text;
    unsigned row_inputs;
};

JR_CPP_END
#endif
