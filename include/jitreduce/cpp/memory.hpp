/* Arrays that own device memory (buffer) or pinned host memory (pinned).
 * Manual: cpp.md. */
#ifndef JITREDUCE_CPP_MEMORY_HPP
#define JITREDUCE_CPP_MEMORY_HPP

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "../memory.h"
#include "span.hpp"
#include "stream.hpp"

JR_CPP_BEGIN

/* `count` elements in device memory. Copies between it and host memory need arrays of the same length. */
template <class T, class Errors> class basic_buffer : public handle<void *, jr_memory_free> {
    using owner = handle<void *, jr_memory_free>;
    template <class U> using result = typename Errors::template result<U>;
    static_assert(std::is_trivially_copyable_v<T>, "elements are copied as bytes: T must be trivially copyable");

  public:
    basic_buffer() = default;
    basic_buffer(void *address, jr_context *context, std::size_t count) : owner(address, context), size_(count) {}

    T *data() const noexcept {
        return static_cast<T *>(this->get());
    }
    std::size_t size() const noexcept {
        return this->get() != nullptr ? size_ : 0;
    }
    device_span<T> on_device() const noexcept {
        return {data(), size()};
    }
    operator device_span<T>() const noexcept {
        return on_device();
    }
    operator device_span<const T>() const noexcept {
        return on_device();
    }

    /* Copies all elements from or to host memory, and waits for the copy. */
    result<void> write(host_span<const T> from) const {
        return Errors::give(
            same_size(from.size(), [&] { return jr_memory_write(this->context(), data(), from.data(), bytes()); }));
    }
    result<void> read(host_span<T> to) const {
        return Errors::give(
            same_size(to.size(), [&] { return jr_memory_read(this->context(), to.data(), data(), bytes()); }));
    }
    result<std::vector<T>> read() const {
        static_assert(!std::is_same_v<T, bool>, "a std::vector<bool> has no array: read into a bool[]");
        std::vector<T> made(size());
        const outcome ended = jr_memory_read(this->context(), made.data(), data(), bytes());
        return Errors::give(ended, [&] { return std::move(made); });
    }

    /* Enqueues the copy, or setting all bytes to 0, and returns; host memory should be pinned. */
    result<void> write(host_span<const T> from, stream_argument stream) const {
        return Errors::give(same_size(from.size(), [&] {
            return stream.checked(
                [&] { return jr_stream_write(this->context(), data(), from.data(), bytes(), stream.get()); });
        }));
    }
    result<void> read(host_span<T> to, stream_argument stream) const {
        return Errors::give(same_size(to.size(), [&] {
            return stream.checked(
                [&] { return jr_stream_read(this->context(), to.data(), data(), bytes(), stream.get()); });
        }));
    }
    result<void> clear(stream_argument stream = {}) const {
        return Errors::give(
            stream.checked([&] { return jr_stream_clear(this->context(), data(), bytes(), stream.get()); }));
    }

  private:
    std::uint64_t bytes() const noexcept {
        return size() * sizeof(T);
    }
    template <class Call> outcome same_size(std::size_t given, Call call) const {
        if (given == size()) return call();
        return {JR_ERROR_INVALID_ARGUMENT, "the array has " + std::to_string(given) + " elements, and the buffer " +
                                               std::to_string(size()) + ": give equally long ones"};
    }

    std::size_t size_ = 0;
};

/* The bytes of `count` elements. More than 64 bits hold is more than there is, which the library says. */
template <class T> constexpr std::uint64_t bytes_of(std::size_t count) {
    constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
    return count < most / sizeof(T) ? count * sizeof(T) : most;
}

/* A buffer of a context with the elements of an array in host memory. */
template <class Errors, class Array> auto upload_to(jr_context *context, const Array &array) {
    const auto from = view(array);
    using T = std::remove_cv_t<typename decltype(from)::element_type>;
    void *made = nullptr;
    outcome ended = jr_memory_new(context, bytes_of<T>(from.size()), &made);
    basic_buffer<T, Errors> room(made, context, from.size());
    if (ended.ok()) ended = jr_memory_write(context, made, from.data(), from.size() * sizeof(T));
    return Errors::give(ended, [&] { return std::move(room); });
}

/* `count` elements in host memory that is copied asynchronously, and that kernels can access. */
template <class T> class pinned : public handle<void *, jr_pinned_free> {
    using owner = handle<void *, jr_pinned_free>;
    static_assert(std::is_trivially_copyable_v<T>, "elements are copied as bytes: T must be trivially copyable");

  public:
    pinned() = default;
    pinned(void *address, jr_context *context, std::size_t count) : owner(address, context), size_(count) {}

    T *data() const noexcept {
        return static_cast<T *>(this->get());
    }
    std::size_t size() const noexcept {
        return this->get() != nullptr ? size_ : 0;
    }
    T *begin() const noexcept {
        return data();
    }
    T *end() const noexcept {
        return data() + size();
    }
    T &operator[](std::size_t index) const {
        return data()[index];
    }

  private:
    std::size_t size_ = 0;
};

JR_CPP_END
#endif
