/* States, packs, groups and tunings. */
#include "check.hpp"

#include <cmath>
#include <cstdlib>
#include <unistd.h>

using jitreduce::context;
using jitreduce::spec;
using jitreduce::work;
template <class T> using list = std::vector<T>;

TEST(exact_sums_are_kept_added_and_stored) {
    context gpu = context::open();
    const auto exact = spec<double, JR_OP_SUM>().accuracy(JR_ACCURACY_EXACT);
    auto first = gpu.state(exact), second = gpu.state(exact), third = gpu.state(exact);
    first.fold(list<double>{1e308, 3});
    second.fold_from(2, list<double>{-1e308, 4});
    first.add(second);
    CHECK(first.value() == 7 && first.elements() == 4 && second.elements() == 2);
    third.add(first.bytes());
    CHECK(third.value() == 7 && third.bytes() == first.bytes());
    CHECK(error_of([&] { third.add(list<std::byte>(100)); }).status() == JR_ERROR_STATE);
    CHECK(error_of([&] { gpu.state(exact).add(gpu.state(spec<double, JR_OP_SUM>()).bytes()); }).status() ==
          JR_ERROR_STATE);
}

TEST(states_of_any_operator_go_on_where_they_were) {
    context gpu = context::open();
    const auto both = spec<float, JR_OP_MAX, JR_OP_ARGMAX>();
    auto days = gpu.state(both), later = gpu.state(both), nothing = gpu.state(both);
    days.fold(list<float>{1, 3});
    days.fold(list<float>{2, 7, 5});
    later.add(days.bytes());
    later.fold(list<float>{4});
    later.add(nothing);
    CHECK(std::get<0>(later.value()) == 7 && std::get<1>(later.value()) == 3 && later.elements() == 6);
    CHECK(error_of([&] { nothing.value(); }).status() == JR_ERROR_EMPTY_INPUT);
}

TEST(packs_hold_kernels_of_programs_specs_and_works) {
    const std::string path = "/tmp/jitreduce_cpp_" + std::to_string(getpid()) + ".jrpack";
    auto pack = jitreduce::pack::create({"sim"}, true);
    pack.add(jitreduce::program("one", "extern \"C\" __global__ void one(int *o) { *o = 1; }"));
    const auto sums = spec<float, JR_OP_SUM>().capacity(1000);
    pack.add(sums);
    pack.add(work(sums).scan());
    pack.write(path.c_str());
    const jr_pack_info info = jitreduce::pack::look(path.c_str());
    std::remove(path.c_str());
    CHECK(info.image_count >= 3 && has(info.architectures, "compute_"));
    CHECK(error_of([&] { jitreduce::pack::look(path.c_str()); }).status() == JR_ERROR_FILE);
    CHECK(error_of([] { jitreduce::replay::open("/nowhere"); }).status() == JR_ERROR_FILE);
}

TEST(groups_reduce_host_memory) {
    auto group = jitreduce::group::open("sim:2");
    CHECK(group.size() == 2 && group.local_count() == 2 && group.first() == 0);
    const list<float> x = {3, 1, 4, 1, 5, 9, 2, 6};
    CHECK(group.reduce(spec<float, JR_OP_SUM>(), x) == 31);
    CHECK(group.reduce(spec<float, JR_OP_MIN, JR_OP_ARGMAX>(), x) == std::make_tuple(1.0F, std::int64_t{5}));
    list<float> out(8);
    group.run(work(spec<float, JR_OP_SUM>()).scan().on(x).out(out));
    CHECK(out[7] == 31);
}

TEST(groups_reduce_memory_of_their_devices) {
    auto group = jitreduce::group::open("sim:2");
    list<jitreduce::buffer<float>> x, y, out;
    for (std::size_t device = 0; device < 2; device++) {
        const auto value = static_cast<float>(device + 1);
        x.push_back(group.upload(device, list<float>{1, value}));
        y.push_back(group.upload(device, list<float>{value, 10}));
        out.push_back(group.upload(device, list<float>{0, 0}));
    }
    auto dot = group.plan(spec<float, JR_OP_DOT>());
    using arrays = decltype(dot)::arrays;
    CHECK(dot.value(arrays(x, y)) == 33);
    auto sum = group.plan(spec<float, JR_OP_SUM>().where("x > limit").parameter("limit", 0.0F));
    const decltype(sum)::arrays in(x);
    CHECK(sum.value(in) == 5);
    sum.parameter("limit", 1.0F);
    CHECK(sum.value(in) == 2);
    auto scan = group.plan(work(spec<float, JR_OP_SUM>()).scan());
    scan.scan(decltype(scan)::arrays(x), out);
    CHECK(out[0].read() == list<float>({1, 2}) && out[1].read() == list<float>({3, 5}));
    auto everywhere = group.allreduce(spec<float, JR_OP_SUM>());
    everywhere.run(decltype(everywhere)::arrays(x), out);
    everywhere.wait();
    CHECK(out[0].read()[0] == 5 && out[1].read()[0] == 5);
}

TEST(a_groups_arrays_must_fit_its_devices) {
    auto group = jitreduce::group::open("sim:2");
    auto dot = group.plan(spec<float, JR_OP_DOT>());
    list<jitreduce::buffer<float>> x, y;
    for (std::size_t device = 0; device < 2; device++) x.push_back(group.upload(device, list<float>{1, 2}));
    y.push_back(group.upload(0, list<float>{1, 2}));
    using arrays = decltype(dot)::arrays;
    CHECK(error_of([&] { dot.value(arrays(x, y)); }).status() == JR_ERROR_INVALID_ARGUMENT);
    y.push_back(group.upload(1, list<float>{1}));
    CHECK(error_of([&] { dot.value(arrays(x, y)); }).status() == JR_ERROR_INVALID_ARGUMENT);
    CHECK(error_of([&] { group.upload(2, list<float>{1}); }).status() == JR_ERROR_INVALID_ARGUMENT);
}

TEST(tunings_are_found_and_not_stored_without_a_file) {
    context gpu = context::open();
    jr_tune_options options = JR_INIT(jr_tune_options);
    options.progress = [](void *, const jr_tune_progress *) { return 1; };
    const jr_tuned found = gpu.tune(spec<float, JR_OP_SUM>(), 1000, &options);
    CHECK(found.count == 1000 && found.complete == 0 && found.estimate.block > 0);
    CHECK(std::string(gpu.wisdom().path).empty() == (std::getenv("JITREDUCE_WISDOM") != nullptr));
}

/* Adds 1 to each of N numbers, UF of them in a thread. */
static jitreduce::tunable counting() {
    jitreduce::tunable made(jitreduce::program("count",
                                               "extern \"C\" __global__ void count(float *x, int n) {\n"
                                               "    for (int k = 0; k < UF; k++) {\n"
                                               "        const int i = (blockIdx.x * UF + k) * BLOCK + threadIdx.x;\n"
                                               "        if (i < n) x[i] += 1;\n"
                                               "    }\n"
                                               "}\n"));
    made.parameter("BLOCK", "32,64").parameter("UF", "1..2").restriction("BLOCK * UF <= 64").size("N");
    return made.grid("ceil(N / (BLOCK * UF))").block("BLOCK").preferred("BLOCK=32,UF=1");
}

TEST(a_tunable_is_chosen_launched_and_tuned) {
    context gpu = context::open();
    const auto x = gpu.upload(list<float>(100));
    const auto choice = gpu.choose(counting(), {100});
    choice.launch({}, x, 100);
    CHECK(x.read() == list<float>(100, 1) && has(choice.c().setting.text, "BLOCK=32,UF=1"));
    const jr_tunable_found found = gpu.tune(counting(), {100}, {jitreduce::tunable_output(x)}, nullptr, x, 100);
    CHECK(found.possible == 3 && found.complete == 1 && x.read() == list<float>(100, 1));
    CHECK(error_of([&] { gpu.store(counting(), {100}, found); }).status() == JR_ERROR_WISDOM);
    CHECK(has(error_of([&] { gpu.choose(counting(), {}); }).what(), "has 1 sizes, and 0 were given"));
    CHECK(error_of([&] { gpu.tune(counting(), {100}, {}, nullptr, x, 1.5); }).status() == JR_ERROR_UNSUPPORTED_TYPE);
}

RUN_TESTS
