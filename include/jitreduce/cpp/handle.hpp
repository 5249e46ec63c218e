/* A handle owns one object of the library: it moves, is not copied, and destroys the object with itself.
 * Manual: cpp.md. */
#ifndef JITREDUCE_CPP_HANDLE_HPP
#define JITREDUCE_CPP_HANDLE_HPP

#include <type_traits>
#include <utility>

#include "../context.h"
#include "namespace.hpp"

JR_CPP_BEGIN

/* A handle that was moved from owns nothing: its get() is NULL, which the library's functions refuse. `Destroy` is the
 * C function, with or without the context as its first argument. */
template <class Pointer, auto Destroy> class handle {
  public:
    handle() = default;
    explicit handle(Pointer object, jr_context *context = nullptr) : object_(object), context_(context) {}
    handle(handle &&other) noexcept : object_(other.release()), context_(std::exchange(other.context_, nullptr)) {}
    handle &operator=(handle &&other) noexcept {
        if (this != &other) {
            reset();
            object_ = other.release();
            context_ = std::exchange(other.context_, nullptr);
        }
        return *this;
    }
    handle(const handle &) = delete;
    handle &operator=(const handle &) = delete;
    ~handle() {
        reset();
    }

    /* The C object, for every function of the library that has no form here. */
    Pointer get() const noexcept {
        return object_;
    }
    explicit operator bool() const noexcept {
        return object_ != nullptr;
    }
    /* Gives the object away: the caller destroys it. */
    Pointer release() noexcept {
        return std::exchange(object_, nullptr);
    }
    /* Destroys the object now. */
    void reset() noexcept {
        const Pointer old = release();
        if constexpr (std::is_invocable_v<decltype(Destroy), jr_context *, Pointer>) {
            if (old != nullptr) static_cast<void>(Destroy(context_, old));
        } else {
            Destroy(old);
        }
    }

  protected:
    jr_context *context() const noexcept {
        return context_;
    }

  private:
    Pointer object_ = nullptr;
    jr_context *context_ = nullptr;
};

JR_CPP_END
#endif
