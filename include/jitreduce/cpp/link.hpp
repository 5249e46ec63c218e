/* Linking: an image of programs, PTX, machine code and libraries. Files that are watched: a kernel that follows its
 * text. Manual: cpp.md. */
#ifndef JITREDUCE_CPP_LINK_HPP
#define JITREDUCE_CPP_LINK_HPP

#include <memory>
#include <optional>

#include "../link.h"
#include "kernel.hpp"

JR_CPP_BEGIN

/* One of the things that are linked: a program, PTX text, or the bytes of a file. It refers to the text or the bytes.
 */
class link_input {
  public:
    link_input(program source) : program_(std::move(source)) {}
    /* name: for messages, "util.ptx". */
    link_input(std::string name, const char *ptx)
        : name_(std::move(name)), data_(ptx), bytes_(std::char_traits<char>::length(ptx)) {}
    template <class Array, class Data = std::remove_pointer_t<decltype(std::data(std::declval<const Array &>()))>,
              class = std::enable_if_t<sizeof(Data) == 1>>
    link_input(std::string name, const Array &bytes)
        : name_(std::move(name)), data_(std::data(bytes)), bytes_(std::size(bytes)) {}

  private:
    friend class c_link;
    std::string name_;
    std::optional<program> program_;
    const void *data_ = nullptr;
    std::size_t bytes_ = 0;
};

/* The C structs of inputs; they point into the inputs and into themselves. */
class c_link {
  public:
    explicit c_link(const std::vector<link_input> &inputs) {
        programs_.reserve(inputs.size());
        for (const link_input &input : inputs) {
            jr_link_input c = jr_link_input();
            c.name = input.name_.empty() ? nullptr : input.name_.c_str();
            c.data = input.data_;
            c.bytes = input.bytes_;
            if (input.program_) c.program = programs_.emplace_back(std::make_unique<c_program>(*input.program_))->get();
            inputs_.push_back(c);
        }
    }
    const std::vector<jr_link_input> &get() const noexcept {
        return inputs_;
    }

  private:
    std::vector<std::unique_ptr<c_program>> programs_;
    std::vector<jr_link_input> inputs_;
};

/* A file whose kernel is compiled again when it or a header changes. */
template <class Signature, class Errors> class basic_watch : public handle<jr_watch *, jr_watch_end> {
    using owner = handle<jr_watch *, jr_watch_end>;
    using kernel_type = basic_kernel<Signature, Errors>;
    template <class T> using result = typename Errors::template result<T>;

  public:
    using owner::owner;

    /* The newest kernel, which is held against the signature; ask before each launch. wait_ms: milliseconds at most to
     * wait for another one than the last call had. */
    result<kernel_type> kernel(double wait_ms = 0) {
        jr_kernel *const last = kernel_;
        outcome ended = jr_watch_kernel(this->get(), wait_ms, &kernel_);
        if (ended.ok() && kernel_ != last) ended = kernel_type::check(kernel_);
        if (!ended.ok()) kernel_ = last;
        return Errors::give(ended, [&] { return kernel_type(kernel_); });
    }

  private:
    jr_kernel *kernel_ = nullptr;
};

JR_CPP_END
#endif
