/* Tunable kernels: parameters of a kernel whose best values are found by measuring.
 * Manual: cpp.md. */
#ifndef JITREDUCE_CPP_TUNABLE_HPP
#define JITREDUCE_CPP_TUNABLE_HPP

#include <string>
#include <vector>

#include "../tunable.h"
#include "kernel.hpp"

JR_CPP_BEGIN

/* A program with parameters; see jr_tunable. It owns its texts. */
class tunable {
  public:
    explicit tunable(program source) : program_(std::move(source)) {}

    /* A constant with several possible values: "1,2,4", "1..16", "32..1024*2". */
    tunable &parameter(std::string name, std::string values) {
        parameters_.emplace_back(std::move(name), std::move(values));
        return *this;
    }
    /* A formula that must not be 0: "BLOCK * UF <= 4096". */
    tunable &restriction(std::string formula) {
        restrictions_.push_back(std::move(formula));
        return *this;
    }
    /* The name of one of the problem's sizes, in their order. */
    tunable &size(std::string name) {
        sizes_.push_back(std::move(name));
        return *this;
    }
    /* Formulas "X[,Y[,Z]]" of grid and block, and of the dynamic shared bytes. */
    tunable &grid(std::string formula) {
        grid_ = std::move(formula);
        return *this;
    }
    tunable &block(std::string formula) {
        block_ = std::move(formula);
        return *this;
    }
    tunable &shared(std::string formula) {
        shared_ = std::move(formula);
        return *this;
    }
    /* The setting that is used while none is stored: "BLOCK=256,UF=4". */
    tunable &preferred(std::string setting) {
        preferred_ = std::move(setting);
        return *this;
    }

  private:
    friend class c_tunable;
    program program_;
    text_pairs parameters_;
    std::vector<std::string> restrictions_, sizes_;
    std::string grid_, block_, shared_, preferred_;
};

/* The C struct of a tunable; it points into the tunable and into itself. */
class c_tunable {
  public:
    explicit c_tunable(const tunable &of)
        : program_(of.program_), parameters_(named_texts(of.parameters_)), restrictions_(pointers(of.restrictions_)),
          sizes_(pointers(of.sizes_)) {
        own_.program = program_.get();
        own_.parameters = parameters_.data();
        own_.parameter_count = parameters_.size();
        own_.restrictions = restrictions_.data();
        own_.restriction_count = restrictions_.size();
        own_.sizes = sizes_.data();
        own_.size_count = sizes_.size();
        own_.grid = of.grid_.c_str();
        own_.block = of.block_.c_str();
        own_.shared = of.shared_.empty() ? nullptr : of.shared_.c_str();
        own_.preferred = of.preferred_.empty() ? nullptr : of.preferred_.c_str();
    }
    c_tunable(const c_tunable &) = delete;
    c_tunable &operator=(const c_tunable &) = delete;

    const jr_tunable *get() const noexcept {
        return &own_;
    }
    /* The library reads a number for each name. */
    outcome check(const std::vector<std::int64_t> &sizes) const {
        if (sizes.size() == sizes_.size()) return JR_OK;
        return {JR_ERROR_INVALID_ARGUMENT, "the tunable has " + std::to_string(sizes_.size()) + " sizes, and " +
                                               std::to_string(sizes.size()) + " were given"};
    }

  private:
    c_program program_;
    std::vector<jr_named_text> parameters_;
    std::vector<const char *> restrictions_, sizes_;
    jr_tunable own_ = JR_INIT(jr_tunable);
};

/* A tunable's kernel for some sizes, with its grid and block. */
template <class Errors> class basic_choice {
  public:
    explicit basic_choice(const jr_tunable_choice &chosen) : kernel(chosen.kernel), own_(chosen) {}

    template <class... Arguments> auto launch(stream_argument stream, const Arguments &...given) const {
        return kernel.launch(launch_shape(own_.launch).on(stream), given...);
    }
    /* The setting, "BLOCK=256,UF=4", and where it is from. */
    const jr_tunable_choice &c() const noexcept {
        return own_;
    }

    basic_kernel<any, Errors> kernel;

  private:
    jr_tunable_choice own_;
};

/* An array that the kernel writes: it is compared with the preferred setting's, of floats with a tolerance. */
template <class Array> jr_tunable_output tunable_output(const Array &array, double absolute = 0, double relative = 0) {
    const auto span = array.on_device();
    using T = std::remove_cv_t<std::remove_pointer_t<decltype(span.data())>>;
    jr_tunable_output made = jr_tunable_output();
    made.address = span.data();
    made.bytes = span.size() * sizeof(T);
    made.type = type_of<T> == JR_F32 || type_of<T> == JR_F64 ? type_of<T> : JR_TYPE_NONE;
    made.absolute = absolute;
    made.relative = relative;
    return made;
}

JR_CPP_END
#endif
