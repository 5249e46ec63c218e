/* Kernels of your own: compiled or loaded, and launched with arguments that are held against their parameters.
 * Manual: cpp.md. */
#ifndef JITREDUCE_CPP_KERNEL_HPP
#define JITREDUCE_CPP_KERNEL_HPP

#include <limits>
#include <string>
#include <vector>

#include "../link.h"
#include "argument.hpp"
#include "handle.hpp"
#include "program.hpp"
#include "stream.hpp"

JR_CPP_BEGIN

/* Blocks of a grid, or threads of a block: 256, {16, 16}. */
struct size3 {
    explicit size3(const unsigned (&sizes)[3]) : x(sizes[0]), y(sizes[1]), z(sizes[2]) {}
    size3(std::uint64_t in_x, std::uint64_t in_y = 1, std::uint64_t in_z = 1) : x(in_x), y(in_y), z(in_z) {}
    std::uint64_t x, y, z;
};

/* Grid and block of a launch, and what else matters: launch_shape(grid, block).shared(bytes).on(stream). */
class launch_shape {
  public:
    launch_shape(size3 grid, size3 block) : grid_(grid), block_(block) {}
    explicit launch_shape(const jr_launch &c)
        : grid_(c.grid), block_(c.block), cluster_(c.cluster), own_(c), stream_(c.stream) {}

    /* Dynamic shared memory of a block. */
    launch_shape &shared(unsigned bytes) {
        own_.shared_bytes = bytes;
        return *this;
    }
    launch_shape &on(stream_argument stream) {
        stream_ = stream;
        return *this;
    }
    /* jr_launch.dependent: the kernel may begin before the one before it on the stream has ended. */
    launch_shape &dependent(bool is_dependent = true) {
        own_.dependent = is_dependent;
        return *this;
    }
    /* jr_launch.cooperative: all blocks are resident at the same time. */
    launch_shape &cooperative(bool is_cooperative = true) {
        own_.cooperative = is_cooperative;
        return *this;
    }
    /* Blocks per cluster, and how they are placed. */
    launch_shape &cluster(size3 blocks, jr_cluster_policy policy = JR_CLUSTER_POLICY_DEFAULT) {
        cluster_ = blocks;
        own_.cluster_policy = policy;
        return *this;
    }
    /* Lower numbers are more urgent; 0: that of the stream. */
    launch_shape &priority(int number) {
        own_.priority = number;
        return *this;
    }

    /* Makes a call with the C struct, unless a size exceeds it or the stream was moved from. */
    template <class Call> outcome checked(Call call) const {
        jr_launch c = own_;
        if (!fits(grid_) || !fits(block_) || !fits(cluster_))
            return {JR_ERROR_INVALID_ARGUMENT, "a launch of " + text(grid_) + " blocks of " + text(block_) +
                                                   " threads in clusters of " + text(cluster_) +
                                                   " blocks: a number exceeds 32 bits"};
        copy(grid_, c.grid);
        copy(block_, c.block);
        copy(cluster_, c.cluster);
        c.stream = stream_.get();
        return stream_.checked([&] { return call(c); });
    }

  private:
    static bool fits(const size3 &size) {
        constexpr std::uint64_t most = std::numeric_limits<unsigned>::max();
        return size.x <= most && size.y <= most && size.z <= most;
    }
    static std::string text(const size3 &size) {
        return std::to_string(size.x) + "x" + std::to_string(size.y) + "x" + std::to_string(size.z);
    }
    static void copy(const size3 &from, unsigned (&to)[3]) {
        to[0] = static_cast<unsigned>(from.x);
        to[1] = static_cast<unsigned>(from.y);
        to[2] = static_cast<unsigned>(from.z);
    }

    size3 grid_, block_, cluster_ = {0, 0, 0};
    jr_launch own_ = JR_INIT(jr_launch);
    stream_argument stream_;
};

/* A kernel, which belongs to its context. It was got with a signature, void(const float *, float *), against which the
 * compiler checks the arguments; or with none (any), so that only the launch checks them. */
struct any;
template <class Signature, class Errors> class basic_kernel;

/* What kernels with and without a signature have. */
template <class Errors> class kernel_base {
    template <class T> using result = typename Errors::template result<T>;

  public:
    explicit kernel_base(jr_kernel *kernel) : kernel_(kernel) {}

    jr_kernel *get() const noexcept {
        return kernel_;
    }
    const char *name() const noexcept {
        return jr_kernel_name(kernel_);
    }
    result<jr_kernel_info> info() const {
        jr_kernel_info info = JR_INIT(jr_kernel_info);
        return Errors::give(jr_kernel_info_get(kernel_, &info), [&] { return info; });
    }
    result<std::vector<jr_kernel_parameter>> parameters() const {
        std::size_t count = 0;
        outcome ended = jr_kernel_parameters(kernel_, nullptr, 0, &count);
        std::vector<jr_kernel_parameter> made(count);
        if (ended.ok()) ended = jr_kernel_parameters(kernel_, made.data(), count, &count);
        return Errors::give(ended, [&] { return std::move(made); });
    }
    /* How many blocks fit on one multiprocessor. */
    result<int> occupancy(int block, std::size_t shared_bytes = 0) const {
        int blocks = 0;
        return Errors::give(jr_kernel_occupancy(kernel_, block, shared_bytes, &blocks), [&] { return blocks; });
    }
    /* A __device__ or __constant__ variable of the kernel's module. */
    template <class T> result<device_span<T>> global(const char *variable) const {
        void *address = nullptr;
        std::size_t bytes = 0;
        return Errors::give(jr_kernel_global_find(kernel_, variable, &address, &bytes),
                            [&] { return device_span<T>(static_cast<T *>(address), bytes / sizeof(T)); });
    }

  protected:
    template <class... Arguments> result<void> enqueue(const launch_shape &shape, const Arguments &...given) const {
        c_arguments<decltype(kept_argument(given))...> arguments(kept_argument(given)...);
        return Errors::give(shape.checked([&](const jr_launch &c) {
            const jr_status status = arguments.convert(kernel_);
            return status != JR_OK ? status : jr_kernel_launch(kernel_, &c, arguments.pointers());
        }));
    }

  private:
    jr_kernel *kernel_;
};

template <class Errors> class basic_kernel<any, Errors> : public kernel_base<Errors> {
    template <class T> using result = typename Errors::template result<T>;

  public:
    explicit basic_kernel(jr_kernel *kernel) : kernel_base<Errors>(kernel) {}
    static outcome check(const jr_kernel *) {
        return JR_OK;
    }

    /* Enqueues the kernel and returns. Arguments: buffers, device_span, pointers to device memory, numbers, structs. */
    template <class... Arguments> result<void> launch(const launch_shape &shape, const Arguments &...given) const {
        return this->enqueue(shape, given...);
    }
    template <class... Arguments> result<void> launch(size3 grid, size3 block, const Arguments &...given) const {
        return this->enqueue({grid, block}, given...);
    }
};

template <class... Parameters, class Errors>
class basic_kernel<void(Parameters...), Errors> : public kernel_base<Errors> {
    template <class T> using result = typename Errors::template result<T>;

  public:
    explicit basic_kernel(jr_kernel *kernel) : kernel_base<Errors>(kernel) {}

    /* Whether the kernel has these parameters, as far as PTX shows their types. */
    static outcome check(const jr_kernel *kernel) {
        constexpr std::size_t wanted = sizeof...(Parameters);
        const std::array<std::size_t, wanted + 1> bytes = {sizeof(Parameters)...};
        const std::array<bool, wanted + 1> is_float = {std::is_floating_point_v<Parameters>...};
        std::array<jr_kernel_parameter, wanted + 1> found;
        std::size_t count = 0;
        const jr_status status = jr_kernel_parameters(kernel, found.data(), wanted, &count);
        if (status != JR_OK) return status;
        const std::string name = std::string("the kernel ") + jr_kernel_name(kernel);
        if (count != wanted)
            return {JR_ERROR_INVALID_ARGUMENT, name + " has " + std::to_string(count) +
                                                   " parameters, its signature here " + std::to_string(wanted)};
        for (std::size_t i = 0; i < wanted; i++)
            if (found[i].bytes != bytes[i] || (found[i].type[0] != '\0' && (found[i].type[0] == 'f') != is_float[i]))
                return {JR_ERROR_INVALID_ARGUMENT,
                        "parameter " + std::to_string(i + 1) + " of " + name + " is " + std::string(found[i].type) +
                            " of " + std::to_string(found[i].bytes) + " bytes: its signature here has " +
                            (is_float[i] ? "a float" : "an integer, pointer or struct") + " of " +
                            std::to_string(bytes[i])};
        return JR_OK;
    }

    template <class... Arguments> result<void> launch(const launch_shape &shape, const Arguments &...given) const {
        static_assert(sizeof...(Arguments) == sizeof...(Parameters), "the kernel has another number of parameters");
        if constexpr (sizeof...(Arguments) == sizeof...(Parameters))
            static_assert((argument_fits<Arguments, Parameters>() && ...),
                          "an argument has another type than the kernel's parameter");
        return this->enqueue(shape, given...);
    }
    template <class... Arguments> result<void> launch(size3 grid, size3 block, const Arguments &...given) const {
        return launch(launch_shape(grid, block), given...);
    }
};

/* A compiled program: machine code and PTX. */
template <class Errors> class basic_image : public handle<jr_image *, jr_image_destroy> {
    using owner = handle<jr_image *, jr_image_destroy>;
    template <class T> using result = typename Errors::template result<T>;

  public:
    using owner::owner;

    /* Compiles a program for "sm_90" or "compute_80", without a GPU. */
    static result<basic_image> compile(const program &source, const char *architecture,
                                       const jr_options &options = jr_init_options()) {
        jr_image *made = nullptr;
        return Errors::give(jr_image_compile(&options, c_program(source).get(), architecture, &made),
                            [&] { return basic_image(made); });
    }
    /* Reads data() of an image; PTX text. */
    static result<basic_image> read(host_span<const std::byte> data) {
        jr_image *made = nullptr;
        return Errors::give(jr_image_read(data.data(), data.size(), &made), [&] { return basic_image(made); });
    }
    static result<basic_image> read_ptx(const char *text, const char *entry = nullptr) {
        jr_image *made = nullptr;
        return Errors::give(jr_image_read_ptx(text, entry, &made), [&] { return basic_image(made); });
    }

    /* The names of all its kernels, as PTX or machine code has them: "init", "_Z5saxpyIfEvPT_". */
    result<std::vector<std::string>> kernels() const {
        std::size_t bytes = 0;
        outcome ended = jr_image_kernels(this->get(), nullptr, 0, &bytes);
        std::string list(bytes, '\0');
        if (ended.ok()) ended = jr_image_kernels(this->get(), list.data(), bytes, &bytes);
        return Errors::give(ended, [&] { return names_of(list.c_str()); });
    }
    const char *ptx() const noexcept {
        return jr_image_ptx(this->get());
    }
    /* The stored form, which can be written to a file. It belongs to the image. */
    host_span<const std::byte> data() const {
        std::size_t bytes = 0;
        const void *data = jr_image_data(this->get(), &bytes);
        return {static_cast<const std::byte *>(data), bytes};
    }

  private:
    /* "init; saxpy" */
    static std::vector<std::string> names_of(const std::string &list) {
        std::vector<std::string> names;
        for (std::size_t at = 0, end = 0; at < list.size(); at = end + 2) {
            end = list.find("; ", at);
            if (end == std::string::npos) end = list.size();
            names.push_back(list.substr(at, end - at));
        }
        return names;
    }
    static jr_options jr_init_options() {
        return JR_INIT(jr_options);
    }
};

JR_CPP_END
#endif
