/* Kernels: programs with typed constants, and launches whose arguments are held against the kernel's parameters. */
#include "check.hpp"

#include <cstring>
#include <limits>

using jitreduce::context;
using jitreduce::launch_shape;
using jitreduce::program;
template <class T> using list = std::vector<T>;

static const program saxpy("saxpy", "extern \"C\" __global__ void saxpy(const float *x, float *y, float a, int n) {\n"
                                    "    const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                                    "    if (i < n) y[i] += a * x[i];\n"
                                    "}\n");
using saxpy_signature = void(const float *, float *, float, int);

TEST(a_kernel_is_launched_with_arguments_of_its_types) {
    context gpu = context::open();
    const auto x = gpu.upload(list<float>{1, 2, 3, 4}), y = gpu.upload(list<float>(4, 10));
    const auto kernel = gpu.kernel(saxpy);
    kernel.launch(1, 32, x, y, 2.0F, 4);
    CHECK(y.read() == list<float>({12, 14, 16, 18}));
    kernel.launch({1}, {32}, x.data(), y.on_device(), 1, x.size()); /* numbers are converted if they fit */
    CHECK(y.read() == list<float>({13, 16, 19, 22}));
    const auto typed = gpu.kernel<saxpy_signature>(saxpy);
    const auto stream = gpu.stream();
    typed.launch(launch_shape(1, 32).on(stream), x, y, 1.0, 4);
    stream.wait();
    CHECK(y.read() == list<float>({14, 18, 22, 26}));
}

TEST(a_launch_has_clusters_and_blocks_that_wait_for_each_other) {
    context gpu = context::open();
    const program meet("meet", "extern \"C\" __global__ void meet(int *x) {\n"
                               "    unsigned blocks;\n"
                               "    asm(\"mov.u32 %0, %cluster_nctarank;\" : \"=r\"(blocks));\n"
                               "    if (threadIdx.x > 0) return;\n"
                               "    atomicAdd(x, 1);\n"
                               "    while (atomicAdd(x, 0) < (int)gridDim.x) {}\n"
                               "    x[1 + blockIdx.x] = x[0] * 10 + blocks;\n"
                               "}\n");
    const auto x = gpu.upload(list<int>(5, 0));
    const auto kernel = gpu.kernel(meet);
    kernel.launch(launch_shape(4, 32).cooperative().priority(-1), x);
    CHECK(x.read() == list<int>({4, 41, 41, 41, 41}));
    x.write(list<int>(5, 0));
    kernel.launch(launch_shape(4, 32).cluster(2), x);
    CHECK(x.read() == list<int>({4, 42, 42, 42, 42}));
    CHECK(has(error_of([&] { kernel.launch(launch_shape(3, 32).cluster({2, 1}), x); }).what(), "cluster has 2 blocks"));
    CHECK(has(error_of([&] { kernel.launch(launch_shape(4, 32).cluster(1ULL << 40), x); }).what(), "exceeds 32 bits"));
}

/* A launch that must be refused, and leaves the device as it was. */
template <class Launch> static std::string refused(Launch launch) {
    context gpu = context::open();
    const auto x = gpu.upload(list<float>{1, 2, 3, 4}), y = gpu.upload(list<float>(4, 10));
    const jitreduce::error why = error_of([&] { launch(gpu.kernel(saxpy), x, y); });
    CHECK(why.status() == JR_ERROR_INVALID_ARGUMENT || why.status() == JR_ERROR_UNSUPPORTED_TYPE);
    gpu.wait();
    CHECK(y.read() == list<float>(4, 10));
    return why.what();
}

TEST(wrong_arguments_are_refused_before_the_launch) {
    CHECK(has(refused([](auto kernel, auto &x, auto &y) { kernel.launch(1, 32, x, y, 1.0F); }),
              "has 4 parameters, and 3 arguments"));
    CHECK(has(refused([](auto kernel, auto &x, auto &y) { kernel.launch(1, 32, x, y, 1.0F, 4, 5); }),
              "has 4 parameters, and 5 arguments"));
    CHECK(has(refused([](auto kernel, auto &x, auto &y) { kernel.launch(1, 32, x, y, 1.0F, 4.5); }),
              "argument 4 of saxpy is 4.5 (f64)"));
    CHECK(has(refused([](auto kernel, auto &x, auto &y) { kernel.launch(1, 32, x, y, y, 4); }),
              "argument 3 of saxpy is a pointer"));
    CHECK(has(refused([](auto kernel, auto &x, auto &) { kernel.launch(1, 32, x, 2.0F, 1.0F, 4); }),
              "argument 2 of saxpy"));
    CHECK(has(refused([](auto kernel, auto &x, auto &y) { kernel.launch(1, 32, x, y, 1.0F, 1LL << 40); }),
              "does not hold it"));
    CHECK(has(refused([](auto kernel, auto &x, auto &y) { kernel.launch(1ULL << 40, 32, x, y, 1.0F, 4); }),
              "exceeds 32 bits"));
    CHECK(
        has(refused([](auto kernel, auto &x, auto &y) { kernel.launch(0, 32, x, y, 1.0F, 4); }), "must be 1 or more"));
}

TEST(a_stream_that_was_moved_from_launches_nothing) {
    CHECK(has(refused([](auto kernel, auto &x, auto &y) {
                  context gpu = context::open();
                  auto stream = gpu.stream();
                  const auto other = std::move(stream);
                  kernel.launch(launch_shape(1, 32).on(stream), x, y, 1.0F, 4);
              }),
              "stream was moved from"));
}

/* What is wrong with a signature of saxpy. */
template <class Signature> static std::string wrong_signature() {
    context gpu = context::open();
    const jitreduce::error why = error_of([&] { gpu.kernel<Signature>(saxpy); });
    CHECK(why.status() == JR_ERROR_INVALID_ARGUMENT);
    return why.what();
}

TEST(a_signature_is_held_against_the_kernels_parameters) {
    CHECK(has(wrong_signature<void(const float *, float *, float)>(), "has 4 parameters, its signature here 3"));
    CHECK(has(wrong_signature<void()>(), "has 4 parameters, its signature here 0"));
    CHECK(has(wrong_signature<void(const float *, float *, int, int)>(),
              "parameter 3 of the kernel saxpy is f32 of 4 bytes"));
    CHECK(has(wrong_signature<void(const float *, float *, float, long)>(),
              "parameter 4 of the kernel saxpy is u32 of 4 bytes"));
    CHECK(has(wrong_signature<void(const float *, float *, double, int)>(), "a float of 8"));
    CHECK(has(wrong_signature<void(float, float *, float, int)>(), "parameter 1 of the kernel saxpy"));
}

struct point {
    double x, y;
};
enum class mode : short { twice = 2 };

TEST(structs_and_enumerations_are_arguments) {
    context gpu = context::open();
    const program source(
        "add", "struct point { double x, y; };\n"
               "extern \"C\" __global__ void add(double *out, point p, short times, bool more, signed char c) {\n"
               "    *out = (p.x + p.y) * times + (more ? 100 : 0) + c;\n"
               "}\n");
    const auto out = gpu.buffer<double>(1);
    gpu.kernel(source).launch(1, 1, out, point{1, 2}, mode::twice, true, static_cast<signed char>(-1));
    CHECK(out.read() == list<double>({105}));
    gpu.kernel<void(double *, point, short, bool, signed char)>(source).launch(1, 1, out, point{1, 2}, 3, false, 0);
    CHECK(out.read() == list<double>({9}));
    struct other {
        char bytes[100];
    };
    CHECK(has(error_of([&] { gpu.kernel(source).launch(1, 1, out, other{}, 1, true, 1); }).what(),
              "a struct of 100 bytes"));
    CHECK(has(error_of([&] { gpu.kernel(source).launch(1, 1, out, 1, 1, true, 1); }).what(),
              "argument 2 of add is 1 (i32)"));
}

TEST(a_small_argument_for_a_large_parameter_names_the_parameter) {
    context gpu = context::open();
    const program source("big", "struct big { char bytes[4000]; };\n"
                                "extern \"C\" __global__ void take(char *out, big b) { *out = b.bytes[0]; }\n");
    const auto out = gpu.buffer<char>(1);
    CHECK(has(error_of([&] { gpu.kernel(source).launch(1, 1, out, 1); }).what(), "the parameter is 4000 bytes"));
}

/* Constants have the same type and value in the kernel: it writes their bytes. */
template <class T> static void arrives(T number, const char *type) {
    context gpu = context::open();
    const auto out = gpu.buffer<T>(1);
    const program source =
        program("constant", "template <class A, class B> struct same { static const bool is = false; };\n"
                            "template <class A> struct same<A, A> { static const bool is = true; };\n"
                            "extern \"C\" __global__ void store(TYPE *out) {\n"
                            "    static_assert(sizeof(TYPE) < 4 || same<decltype(NUMBER), TYPE>::is, \"type\");\n"
                            "    *out = NUMBER;\n"
                            "}\n")
            .define("NUMBER", number)
            .define("TYPE", type);
    gpu.kernel(source).launch(1, 1, out);
    T got[1];
    out.read(got);
    CHECK(std::memcmp(got, &number, sizeof number) == 0);
}

TEST(constants_keep_their_type_and_value) {
    arrives(0.1, "double");
    arrives(0.1F, "float");
    arrives(std::numeric_limits<double>::denorm_min(), "double");
    arrives(-std::numeric_limits<float>::max(), "float");
    arrives(std::numeric_limits<int>::min(), "int");
    arrives(std::numeric_limits<unsigned>::max(), "unsigned");
    arrives(std::numeric_limits<long long>::min(), "long long");
    arrives(std::numeric_limits<unsigned long long>::max(), "unsigned long long");
    arrives<short>(-7, "short");
    arrives(true, "bool");
}

TEST(a_program_has_entries_headers_options_and_globals) {
    context gpu = context::open();
    auto source = program("parts", "#include \"own.h\"\n__device__ int answer = OWN;\n"
                                   "template <int N> __global__ void store(int *out) { *out = answer + N + EXTRA; }\n");
    source.header("own.h", "#define OWN 40\n").option("-DEXTRA=1").entry("store<2>");
    const auto kernel = gpu.kernel(source);
    const auto out = gpu.buffer<int>(1);
    kernel.launch(1, 1, out);
    CHECK(out.read() == list<int>({43}));
    const auto answer = kernel.global<int>("answer");
    int found = 0;
    CHECK(answer.size() == 1 && jr_memory_read(gpu.get(), &found, answer.data(), sizeof found) == JR_OK && found == 40);
    CHECK(kernel.info().parameter_count == 1 && kernel.parameters()[0].bytes == 8 && kernel.occupancy(32) > 0);
    CHECK(has(error_of([&] { gpu.kernel(program("wrong", "__global__ void f() { x }")); }).log(), "error"));
}

TEST(images_are_stored_and_loaded) {
    context gpu = context::open();
    const auto image = gpu.compile(saxpy);
    CHECK(has(image.ptx(), ".entry saxpy"));
    const auto read = jitreduce::image::read(image.data());
    const auto x = gpu.upload(list<float>{1}), y = gpu.upload(list<float>{1});
    gpu.kernel<saxpy_signature>(read).launch(1, 1, x, y, 2.0F, 1);
    CHECK(y.read() == list<float>({3}));
    CHECK(has(jitreduce::image::compile(saxpy, "compute_80").ptx(), ".target sm_80"));
    gpu.kernel(jitreduce::image::read_ptx(image.ptx())).launch(1, 1, x, y, 2.0F, 1);
    CHECK(y.read() == list<float>({5}));
    CHECK(error_of([] { jitreduce::image::read(list<std::byte>(9)); }).status() == JR_ERROR_INVALID_ARGUMENT);
}

TEST(a_launch_says_how_it_failed_as_a_result) {
    auto gpu = jitreduce::nothrow::context::open().value();
    const auto y = gpu.upload(list<float>(4)).value();
    const auto kernel = gpu.kernel(saxpy);
    const auto launched = kernel->launch(1, 32, y, y, 1.0F, 4);
    CHECK(launched && !kernel->launch(1, 32, y) && !gpu.kernel<void(int)>(saxpy));
}

RUN_TESTS
