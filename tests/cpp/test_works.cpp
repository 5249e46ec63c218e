/* Works on host memory and as plans: scans, layouts, states, streams, events and graphs. */
#include "check.hpp"

#include <numeric>
#include <tuple>

using jitreduce::context;
using jitreduce::spec;
using jitreduce::work;
template <class T> using list = std::vector<T>;

static const list<float> x = {3, 1, 4, 1, 5, 9, 2, 6};
static const auto sums = work(spec<float, JR_OP_SUM>());

TEST(scans_write_running_results) {
    context gpu = context::open();
    list<float> out(8);
    gpu.run(sums.scan().on(x).out(out));
    CHECK(out == list<float>({3, 4, 8, 9, 14, 23, 25, 31}));
    gpu.run(sums.scan_exclusive().on(x).out(out));
    CHECK(out == list<float>({0, 3, 4, 8, 9, 14, 23, 25}));
    gpu.scan<JR_OP_MAX>(x, out);
    CHECK(out == list<float>({3, 3, 4, 4, 5, 9, 9, 9}));
}

TEST(rows_columns_and_axes_have_a_result_each) {
    context gpu = context::open();
    list<float> two(2), four(4);
    gpu.run(sums.rows(4).on(x).out(two));
    CHECK(two == list<float>({9, 22}));
    gpu.run(sums.columns(2, 4).on(x).out(four));
    CHECK(four == list<float>({8, 10, 6, 7}));
    gpu.run(sums.axis({2, 4}, {0}).on(x).out(four));
    CHECK(four == list<float>({8, 10, 6, 7}));
    gpu.run(sums.axis({2, 2, 2}, {0, -1}).on(x).out(two));
    CHECK(two == list<float>({18, 13}));
    gpu.run(sums.rows(4).scan().on(x).out(four = list<float>(8)));
    CHECK(four == list<float>({3, 4, 8, 9, 5, 14, 16, 22}));
}

TEST(rows_without_elements_are_as_many_as_results) {
    context gpu = context::open();
    list<float> out(3, 7);
    gpu.run(sums.rows(0).on(list<float>()).out(out));
    CHECK(out == list<float>({0, 0, 0}));
}

TEST(offsets_and_keys_divide_the_elements) {
    context gpu = context::open();
    const list<std::uint64_t> offsets = {0, 3, 3, 8};
    list<float> out(8);
    gpu.run(sums.offsets().on(x).offsets(offsets).out(out));
    CHECK(out[0] == 8 && out[1] == 0 && out[2] == 23);
    const list<int> keys = {1, 1, 2, 2, 2, 1, 1, 1};
    std::uint64_t count = 0;
    gpu.run(sums.keys<int>().on(x).keys(keys).out(out).run_count(&count));
    CHECK(count == 3 && out[0] == 4 && out[1] == 10 && out[2] == 17);
    gpu.run(sums.keys<int>().scan().on(x).keys(keys).out(out));
    CHECK(out == list<float>({3, 4, 4, 5, 10, 9, 11, 17}));
}

TEST(too_little_room_is_refused_before_anything_is_written) {
    context gpu = context::open();
    list<float> one(1, 7);
    CHECK(has(error_of([&] { gpu.run(sums.rows(4).on(x).out(one)); }).what(), "room for 1 results: this work has 2"));
    CHECK(has(error_of([&] { gpu.run(sums.axis({2, 4}, {0}).on(x).out(one)); }).what(), "this work has 4"));
    CHECK(has(error_of([&] { gpu.run(sums.scan().on(x).out(one)); }).what(), "this work has 8"));
    const list<std::uint64_t> offsets = {0, 3, 8};
    CHECK(has(error_of([&] { gpu.run(sums.offsets().on(x).offsets(offsets).out(one)); }).what(), "this work has 2"));
    const list<int> keys(3);
    list<float> out(8);
    CHECK(has(error_of([&] { gpu.run(sums.keys<int>().on(x).keys(keys).out(out)); }).what(), "have 3 and 8 elements"));
    CHECK(one[0] == 7);
}

TEST(several_results_are_records) {
    context gpu = context::open();
    const auto both = spec<float, JR_OP_SUM, JR_OP_ARGMAX>();
    list<jitreduce::record<float, std::int64_t>> out(2);
    gpu.run(work(both).rows(4).on(x).out(out));
    CHECK(out[0].get<0>() == 9 && out[0].get<1>() == 2 && out[1].get<0>() == 22 && out[1].get<1>() == 1);
    const auto [sum, last, kept] = gpu.reduce(both.kept().where("x > 2"), x);
    CHECK(sum == 27 && last == 5 && kept == 5);
}

TEST(arrays_along_axes_may_have_strides) {
    context gpu = context::open();
    list<float> two(2), four(4);
    const auto every_other = sums.axis({2, 2}, {1}).strides({4, 2});
    gpu.run(every_other.on(x).out(two));
    CHECK(two == list<float>({7, 7}));
    gpu.run(every_other.scan().on(x).out(four));
    CHECK(four == list<float>({3, 7, 5, 7}));
    const auto in = gpu.upload(x);
    const auto out = gpu.buffer<float>(4);
    auto backwards = gpu.plan(sums.axis({2, 2}, {1}).strides({-4, 2}).scan_exclusive());
    backwards.run(backwards.on(in.on_device().part(4, 4)).out(out));
    CHECK(out.read() == list<float>({0, 5, 0, 3}));
    const auto products = work(spec<jitreduce::inputs<float, float>, JR_OP_SUM>().map<float>("x * y"));
    auto repeated = gpu.plan(products.axis({2, 2}, {-1}).strides({4, 2}, {0, 1})); /* of y the same two again */
    repeated.run(repeated.on(in, in.on_device().part(0, 2)).out(out.on_device().part(0, 2)));
    CHECK(out.read()[0] == 13 && out.read()[1] == 17);
    CHECK(has(error_of([&] {
                  gpu.run(sums.axis({2, 2}, {1}).strides({4, 4}).on(x).out(two));
              }).what(),
              "strides of array 0: they reach beyond its 8 elements"));
    CHECK(has(error_of([&] {
                  gpu.run(sums.axis({2, 2}, {1}).strides({4}).on(x).out(two));
              }).what(),
              "1 numbers for 2 dimensions"));
    CHECK(has(error_of([&] { gpu.run(every_other.on(x).out(list<float>(1))); }).what(), "this work has 2"));
}

TEST(rows_are_reduced_and_applied) {
    context gpu = context::open();
    list<float> out(8);
    const auto shares = sums.rows(4).apply<float>("x / r");
    gpu.run(shares.on(x).out(out));
    CHECK(out[1] == 1.0F / 9 && out[7] == 6.0F / 22);
    const auto in = gpu.upload(x);
    const auto ranges = gpu.buffer<double>(8);
    auto plan = gpu.plan(work(spec<float, JR_OP_MIN, JR_OP_MAX>()).axis({2, 4}, {1}).apply<double>("x - r0 + r1"));
    plan.run(plan.on(in).out(ranges));
    CHECK(ranges.read() == list<double>({6, 4, 7, 4, 12, 16, 9, 13}));
    const auto weighted = work(spec<jitreduce::inputs<float, float>, JR_OP_SUM>().map<float>("x")).rows(4);
    gpu.run(weighted.apply<float>("y * r", 2).on(x, list<float>{1, 2, 3, 4}).out(out));
    CHECK(out == list<float>({9, 18, 27, 36, 22, 44, 66, 88}));
    CHECK(has(error_of([&] { gpu.run(shares.on(x).out(list<float>(7))); }).what(), "this work has 8"));
}

TEST(many_arrays_have_results_of_each_and_of_all) {
    context gpu = context::open();
    list<double> first = {3, 0}, found(3);
    list<float> second = {4};
    const auto norms = work(spec<double, JR_OP_NORM2>());
    const auto of_host = norms.many({jitreduce::array_of(first), jitreduce::array_of(second)});
    gpu.run(of_host.on().out(found));
    CHECK(found == list<double>({3, 4, 5}));
    gpu.run(of_host.apply<double>("x * 2 / all").on());
    CHECK(first == list<double>({1.2, 0}) && second == list<float>({1.6F}));
    const auto d_first = gpu.upload(first);
    const auto d_second = gpu.upload(second);
    const auto d_found = gpu.buffer<double>(3);
    const auto halves =
        norms.many({jitreduce::array_of(d_first), jitreduce::array_of(d_second)}).apply<double>("x / 2");
    auto plan = gpu.plan(halves);
    plan.run(plan.on().out(d_found));
    CHECK(d_found.read()[0] == 1.2 && d_first.read() == list<double>({0.6, 0}) &&
          d_second.read() == list<float>({0.8F}));
    CHECK(has(error_of([&] { gpu.run(of_host.on().out(list<double>(2))); }).what(), "this work has 3"));
}

TEST(too_many_dimensions_are_the_librarys_error) {
    context gpu = context::open();
    const auto many = sums.axis({1, 1, 1, 1, 1, 1, 1, 1, 8}, {8});
    list<float> out(8);
    CHECK(error_of([&] { gpu.run(many.on(x).out(out)); }).status() == JR_ERROR_INVALID_ARGUMENT);
}

TEST(plans_run_in_streams) {
    context gpu = context::open();
    const auto in = gpu.upload(x);
    const auto out = gpu.buffer<float>(8);
    auto stream = gpu.stream(JR_STREAM_NON_BLOCKING);
    auto scan = gpu.plan(sums.scan());
    scan.run(scan.on(in).out(out), stream);
    stream.wait();
    CHECK(stream.done() && out.read() == list<float>({3, 4, 8, 9, 14, 23, 25, 31}));
    auto sum = gpu.plan(spec<float, JR_OP_SUM>().where("x > limit").parameter("limit", 2.0F));
    CHECK(sum.value(sum.on(in), stream) == 27);
    sum.parameter("limit", 4.0F);
    CHECK(sum.value(sum.on(in), stream.get()) == 20);
    CHECK(sum.value(sum.on(jitreduce::device_span<const float>(in.data() + 5, 3))) == 15);
    CHECK(sum.value(sum.on(in.on_device().part(4, 2))) == 14);
}

TEST(plans_of_several_arrays_and_operators) {
    context gpu = context::open();
    const auto a = gpu.upload(x), b = gpu.upload(list<float>(8, 2));
    auto dot = gpu.plan(spec<float, JR_OP_DOT>());
    CHECK(dot.value(dot.on(a, b)) == 62);
    auto ends = gpu.plan(spec<float, JR_OP_MIN, JR_OP_MAX>());
    CHECK(ends.value(ends.on(a)) == std::make_tuple(1.0F, 9.0F));
    CHECK(error_of([&] { dot.value(dot.on(a, b.on_device().part(0, 3))); }).status() == JR_ERROR_INVALID_ARGUMENT);
}

TEST(streams_have_workspaces_of_their_own) {
    context gpu = context::open();
    const auto in = gpu.upload(list<float>(5000, 1));
    const auto out = gpu.buffer<float>(2);
    auto plan = gpu.plan(spec<float, JR_OP_SUM>());
    const auto first = gpu.stream(), second = gpu.stream();
    const auto room = plan.workspace(first), other = plan.workspace(second);
    plan.run(plan.on(in).out(out.on_device().part(0, 1)), first, room);
    plan.run(plan.on(in).out(out.on_device().part(1, 1)), second, other);
    gpu.wait();
    CHECK(out.read() == list<float>({5000, 5000}));
}

TEST(states_of_parts_are_merged) {
    context gpu = context::open();
    const auto in = gpu.upload(x);
    const auto mean = work(spec<float, JR_OP_MEAN>());
    auto state = gpu.plan(mean.state());
    auto merge = gpu.plan(mean.merge());
    const auto left = gpu.buffer<unsigned char>(state.result_bytes());
    list<unsigned char> both;
    for (const std::size_t first : {std::size_t{0}, std::size_t{3}}) {
        const auto part = in.on_device().part(first, first == 0 ? 3 : 5);
        state.run(state.on(part).out(left).first(first));
        for (const unsigned char byte : left.read()) both.push_back(byte);
    }
    const auto states = gpu.upload(both);
    const auto out = gpu.buffer<float>(1);
    merge.run(merge.on(states).states(2, 8).out(out));
    CHECK(out.read() == list<float>({31.0F / 8}));
}

TEST(events_order_streams_and_take_times) {
    context gpu = context::open();
    const auto out = gpu.buffer<float>(1), in = gpu.upload(x);
    auto plan = gpu.plan(spec<float, JR_OP_SUM>());
    const auto first = gpu.stream(), second = gpu.stream();
    const auto begin = gpu.event(), end = gpu.event();
    first.record(begin);
    plan.run(plan.on(in).out(out), first);
    first.record(end);
    second.wait_for(end);
    second.wait();
    end.wait();
    CHECK(end.done() && out.read() == list<float>({31}) && end.since(begin) >= 0);
}

TEST(a_captured_run_is_launched_again) {
    context gpu = context::open();
    const auto in = gpu.upload(x), out = gpu.upload(list<float>(1));
    auto plan = gpu.plan(spec<float, JR_OP_SUM>());
    const auto stream = gpu.stream();
    plan.run(plan.on(in).out(out), stream);
    stream.begin_capture();
    plan.run(plan.on(in).out(out), stream);
    const jitreduce::graph graph = stream.end_capture();
    in.write(list<float>(8, 1));
    stream.launch(graph);
    stream.wait();
    CHECK(out.read() == list<float>({8}));
}

TEST(copies_go_through_pinned_memory_in_a_stream) {
    context gpu = context::open();
    auto host = gpu.pinned<float>(8), back = gpu.pinned<float>(8);
    const auto device = gpu.buffer<float>(8);
    const auto stream = gpu.stream();
    std::iota(host.begin(), host.end(), 1.0F);
    device.write(host, stream);
    device.read(back, stream);
    stream.wait();
    CHECK(back[7] == 8 && gpu.reduce<JR_OP_SUM>(back) == 36);
    device.clear(stream);
    device.read(back, stream);
    stream.wait();
    CHECK(back[7] == 0);
}

TEST(the_context_describes_itself) {
    context gpu = context::open();
    gpu.reduce<JR_OP_SUM>(x);
    CHECK(gpu.device_info().warp_size == 32 && gpu.stats().launches >= 1);
    CHECK(gpu.counters().memory_hits + gpu.counters().disk_hits + gpu.counters().compiles > 0);
    CHECK(gpu.plan(spec<float, JR_OP_SUM>().unroll(4)).stats().unroll == 4);
}

RUN_TESTS
