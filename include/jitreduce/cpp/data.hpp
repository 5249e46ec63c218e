/* The data of a run of a work: arrays in and out, offsets, keys, states.
 * Manual: cpp.md. */
#ifndef JITREDUCE_CPP_DATA_HPP
#define JITREDUCE_CPP_DATA_HPP

#include <limits>
#include <string>

#include "error.hpp"
#include "work.hpp"

JR_CPP_BEGIN

/* The data of a run: arrays in and out, and what the layout needs. Made by work_of::on. */
template <class Work, bool OnDevice> class data_of {
    template <class T> using span = std::conditional_t<OnDevice, device_span<T>, host_span<T>>;
    using inputs = typename Work::arrays;
    using layout = typename Work::layout_type;
    static constexpr bool is_apart = std::is_same_v<layout, apart_axes>;
    static constexpr bool is_many = std::is_same_v<layout, many_arrays>;

  public:
    using work_type = Work;

    template <class... Arrays> explicit data_of(const Work *work, const Arrays &...arrays) : work_(work) {
        static_assert(sizeof...(Arrays) == (is_many ? 0 : inputs::count), "give one array for each input of the spec");
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
    /* Reductions in host memory without a layout write values, not an array; a run of a plan by keys one, the number of
     * segments. */
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
        made.in = is_many ? nullptr : in_.data();
        return made;
    }
    /* Whether the arrays are equally long, and `out` has room for the results. */
    outcome check_lengths() const {
        if constexpr (is_apart) return check_strides();
        if (least_ == most_ || is_many) return JR_OK;
        return {JR_ERROR_INVALID_ARGUMENT, "the arrays of a run have " + std::to_string(least_) + " and " +
                                               std::to_string(most_) + " elements: give equally long ones"};
    }
    outcome check() const {
        const std::uint64_t wanted = Work::is_scan || (Work::applies && !is_many) ? elements() : segments();
        outcome ended = check_lengths();
        if (ended.ok() && own_.out != nullptr && !Work::makes_state && out_size_ < wanted)
            ended = {JR_ERROR_INVALID_ARGUMENT, "out has room for " + std::to_string(out_size_) +
                                                    " results: this work has " + std::to_string(wanted)};
        return ended;
    }

  private:
    template <std::size_t... I, class... Arrays> void take(std::index_sequence<I...>, const Arrays &...arrays) {
        static_assert(
            (std::is_same_v<std::remove_cv_t<typename Arrays::element_type>, typename inputs::template type<I>> && ...),
            "the elements of an array have another type than the spec's input");
        ((in_[I] = arrays.data()), ...);
        ((sizes_[I] = arrays.size()), ...);
        for (std::size_t i = 0; i < sizes_.size() && !is_apart; i++)
            if (!is_row(i)) note(sizes_[i]);
        if (!Work::is_merge && !is_apart && !is_many) own_.count = least_;
    }
    /* Whether an array has the elements of one row, which all rows share. */
    bool is_row([[maybe_unused]] std::size_t array) const {
        if constexpr (Work::applies)
            return (work_->spec().row_inputs >> array & 1U) != 0;
        else
            return false;
    }
    std::uint64_t elements() const {
        if constexpr (is_apart)
            return work_->layout().elements();
        else
            return least_;
    }
    outcome check_strides() const {
        for (std::size_t i = 0; i < sizes_.size(); i++) {
            const std::string array = "strides of array " + std::to_string(i) + ": ";
            const auto &of = work_->layout();
            if (of.given[i] != of.dimensions)
                return {JR_ERROR_INVALID_ARGUMENT, array + std::to_string(of.given[i]) + " numbers for " +
                                                       std::to_string(of.dimensions) + " dimensions"};
            if (of.is_short(i, sizes_[i]))
                return {JR_ERROR_INVALID_ARGUMENT,
                        array + "they reach beyond its " + std::to_string(sizes_[i]) + " elements"};
        }
        return JR_OK;
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
    std::array<std::uint64_t, inputs::count> sizes_ = {};
    jr_work_data own_ = JR_INIT(jr_work_data);
    std::uint64_t least_ = std::numeric_limits<std::uint64_t>::max(), most_ = 0, out_size_ = 0, offset_count_ = 0;
};

JR_CPP_END
#endif
