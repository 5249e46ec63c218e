/* Views of arrays in host and device memory: a pointer and a count of elements.
 * Manual: cpp.md. */
#ifndef JITREDUCE_CPP_SPAN_HPP
#define JITREDUCE_CPP_SPAN_HPP

#include <cstddef>
#include <iterator>
#include <type_traits>
#include <utility>

#include "namespace.hpp"

JR_CPP_BEGIN

/* Elements of `From` can be read, or written, as elements of `To`: the types are equal but for const. */
template <class From, class To> inline constexpr bool same_elements = std::is_convertible_v<From (*)[], To (*)[]>;

/* An array in device memory. It does not own the memory. */
template <class T> class device_span {
  public:
    using element_type = T;
    device_span() = default;
    device_span(T *data, std::size_t count) : data_(data), size_(count) {}
    template <class Other, class = std::enable_if_t<same_elements<Other, T>>>
    device_span(const device_span<Other> &other) : data_(other.data()), size_(other.size()) {}

    T *data() const noexcept {
        return data_;
    }
    std::size_t size() const noexcept {
        return size_;
    }
    device_span on_device() const noexcept {
        return *this;
    }
    /* The elements from `first` on, `count` of them. */
    device_span part(std::size_t first, std::size_t count) const {
        return {data_ + first, count};
    }

  private:
    T *data_ = nullptr;
    std::size_t size_ = 0;
};

/* Whether something is an array in device memory. */
template <class Array, class = void> inline constexpr bool is_on_device = false;
template <class Array>
inline constexpr bool is_on_device<Array, std::void_t<decltype(std::declval<Array &>().on_device())>> = true;

/* An array in host memory: of a pointer and a count, or of anything whose elements lie one after the other: C arrays,
 * std::vector, std::array, std::span. It does not own the memory. */
template <class T> class host_span {
  public:
    using element_type = T;
    host_span() = default;
    host_span(T *data, std::size_t count) : data_(data), size_(count) {}
    template <class Array, class Data = std::remove_pointer_t<decltype(std::data(std::declval<Array &>()))>,
              class = std::enable_if_t<same_elements<Data, T> && !is_on_device<Array>>>
    host_span(Array &&array) : data_(std::data(array)), size_(std::size(array)) {}

    T *data() const noexcept {
        return data_;
    }
    std::size_t size() const noexcept {
        return size_;
    }
    T *begin() const noexcept {
        return data_;
    }
    T *end() const noexcept {
        return data_ + size_;
    }
    T &operator[](std::size_t index) const {
        return data_[index];
    }

  private:
    T *data_ = nullptr;
    std::size_t size_ = 0;
};

/* The elements of an array as a const view, on its side: host_span<const T> or device_span<const T>. */
template <class Array> auto view(const Array &array) {
    if constexpr (is_on_device<const Array>) {
        const auto span = array.on_device();
        return device_span<const std::remove_pointer_t<decltype(span.data())>>(span);
    } else {
        return host_span<const std::remove_pointer_t<decltype(std::data(array))>>(std::data(array), std::size(array));
    }
}

JR_CPP_END
#endif
