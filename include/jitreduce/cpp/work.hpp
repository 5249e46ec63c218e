/* Works: a spec, what its results are (reduction, scan, state), how the elements are divided, and the data of a run.
 * Manual: cpp.md. */
#ifndef JITREDUCE_CPP_WORK_HPP
#define JITREDUCE_CPP_WORK_HPP

#include <initializer_list>
#include <limits>
#include <string>

#include "../work.h"
#include "error.hpp"
#include "layout.hpp"
#include "span.hpp"
#include "spec.hpp"

JR_CPP_BEGIN

template <class Work, bool OnDevice> class data_of;

/* What is computed; see work() below. */
template <class Spec, jr_work_kind Kind = JR_WORK_REDUCE, class Layout = whole> class work_of {
    template <jr_work_kind Other> using as = work_of<Spec, Other, Layout>;
    template <class Other> using divided = work_of<Spec, Kind, Other>;

  public:
    using spec_type = Spec;
    using layout_type = Layout;
    static constexpr jr_work_kind kind = Kind;
    static constexpr bool is_scan = Kind == JR_WORK_SCAN_INCLUSIVE || Kind == JR_WORK_SCAN_EXCLUSIVE;
    static constexpr bool is_merge = Kind == JR_WORK_MERGE || Kind == JR_WORK_MERGE_STATES;
    static constexpr bool makes_state = Kind == JR_WORK_STATE || Kind == JR_WORK_MERGE_STATES;
    using arrays = std::conditional_t<is_merge, inputs<unsigned char>, typename Spec::arrays>;
    using result_element = std::conditional_t<makes_state, unsigned char, typename Spec::result_element>;

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
    /* Along axes of a C-ordered array of a shape: axis({2, 3}, {0}), axis({2, 3, 4}, {0, -1}). */
    auto axis(std::initializer_list<std::uint64_t> shape, std::initializer_list<int> axes) const {
        along_axes made = {{}, {}, shape.size(), axes.size()};
        for (std::size_t i = 0; i < shape.size() && i < made.shape.size(); i++) made.shape[i] = shape.begin()[i];
        for (std::size_t i = 0; i < axes.size() && i < made.axes.size(); i++) made.axes[i] = axes.begin()[i];
        return divided<along_axes>(spec_, made);
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

  private:
    void write(const whole &) {}
    void write(const along_axes &of) {
        axis.shape = of.shape.data();
        axis.dimensions = static_cast<int>(of.dimensions);
        axis.axes = of.axes.data();
        axis.axis_count = of.axis_count;
        work.axis = &axis;
    }
    template <class Layout> void write(const Layout &of) {
        layout.kind = Layout::kind;
        of.write(&layout);
        work.layout = &layout;
    }
};

/* The data of a run: arrays in and out, and what the layout needs. Made by work_of::on. */
template <class Work, bool OnDevice> class data_of {
    template <class T> using span = std::conditional_t<OnDevice, device_span<T>, host_span<T>>;
    using inputs = typename Work::arrays;
    using layout = typename Work::layout_type;

  public:
    using work_type = Work;

    template <class... Arrays> explicit data_of(const Work *work, const Arrays &...arrays) : work_(work) {
        static_assert(sizeof...(Arrays) == inputs::count, "give one array for each input of the spec");
        static_assert(((is_on_device<const Arrays> == OnDevice) && ...),
                      "arrays are in host or in device memory, not both");
        take(std::index_sequence_for<Arrays...>(), arrays...);
    }

    /* Where the results are written, one after the other. */
    data_of &out(span<typename Work::result_element> results) {
        own_.out = results.data();
        out_size_ = results.size();
        return *this;
    }
    /* Layout offsets(): one more than there are segments. */
    data_of &offsets(span<const std::uint64_t> given) {
        static_assert(layout::kind == JR_SEGMENTS_OFFSETS, "only a work with offsets() has offsets");
        own_.offsets = given.data();
        offset_count_ = given.size();
        return *this;
    }
    /* Layout keys<Key>(): one key for each element. */
    template <class Keys> data_of &keys(const Keys &given) {
        static_assert(layout::kind == JR_SEGMENTS_KEYS, "only a work with keys() has keys");
        const auto viewed = view(given);
        using key = std::remove_cv_t<typename decltype(viewed)::element_type>;
        static_assert(std::is_same_v<layout, by_keys<key>>, "the keys have another type than the work");
        const span<const key> checked = viewed;
        own_.keys = checked.data();
        note(checked.size());
        return *this;
    }
    /* Reductions by keys: where the number of segments is written, and in device memory their keys. */
    data_of &run_count(std::uint64_t *count) {
        own_.run_count = count;
        return *this;
    }
    data_of &run_keys(void *keys) {
        own_.run_keys = keys;
        return *this;
    }
    /* state(): the index of the part's first element in the whole input. */
    data_of &first(std::uint64_t index) {
        own_.first = index;
        return *this;
    }
    /* merge(), merge_states(): how many states there are, and elements in all of their parts. */
    data_of &states(std::uint64_t count, std::uint64_t elements) {
        own_.states = count;
        own_.count = elements;
        return *this;
    }
    /* Reductions in host memory without a layout write values, not an array. */
    data_of &values(jr_value *room) {
        own_.values = room;
        return *this;
    }

    const Work &work() const noexcept {
        return *work_;
    }
    /* The C struct; it points into this object. */
    jr_work_data c() const {
        jr_work_data made = arrays();
        if (layout::kind == JR_SEGMENTS_EQUAL || layout::kind == JR_SEGMENTS_STRIDED ||
            layout::kind == JR_SEGMENTS_OFFSETS)
            made.segments = segments();
        return made;
    }
    /* The arrays and their length alone. */
    jr_work_data arrays() const {
        jr_work_data made = own_;
        made.in = in_.data();
        return made;
    }
    /* Whether the arrays are equally long, and `out` has room for the results. */
    outcome check_lengths() const {
        if (least_ == most_) return JR_OK;
        return {JR_ERROR_INVALID_ARGUMENT, "the arrays of a run have " + std::to_string(least_) + " and " +
                                               std::to_string(most_) + " elements: give equally long ones"};
    }
    outcome check() const {
        const std::uint64_t wanted = Work::is_scan ? least_ : segments();
        if (least_ != most_ || own_.out == nullptr || Work::makes_state || out_size_ >= wanted) return check_lengths();
        return {JR_ERROR_INVALID_ARGUMENT,
                "out has room for " + std::to_string(out_size_) + " results: this work has " + std::to_string(wanted)};
    }

  private:
    template <std::size_t... I, class... Arrays> void take(std::index_sequence<I...>, const Arrays &...arrays) {
        static_assert(
            (std::is_same_v<std::remove_cv_t<typename Arrays::element_type>, typename inputs::template type<I>> && ...),
            "the elements of an array have another type than the spec's input");
        ((in_[I] = arrays.data()), ...);
        (note(arrays.size()), ...);
        if (!Work::is_merge) own_.count = least_;
    }
    void note(std::size_t size) {
        least_ = size < least_ ? size : least_;
        most_ = size > most_ ? size : most_;
    }
    std::uint64_t segments() const {
        return work_->layout().segments({least_, offset_count_, out_size_});
    }

    const Work *work_;
    std::array<const void *, inputs::count> in_ = {};
    jr_work_data own_ = JR_INIT(jr_work_data);
    std::uint64_t least_ = std::numeric_limits<std::uint64_t>::max(), most_ = 0, out_size_ = 0, offset_count_ = 0;
};

JR_CPP_END
#endif
