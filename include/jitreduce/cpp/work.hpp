/* Works: a spec, what its results are (reduction, scan, state, values), and how the elements are divided.
 * Manual: cpp.md. */
#ifndef JITREDUCE_CPP_WORK_HPP
#define JITREDUCE_CPP_WORK_HPP

#include <initializer_list>

#include "../work.h"
#include "layout.hpp"
#include "span.hpp"
#include "spec.hpp"

JR_CPP_BEGIN

template <class Work, bool OnDevice> class data_of;

/* One of many arrays, in host or in device memory; the values of an apply replace its elements. */
template <class Array> jr_array array_of(const Array &array) {
    const auto viewed = view(array);
    using element = std::remove_cv_t<typename decltype(viewed)::element_type>;
    static_assert(is_element<element> && type_of<element> != JR_STRUCT, "many arrays are of numbers");
    jr_array made = jr_array();
    made.data = viewed.data();
    made.count = viewed.size();
    made.type = type_of<element>;
    return made;
}

/* What a run writes to `out`: of many arrays that are applied to the results of the operators. */
template <class Spec, class Layout> struct written_by { using type = typename Spec::result_element; };
template <class Spec, class To> struct written_by<applied<Spec, To>, many_arrays> {
    using type = typename Spec::result_element;
};

/* What is computed; see work() below. */
template <class Spec, jr_work_kind Kind = JR_WORK_REDUCE, class Layout = whole> class work_of {
    template <jr_work_kind Other> using as = work_of<Spec, Other, Layout>;
    template <class Other> using divided = work_of<Spec, Kind, Other>;

  public:
    using spec_type = Spec;
    using layout_type = Layout;
    static constexpr jr_work_kind kind = Kind;
    static constexpr bool is_scan = Kind == JR_WORK_SCAN_INCLUSIVE || Kind == JR_WORK_SCAN_EXCLUSIVE;
    static constexpr bool applies = Kind == JR_WORK_APPLY;
    static constexpr bool is_merge = Kind == JR_WORK_MERGE || Kind == JR_WORK_MERGE_STATES;
    static constexpr bool makes_state = Kind == JR_WORK_STATE || Kind == JR_WORK_MERGE_STATES;
    using arrays = std::conditional_t<is_merge, inputs<unsigned char>, typename Spec::arrays>;
    using result_element = std::conditional_t<makes_state, unsigned char, typename written_by<Spec, Layout>::type>;

    explicit work_of(const Spec &spec, const Layout &layout = Layout()) : spec_(spec), layout_(layout) {}

    /* Running results, one for each element: of all elements up to and including it, or before it. */
    auto scan() const {
        return as<JR_WORK_SCAN_INCLUSIVE>(spec_, layout_);
    }
    auto scan_exclusive() const {
        return as<JR_WORK_SCAN_EXCLUSIVE>(spec_, layout_);
    }
    /* The state of a part of the input, the result of states, the state of states. A state is bytes. */
    auto state() const {
        return as<JR_WORK_STATE>(spec_, layout_);
    }
    auto merge() const {
        return as<JR_WORK_MERGE>(spec_, layout_);
    }
    auto merge_states() const {
        return as<JR_WORK_MERGE_STATES>(spec_, layout_);
    }

    /* One result for each row of `length` elements; for each of `inner` columns whose elements are `inner` apart. */
    auto rows(std::uint64_t length) const {
        return divided<in_rows>(spec_, {length});
    }
    auto columns(std::uint64_t length, std::uint64_t inner) const {
        return divided<in_columns>(spec_, {length, inner});
    }
    /* One for each pair of neighbouring offsets of a run; one for each run of equal keys. */
    auto offsets() const {
        return divided<by_offsets>(spec_, {});
    }
    template <class Key> auto keys() const {
        return divided<by_keys<Key>>(spec_, {});
    }
    /* One for each of many arrays, and one of all: many({array_of(x), array_of(y)}). A run is on() without arrays. */
    auto many(std::vector<jr_array> table) const {
        return divided<many_arrays>(spec_, {std::move(table)});
    }
    /* Along axes of a C-ordered array of a shape: axis({2, 3}, {0}), axis({2, 3, 4}, {0, -1}). */
    auto axis(std::initializer_list<std::uint64_t> shape, std::initializer_list<int> axes) const {
        along_axes made = {{}, {}, shape.size(), axes.size()};
        for (std::size_t i = 0; i < shape.size() && i < made.shape.size(); i++) made.shape[i] = shape.begin()[i];
        for (std::size_t i = 0; i < axes.size() && i < made.axes.size(); i++) made.axes[i] = axes.begin()[i];
        return divided<along_axes>(spec_, made);
    }

    /* After axis(): how many elements of each array lie from one to the next along each dimension; negative: backwards;
     * 0: the same one again. An array then begins with the element whose indices are 0. */
    auto strides(std::initializer_list<std::int64_t> x, std::initializer_list<std::int64_t> y = {},
                 std::initializer_list<std::int64_t> z = {}, std::initializer_list<std::int64_t> w = {}) const {
        static_assert(std::is_same_v<Layout, along_axes>, "only a work with axis() has strides");
        apart_axes made = {layout_, {}, {x.size(), y.size(), z.size(), w.size()}};
        const std::initializer_list<std::int64_t> given[] = {x, y, z, w};
        for (std::size_t a = 0; a < made.strides.size(); a++)
            for (std::size_t i = 0; i < given[a].size() && i < made.strides[a].size(); i++)
                made.strides[a][i] = given[a].begin()[i];
        return divided<apart_axes>(spec_, made);
    }
    /* After rows(), axis() or many(): a value for each element, computed from it and the results of its row, r or r0,
     * r1, ...: apply<float>("x - r"); of many arrays also of the results of all, all or all0, ... row_inputs: bit 1: y
     * has the elements of one row, which all rows share; and so on. */
    template <class To> auto apply(const char *text, unsigned row_inputs = 0) const {
        static_assert(is_element<To>, "give apply a type of numbers: apply<float>(\"x - r\")");
        static_assert(Kind == JR_WORK_REDUCE, "apply follows a reduction");
        using spec = applied<Spec, To>;
        return work_of<spec, JR_WORK_APPLY, Layout>(spec(spec_, text, row_inputs), layout_);
    }

    /* The data of a run: one array for each input, all in host memory (containers, host_span) or all in device memory
     * (buffers, device_span). It refers to this work, which must stay valid until the run. */
    template <class... Arrays> auto on(const Arrays &...given) const & {
        return data_of<work_of, (is_on_device<const Arrays> || ...)>(this, view(given)...);
    }

    const Spec &spec() const noexcept {
        return spec_;
    }
    const Layout &layout() const noexcept {
        return layout_;
    }

  private:
    Spec spec_;
    Layout layout_;
};

/* A work of a spec: work(spec).scan(), work(spec).rows(100). */
template <class Inputs, class Typing, jr_op... Ops> auto work(const spec_of<Inputs, Typing, Ops...> &spec) {
    return work_of<spec_of<Inputs, Typing, Ops...>>(spec);
}
template <class Spec, jr_work_kind Kind, class Layout>
const work_of<Spec, Kind, Layout> &work(const work_of<Spec, Kind, Layout> &same) {
    return same;
}

/* The C structs of a work, which point to each other and into the work. */
template <class Work> struct c_work {
    explicit c_work(const Work &of) : spec(of.spec().c()) {
        work.spec = &spec;
        work.kind = Work::kind;
        write(of.layout());
    }
    c_work(const c_work &) = delete;
    c_work &operator=(const c_work &) = delete;

    jr_spec spec;
    jr_segment_layout layout = JR_INIT(jr_segment_layout);
    jr_axis axis = JR_INIT(jr_axis);
    jr_work work = JR_INIT(jr_work);
    std::array<const std::int64_t *, JR_INPUTS_MAX> strides = {};

  private:
    void write(const whole &) {}
    void write(const along_axes &of) {
        axis.shape = of.shape.data();
        axis.dimensions = static_cast<int>(of.dimensions);
        axis.axes = of.axes.data();
        axis.axis_count = of.axis_count;
        work.axis = &axis;
    }
    void write(const apart_axes &of) {
        write(static_cast<const along_axes &>(of));
        for (std::size_t a = 0; a < strides.size(); a++)
            strides[a] = of.given[a] > 0 || of.dimensions == 0 ? of.strides[a].data() : nullptr;
        axis.strides = strides.data();
    }
    template <class Layout> void write(const Layout &of) {
        layout.kind = Layout::kind;
        of.write(&layout);
        work.layout = &layout;
    }
};

JR_CPP_END
#endif
