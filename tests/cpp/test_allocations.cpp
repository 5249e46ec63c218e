/* The header costs no memory: a reduction through it allocates as often as through C. */
#include "check.hpp"

#include <atomic>
#include <cstdlib>

/* Every malloc of the process is counted, the library's too. */
static std::atomic<long> allocations;
extern "C" {
void *__libc_malloc(std::size_t);
void *__libc_calloc(std::size_t, std::size_t);
void *__libc_realloc(void *, std::size_t);
void *malloc(std::size_t bytes) {
    allocations++;
    return __libc_malloc(bytes);
}
void *calloc(std::size_t count, std::size_t bytes) {
    allocations++;
    return __libc_calloc(count, bytes);
}
void *realloc(void *old, std::size_t bytes) {
    allocations++;
    return __libc_realloc(old, bytes);
}
}

/* How often memory was allocated in the last of several calls. */
template <class Call> static long allocated_by(Call call) {
    long before = 0;
    for (int i = 0; i < 4; i++) {
        before = allocations;
        call();
    }
    return allocations - before;
}

TEST(mallocs_are_counted) {
    CHECK(allocated_by([] { std::free(std::malloc(1)); }) > 0);
    CHECK(allocated_by([] { std::vector<int>(100).front() = 1; }) > 0);
}

TEST(a_sum_of_host_memory_allocates_as_often_as_through_c) {
    auto gpu = jitreduce::context::open();
    const std::vector<float> data(1000, 1);
    jr_spec c = JR_INIT(jr_spec);
    c.op = JR_OP_SUM;
    c.type = JR_F32;
    jr_value value;
    float sum = 0;
    const long through_c = allocated_by([&] { jr_reduce_host(gpu.get(), &c, data.data(), data.size(), &value); });
    const long through_cpp = allocated_by([&] { sum = gpu.reduce<JR_OP_SUM>(data); });
    CHECK(sum == 1000 && value.as.f32 == 1000 && through_cpp == through_c);
    auto tested = jitreduce::nothrow::context::open().value();
    CHECK(allocated_by([&] { sum = *tested.reduce<JR_OP_SUM>(data); }) == through_c);
}

TEST(runs_of_a_plan_allocate_as_often_as_through_c) {
    auto gpu = jitreduce::context::open();
    const auto numbers = gpu.upload(std::vector<float>(1000, 1));
    const auto out = gpu.buffer<float>(1);
    auto plan = gpu.plan(jitreduce::spec<float, JR_OP_SUM>());
    const void *in[] = {numbers.data()};
    jr_work_data run = JR_INIT(jr_work_data);
    jr_value value;
    run.in = in;
    run.count = 1000;
    run.out = out.data();
    const auto run_c = [&] {
        jr_work_plan_run(plan.get(), &run, nullptr, nullptr);
        gpu.wait(); /* the simulator works in a thread of its own */
    };
    const long run_in_c = allocated_by(run_c);
    const long value_in_c = allocated_by([&] { jr_plan_value(plan.get(), in, 1000, nullptr, &value); });
    const auto run_cpp = [&] {
        plan.run(plan.on(numbers).out(out));
        gpu.wait();
    };
    CHECK(allocated_by(run_cpp) == run_in_c);
    CHECK(allocated_by([&] { plan.value(plan.on(numbers)); }) == value_in_c);
}

RUN_TESTS
