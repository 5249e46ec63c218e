/* Layouts: how the elements of a work are divided into segments.
 * Manual: cpp.md. */
#ifndef JITREDUCE_CPP_LAYOUT_HPP
#define JITREDUCE_CPP_LAYOUT_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "../segment.h"
#include "element.hpp"

JR_CPP_BEGIN

/* How many elements, offsets and results a run was given. */
struct run_sizes {
    std::uint64_t count, offsets, out;
};

/* Layouts: how the elements are divided into segments. segments() is their number, which is that of the results of a
 * reduction (by keys: at most); write() fills what jr_work points to. Segments without elements are as many as `out`.
 */
struct whole {
    static constexpr jr_segment_kind kind = jr_segment_kind();
    std::uint64_t segments(const run_sizes &) const {
        return 1;
    }
};
struct in_rows {
    static constexpr jr_segment_kind kind = JR_SEGMENTS_EQUAL;
    std::uint64_t length;
    std::uint64_t segments(const run_sizes &sizes) const {
        return length > 0 ? sizes.count / length : sizes.out;
    }
    void write(jr_segment_layout *layout) const {
        layout->length = length;
    }
};
struct in_columns {
    static constexpr jr_segment_kind kind = JR_SEGMENTS_STRIDED;
    std::uint64_t length, inner;
    std::uint64_t segments(const run_sizes &sizes) const {
        return length > 0 ? sizes.count / length : sizes.out;
    }
    void write(jr_segment_layout *layout) const {
        layout->length = length;
        layout->inner = inner;
    }
};
struct by_offsets {
    static constexpr jr_segment_kind kind = JR_SEGMENTS_OFFSETS;
    std::uint64_t segments(const run_sizes &sizes) const {
        return sizes.offsets > 0 ? sizes.offsets - 1 : 0;
    }
    void write(jr_segment_layout *) const {}
};
template <class Key> struct by_keys {
    static constexpr jr_segment_kind kind = JR_SEGMENTS_KEYS;
    static_assert(is_element<Key> && type_of<Key> != JR_STRUCT, "keys are numbers");
    std::uint64_t segments(const run_sizes &sizes) const {
        return sizes.count;
    }
    void write(jr_segment_layout *layout) const {
        layout->key_type = type_of<Key>;
    }
};
struct along_axes {
    static constexpr jr_segment_kind kind = JR_SEGMENTS_AXES;
    std::array<std::uint64_t, JR_DIMENSIONS_MAX> shape;
    std::array<int, JR_DIMENSIONS_MAX> axes;
    std::size_t dimensions, axis_count; /* one too many is the library's error */

    std::uint64_t segments(const run_sizes &) const {
        std::uint64_t product = 1;
        for (std::size_t i = 0; i < dimensions && i < shape.size(); i++) product *= is_reduced(i) ? 1 : shape[i];
        return product;
    }

  private:
    bool is_reduced(std::size_t dimension) const {
        for (std::size_t i = 0; i < axis_count && i < axes.size(); i++)
            if ((axes[i] < 0 ? axes[i] + static_cast<int>(dimensions) : axes[i]) == static_cast<int>(dimension))
                return true;
        return false;
    }
};

/* The same for arrays whose elements may lie apart, backwards or upon each other. */
struct apart_axes : along_axes {
    using numbers = std::array<std::int64_t, JR_DIMENSIONS_MAX>;
    std::array<numbers, JR_INPUTS_MAX> strides;   /* of each array; of each dimension, from one element to the next */
    std::array<std::size_t, JR_INPUTS_MAX> given; /* how many of them */

    std::uint64_t elements() const {
        std::uint64_t product = 1;
        for (std::size_t i = 0; i < dimensions && i < shape.size(); i++) product *= shape[i];
        return product;
    }
    /* Whether an array of so many elements, from its first one on, ends before the last one that is read. */
    bool is_short(std::size_t array, std::uint64_t size) const {
        if (elements() == 0 || size == 0) return elements() > 0;
        std::uint64_t left = size - 1;
        for (std::size_t i = 0; i < dimensions && i < shape.size(); i++) {
            const std::uint64_t steps = shape[i] - 1;
            if (strides[array][i] <= 0 || steps == 0) continue;
            const auto each = static_cast<std::uint64_t>(strides[array][i]);
            if (each > left / steps) return true;
            left -= each * steps;
        }
        return false;
    }
};

/* Many arrays, and the results of all after those of each; see array_of in work.hpp. */
struct many_arrays {
    static constexpr jr_segment_kind kind = JR_SEGMENTS_ARRAYS;
    std::vector<jr_array> arrays;
    std::uint64_t segments(const run_sizes &) const {
        return arrays.size() + 1;
    }
    void write(jr_segment_layout *layout) const {
        layout->arrays = arrays.data();
        layout->array_count = arrays.size();
    }
};

JR_CPP_END
#endif
