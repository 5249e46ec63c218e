/* Errors, and the two ways to get them: as exceptions, or as results that are tested.
 * Manual: cpp.md. */
#ifndef JITREDUCE_CPP_ERROR_HPP
#define JITREDUCE_CPP_ERROR_HPP

#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>

#include "namespace.hpp"

JR_CPP_BEGIN

/* Why a call failed: what jr_last_error() has of it, copied. what() is the message. */
class error : public std::runtime_error {
  public:
    error(jr_status status, const std::string &message) : std::runtime_error(message), status_(status) {}

    /* The last error of the calling thread. */
    static error last() {
        const jr_error *why = jr_last_error();
        error made(why->status, why->message);
        made.stage_ = why->stage;
        made.driver_name_ = why->driver_name;
        made.log_ = why->log;
        return made;
    }

    jr_status status() const noexcept {
        return status_;
    }
    const char *stage() const noexcept {
        return stage_.c_str();
    }
    const char *driver_name() const noexcept {
        return driver_name_.c_str();
    }
    const char *log() const noexcept {
        return log_.c_str();
    }

  private:
    jr_status status_;
    std::string stage_, driver_name_, log_;
};

/* A value, or the error that a call had in place of one. */
template <class T> class [[nodiscard]] result {
  public:
    result(T value) : held_(std::in_place_index<0>, std::move(value)) {}
    result(jitreduce::error why) : held_(std::in_place_index<1>, std::move(why)) {}

    bool has_value() const noexcept {
        return held_.index() == 0;
    }
    explicit operator bool() const noexcept {
        return has_value();
    }

    /* The value; only after it was tested that there is one. */
    T &operator*() &noexcept {
        return *std::get_if<0>(&held_);
    }
    const T &operator*() const &noexcept {
        return *std::get_if<0>(&held_);
    }
    T &&operator*() &&noexcept {
        return std::move(*std::get_if<0>(&held_));
    }
    T *operator->() noexcept {
        return std::get_if<0>(&held_);
    }
    const T *operator->() const noexcept {
        return std::get_if<0>(&held_);
    }

    /* The error; only after it was tested that there is no value. */
    const jitreduce::error &error() const noexcept {
        return *std::get_if<1>(&held_);
    }
    template <class Other> T value_or(Other &&other) && {
        return has_value() ? std::move(**this) : static_cast<T>(std::forward<Other>(other));
    }
#ifdef __cpp_exceptions
    /* The value; throws the error of a call that failed. */
    T value() && {
        if (!has_value()) throw error();
        return std::move(**this);
    }
#endif

  private:
    std::variant<T, jitreduce::error> held_;
};

/* Success, or an error. */
template <> class [[nodiscard]] result<void> {
  public:
    result() = default;
    result(jitreduce::error why) : why_(std::move(why)) {}

    bool has_value() const noexcept {
        return !why_.has_value();
    }
    explicit operator bool() const noexcept {
        return has_value();
    }
    const jitreduce::error &error() const noexcept {
        return *why_;
    }
#ifdef __cpp_exceptions
    void value() const {
        if (!has_value()) throw error();
    }
#endif

  private:
    std::optional<jitreduce::error> why_;
};

/* How a call ended: the library's status, or what this header found wrong before it called the library. */
struct outcome {
    outcome(jr_status of_call) : status(of_call) {}
    outcome(jr_status of_header, std::string text) : status(of_header), message(std::move(text)) {}

    bool ok() const noexcept {
        return status == JR_OK;
    }
    jitreduce::error why() const {
        return message.empty() ? jitreduce::error::last() : jitreduce::error(status, message);
    }

    jr_status status;
    std::string message; /* "": jr_last_error() has it */
};

/* The ways to get errors. `result<T>` is what a call returns that makes a T; give() makes it of the outcome and of a
 * function that makes the T on success. Classes have their way as a template argument, so that all is written once. */
#ifdef __cpp_exceptions
struct throwing {
    template <class T> using result = T;

    template <class Make> static auto give(const outcome &ended, Make make) -> decltype(make()) {
        if (!ended.ok()) throw ended.why();
        return make();
    }
    static void give(const outcome &ended) {
        if (!ended.ok()) throw ended.why();
    }
};
#endif

struct returning {
    template <class T> using result = jitreduce::result<T>;

    template <class Make> static auto give(const outcome &ended, Make make) -> result<decltype(make())> {
        if (!ended.ok()) return ended.why();
        return make();
    }
    static result<void> give(const outcome &ended) {
        if (!ended.ok()) return ended.why();
        return {};
    }
};

JR_CPP_END
#endif
