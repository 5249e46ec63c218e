/* Arguments of kernels: what may be given for a parameter, checked by the compiler, and by the library at the launch.
 * Manual: cpp.md. */
#ifndef JITREDUCE_CPP_ARGUMENT_HPP
#define JITREDUCE_CPP_ARGUMENT_HPP

#include <array>
#include <cstddef>
#include <tuple>

#include "../kernel.h"
#include "element.hpp"
#include "span.hpp"

JR_CPP_BEGIN

template <class T, class = void> inline constexpr bool is_container = false;
template <class T> inline constexpr bool is_container<T, std::void_t<decltype(std::data(std::declval<T &>()))>> = true;

/* Can be copied to a kernel as bytes: a struct. */
template <class T>
inline constexpr bool is_struct_argument = std::is_class_v<T> &&std::is_trivially_copyable_v<T> && !is_container<T>;
/* A number: its own type, also of a char or an enumeration. */
template <class T> constexpr jr_type argument_type() {
    if constexpr (std::is_enum_v<T>)
        return argument_type<std::underlying_type_t<T>>();
    else if constexpr (!std::is_integral_v<T> || std::is_same_v<T, bool>)
        return type_of<T> != JR_STRUCT ? type_of<T> : JR_TYPE_NONE;
    else
        return integer_type(sizeof(T), std::is_signed_v<T>);
}

/* What is kept of an argument for the time of a launch: an address, or the value itself. */
template <class T> auto kept_argument(const T &given) {
    if constexpr (is_on_device<const T>) {
        return static_cast<const void *>(given.on_device().data());
    } else if constexpr (std::is_convertible_v<T, const void *> && !std::is_array_v<T>) {
        return static_cast<const void *>(given);
    } else {
        static_assert(argument_type<T>() != JR_TYPE_NONE || is_struct_argument<T>,
                      "a kernel takes device memory, numbers and structs: copy a container into a buffer first");
        return given;
    }
}
template <class T> jr_argument c_argument(const T &kept) {
    constexpr jr_type number = argument_type<T>();
    jr_argument made = jr_argument();
    made.kind = std::is_pointer_v<T>     ? JR_ARGUMENT_POINTER
                : number != JR_TYPE_NONE ? JR_ARGUMENT_NUMBER
                                         : JR_ARGUMENT_BYTES;
    made.type = number;
    made.bytes = &kept;
    made.count = sizeof kept;
    return made;
}

/* Whether an argument may be given for a parameter of the type. The library checks that a number fits. */
template <class Argument, class Parameter> constexpr bool argument_fits() {
    if constexpr (std::is_pointer_v<Parameter>) {
        using pointee = std::remove_pointer_t<Parameter>;
        if constexpr (is_on_device<const Argument>)
            return std::is_convertible_v<decltype(std::declval<const Argument &>().on_device().data()), pointee *>;
        else
            return std::is_convertible_v<Argument, Parameter>;
    } else if constexpr (std::is_arithmetic_v<Parameter>) {
        return std::is_arithmetic_v<Argument> &&
               (std::is_floating_point_v<Parameter> || !std::is_floating_point_v<Argument>);
    } else {
        return std::is_same_v<Argument, Parameter>;
    }
}

/* The arguments of one launch, converted to the kernel's parameters by jr_kernel_arguments. */
template <class... Kept> class c_arguments {
  public:
    explicit c_arguments(const Kept &...kept) : kept_(kept...) {}

    jr_status convert(const jr_kernel *kernel) {
        return convert(kernel, std::index_sequence_for<Kept...>());
    }
    void **pointers() noexcept {
        return pointers_.data();
    }

  private:
    template <std::size_t... I> jr_status convert(const jr_kernel *kernel, std::index_sequence<I...>) {
        const std::array<jr_argument, sizeof...(Kept) + 1> arguments = {c_argument(std::get<I>(kept_))...};
        return jr_kernel_arguments(kernel, arguments.data(), sizeof...(Kept), room_, sizeof room_, pointers_.data());
    }

    /* A parameter that is larger than its argument is an error, whose message has the parameter if it fits. */
    static constexpr std::size_t room_bytes = 4096 + (0 + ... + (sizeof(Kept) + 32));
    std::tuple<Kept...> kept_;
    std::array<void *, sizeof...(Kept) + 1> pointers_ = {};
    alignas(16) std::byte room_[room_bytes];
};

JR_CPP_END
#endif
