/* Programs with several kernels, programs that are linked, and programs in files that change. */
#include "check.hpp"

#include <cstdio>
#include <cstdlib>
#include <fstream>

#include <unistd.h>

using jitreduce::context;
using jitreduce::link_input;
using jitreduce::program;
template <class T> using list = std::vector<T>;

static const program counter("counter", "__device__ int total;\n"
                                        "extern \"C\" __global__ void init(int start) { total = start; }\n"
                                        "template <int N> __global__ void add(int *out) { *out = total += N; }\n");

TEST(kernels_of_one_program_share_its_variables) {
    context gpu = context::open();
    const auto out = gpu.buffer<int>(1);
    const auto kernels = gpu.kernels(counter, {"init", "add<4>"});
    kernels[0].launch(1, 1, 7);
    kernels[1].launch(1, 1, out);
    CHECK(kernels.size() == 2 && out.read() == list<int>({11}));
    const auto [init, add] = gpu.kernels<void(int), void(int *)>(counter, {"init", "add<4>"});
    add.launch(1, 1, out);
    CHECK(out.read() == list<int>({15}) && init.get() == kernels[0].get());
    CHECK(has(error_of([&] {
                  gpu.kernels<void(int), void(int)>(counter, {"init", "add<4>"});
              }).what(),
              "parameter 1 of the kernel"));
    CHECK(error_of([&] { gpu.kernels(counter, {"init", "init"}); }).status() == JR_ERROR_INVALID_ARGUMENT);
    CHECK(gpu.kernels(counter, list<std::string>()).empty());
}

TEST(an_image_names_its_kernels) {
    context gpu = context::open();
    const program two("two", "extern \"C\" __global__ void one(int *out) { *out = 1; }\n"
                             "extern \"C\" __global__ void two(int *out) { *out = 2; }\n");
    const auto image = gpu.link({two});
    CHECK(image.kernels() == list<std::string>({"one", "two"}));
    const auto kernels = gpu.kernels(image);
    const auto out = gpu.buffer<int>(1);
    kernels[1].launch(1, 1, out);
    CHECK(kernels.size() == 2 && out.read() == list<int>({2}));
}

TEST(programs_and_ptx_are_linked) {
    context gpu = context::open();
    const program kernels("kernels.cu", "extern __device__ float weight(float x);\n"
                                        "extern \"C\" __global__ void apply(float *x) { *x = weight(*x); }\n");
    const auto weight = [](const char *value) {
        return program("weight.cu", "__device__ float weight(float x) { return x * FACTOR; }\n")
            .define("FACTOR", value);
    };
    const auto x = gpu.upload(list<float>{3});
    gpu.kernel<void(float *)>(gpu.link({kernels, weight("2")})).launch(1, 1, x);
    CHECK(x.read() == list<float>({6}));
    const char *ptx = ".version 7.0\n.target sm_52\n.address_size 64\n"
                      ".visible .func (.param .b32 out) _Z6weightf(.param .b32 in) {\n"
                      "    .reg .f32 %f<2>;\n    ld.param.f32 %f0, [in];\n    mul.f32 %f1, %f0, 0f40A00000;\n"
                      "    st.param.f32 [out], %f1;\n    ret;\n}\n";
    gpu.kernel(gpu.link({kernels, link_input("weight.ptx", ptx)}, "apply")).launch(1, 1, x);
    CHECK(x.read() == list<float>({30}));
    const std::string text = ptx;
    CHECK(gpu.link({kernels, link_input("weight.ptx", text)}).kernels() == list<std::string>({"apply"}));
    CHECK(has(error_of([&] { gpu.link({kernels}); }).what(), "weight"));
    CHECK(error_of([&] { gpu.link({}); }).status() == JR_ERROR_INVALID_ARGUMENT);
    auto quiet = jitreduce::nothrow::context::open().value();
    CHECK(!quiet.link({kernels}) && quiet.link({kernels, weight("2")}));
}

/* A file of a folder of its own. */
struct file {
    file() {
        char folder[] = "/tmp/jitreduce_watch_XXXXXX";
        if (mkdtemp(folder) == nullptr) throw std::logic_error("no folder");
        directory = folder;
        path = directory + "/store.cu";
    }
    ~file() {
        std::remove(path.c_str());
        rmdir(directory.c_str());
    }
    void write(const std::string &parameters, const std::string &value) const {
        const std::string next = directory + "/next";
        std::ofstream(next) << "extern \"C\" __global__ void store(" + parameters + ") { *out = " + value + "; }\n";
        std::rename(next.c_str(), path.c_str());
    }
    std::string directory, path;
};

TEST(a_kernel_follows_its_file) {
    context gpu = context::open();
    const auto out = gpu.buffer<int>(1);
    const file text;
    text.write("int *out", "MORE + 1");
    auto watch = gpu.watch<void(int *)>(text.path.c_str(), program().define("MORE", 40));
    watch.kernel().launch(1, 1, out);
    CHECK(out.read() == list<int>({41}));
    text.write("int *out", "MORE + 2");
    watch.kernel(60000).launch(1, 1, out);
    CHECK(out.read() == list<int>({42}));
    text.write("int *out, int more", "more");
    CHECK(has(error_of([&] { watch.kernel(60000); }).what(), "has 2 parameters, its signature here 1"));
    CHECK(error_of([&] { gpu.watch("/nowhere/store.cu"); }).status() == JR_ERROR_FILE);
}

RUN_TESTS
