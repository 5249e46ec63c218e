/* Programs: the text of a kernel with its constants, headers and options.
 * Manual: cpp.md. */
#ifndef JITREDUCE_CPP_PROGRAM_HPP
#define JITREDUCE_CPP_PROGRAM_HPP

#include <array>
#include <cstdio>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "../kernel.h"
#include "namespace.hpp"

JR_CPP_BEGIN

/* A number as an expression of the same type and value in CUDA C++: 2.5f is "(0x1.4p+1f)", -7 "(-7)". The least integer
 * has no literal: the next one, less 1. */
template <class Number> std::string literal(Number number) {
    static_assert(std::is_arithmetic_v<Number> && !std::is_same_v<Number, long double>,
                  "a constant is a number or a text");
    if constexpr (std::is_same_v<Number, bool>) {
        return number ? "true" : "false";
    } else if constexpr (std::is_floating_point_v<Number>) {
        std::array<char, 64> text;
        std::snprintf(text.data(), text.size(), "(%a%s)", static_cast<double>(number), sizeof number == 4 ? "f" : "");
        return text.data();
    } else {
        const std::string end =
            std::string(std::is_unsigned_v<Number> && sizeof number >= 4 ? "u" : "") + (sizeof number == 8 ? "ll" : "");
        const bool is_least = std::is_signed_v<Number> && number == std::numeric_limits<Number>::min();
        const Number shown = is_least ? static_cast<Number>(number + 1) : number;
        return "(" + std::to_string(shown) + end + (is_least ? " - 1)" : ")");
    }
}

/* Names with their texts, and texts, as C has them; they point into what they were made of. */
using text_pairs = std::vector<std::pair<std::string, std::string>>;
inline std::vector<jr_named_text> named_texts(const text_pairs &texts) {
    std::vector<jr_named_text> made;
    for (const auto &text : texts) made.push_back({text.first.c_str(), text.second.c_str()});
    return made;
}
inline std::vector<const char *> pointers(const std::vector<std::string> &texts) {
    std::vector<const char *> made;
    for (const std::string &text : texts) made.push_back(text.c_str());
    return made;
}

/* A program; see jr_program. It owns its texts. */
class program {
  public:
    program() = default; /* of context::watch, whose source is a file */
    program(std::string name, std::string source) : name_(std::move(name)), source_(std::move(source)) {}

    /* The kernel: an extern "C" function, or a name expression, "saxpy<float>"; otherwise the only one of the source.
     */
    program &entry(std::string name) {
        entry_ = std::move(name);
        return *this;
    }
    /* `#define name text` before the source, of a text or a number. */
    program &define(std::string name, std::string text) {
        constants_.emplace_back(std::move(name), std::move(text));
        return *this;
    }
    template <class Number, class = std::enable_if_t<!std::is_convertible_v<Number, std::string>>>
    program &define(std::string name, Number number) {
        return define(std::move(name), literal(number));
    }
    /* A text that #include "name" finds. */
    program &header(std::string name, std::string text) {
        headers_.emplace_back(std::move(name), std::move(text));
        return *this;
    }
    /* A further option of NVRTC, "--maxrregcount=32". */
    program &option(std::string text) {
        options_.push_back(std::move(text));
        return *this;
    }
    /* A folder in which #include finds files. */
    program &include_folder(std::string folder) {
        folders_.push_back(std::move(folder));
        return *this;
    }
    program &toolkit_headers(bool found = true) {
        toolkit_headers_ = found;
        return *this;
    }

  private:
    friend class c_program;
    std::string name_, source_, entry_;
    text_pairs constants_, headers_;
    std::vector<std::string> options_, folders_;
    bool toolkit_headers_ = false;
};

/* The C struct of a program; it points into the program and into itself. */
class c_program {
  public:
    /* in_file: the source is a file's. */
    explicit c_program(const program &of, bool in_file = false)
        : constants_(named_texts(of.constants_)), headers_(named_texts(of.headers_)), options_(pointers(of.options_)),
          folders_(pointers(of.folders_)) {
        own_.name = in_file && of.name_.empty() ? nullptr : of.name_.c_str();
        own_.source = in_file && of.source_.empty() ? nullptr : of.source_.c_str();
        own_.entry = of.entry_.empty() ? nullptr : of.entry_.c_str();
        own_.constants = constants_.data();
        own_.constant_count = constants_.size();
        own_.headers = headers_.data();
        own_.header_count = headers_.size();
        own_.options = options_.data();
        own_.option_count = options_.size();
        own_.include_folders = folders_.empty() ? nullptr : folders_.data();
        own_.include_folder_count = folders_.size();
        own_.toolkit_headers = of.toolkit_headers_;
    }
    c_program(const c_program &) = delete;
    c_program &operator=(const c_program &) = delete;

    const jr_program *get() const noexcept {
        return &own_;
    }

  private:
    std::vector<jr_named_text> constants_, headers_;
    std::vector<const char *> options_, folders_;
    jr_program own_ = JR_INIT(jr_program);
};

JR_CPP_END
#endif
