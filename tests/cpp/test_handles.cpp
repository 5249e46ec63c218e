/* Handles: they move, destroy once, and own nothing after they were moved from. */
#include "check.hpp"

#include <thread>
#include <type_traits>
#include <utility>

using jitreduce::context;

static_assert(!std::is_copy_constructible_v<context> && !std::is_copy_assignable_v<context>);
static_assert(std::is_nothrow_move_constructible_v<context> && std::is_nothrow_move_assignable_v<context>);
static_assert(std::is_nothrow_move_constructible_v<jitreduce::buffer<float>>);
static_assert(std::is_nothrow_move_constructible_v<jitreduce::stream>);
static_assert(sizeof(context) == 2 * sizeof(void *));

/* A stand-in of a C object that counts how often it is destroyed. */
struct counted {
    int destroyed = 0;
};
static void destroy(counted *object) {
    if (object != nullptr) object->destroyed++;
}
static jr_status destroy_in(jr_context *, counted *object) {
    object->destroyed++;
    return JR_ERROR_DRIVER;
}
using owner = jitreduce::handle<counted *, destroy>;
using owner_in_context = jitreduce::handle<counted *, destroy_in>;

TEST(a_handle_destroys_its_object_once) {
    counted object;
    { const owner only(&object); }
    CHECK(object.destroyed == 1);
    { const owner_in_context only(&object); }
    CHECK(object.destroyed == 2);
}

TEST(a_moved_handle_destroys_its_object_once) {
    counted object;
    {
        owner first(&object);
        owner second(std::move(first));
        CHECK(first.get() == nullptr && !first && second.get() == &object && second);
        owner third;
        third = std::move(second);
        CHECK(second.get() == nullptr && third.get() == &object && object.destroyed == 0);
    }
    CHECK(object.destroyed == 1);
}

TEST(assigning_destroys_what_was_owned_before) {
    counted old, next;
    {
        owner kept(&old);
        kept = owner(&next);
        CHECK(old.destroyed == 1 && next.destroyed == 0);
    }
    CHECK(old.destroyed == 1 && next.destroyed == 1);
}

TEST(a_handle_may_be_moved_to_itself) {
    counted object;
    {
        owner kept(&object);
        owner &same = kept;
        kept = std::move(same);
        CHECK(kept.get() == &object && object.destroyed == 0);
    }
    CHECK(object.destroyed == 1);
}

TEST(reset_destroys_and_release_does_not) {
    counted object;
    owner kept(&object);
    kept.reset();
    kept.reset();
    CHECK(object.destroyed == 1 && !kept);
    owner given(&object);
    CHECK(given.release() == &object);
    given.reset();
    CHECK(object.destroyed == 1);
}

TEST(a_context_that_was_moved_from_is_refused) {
    context first = context::open();
    context second = std::move(first);
    const std::vector<float> data = {1, 2};
    const jitreduce::error why = error_of([&] { first.reduce<JR_OP_SUM>(data); });
    CHECK(why.status() == JR_ERROR_INVALID_ARGUMENT && has(why.what(), "context"));
    CHECK(second.reduce<JR_OP_SUM>(data) == 3);
    CHECK(error_of([&] { first.upload(data); }).status() == JR_ERROR_INVALID_ARGUMENT);
    CHECK(error_of([&] { first.stream(); }).status() == JR_ERROR_INVALID_ARGUMENT);
}

TEST(a_plan_that_was_moved_from_is_refused) {
    context gpu = context::open();
    auto numbers = gpu.upload(std::vector<float>{1, 2, 3});
    auto first = gpu.plan(jitreduce::spec<float, JR_OP_SUM>());
    auto second = std::move(first);
    const jitreduce::error why = error_of([&] { first.value(first.on(numbers)); });
    CHECK(why.status() == JR_ERROR_INVALID_ARGUMENT && has(why.what(), "plan"));
    CHECK(second.value(second.on(numbers)) == 6);
}

TEST(a_stream_that_was_moved_from_is_not_the_default_stream) {
    context gpu = context::open();
    auto numbers = gpu.upload(std::vector<float>{1, 2, 3});
    auto plan = gpu.plan(jitreduce::spec<float, JR_OP_SUM>());
    auto first = gpu.stream();
    auto second = std::move(first);
    const jitreduce::error why = error_of([&] { plan.value(plan.on(numbers), first); });
    CHECK(why.status() == JR_ERROR_INVALID_ARGUMENT && has(why.what(), "stream was moved from"));
    CHECK(error_of([&] { first.wait(); }).status() == JR_ERROR_INVALID_ARGUMENT);
    CHECK(plan.value(plan.on(numbers), second) == 6);
    CHECK(plan.value(plan.on(numbers)) == 6);
}

TEST(a_buffer_that_was_moved_from_is_empty) {
    context gpu = context::open();
    auto first = gpu.upload(std::vector<int>{1, 2, 3});
    auto second = std::move(first);
    CHECK(first.size() == 0 && first.data() == nullptr && second.size() == 3);
    CHECK(second.read() == std::vector<int>({1, 2, 3}));
    CHECK(error_of([&] { first.write(std::vector<int>{1, 2, 3}); }).status() == JR_ERROR_INVALID_ARGUMENT);
}

TEST(handles_live_in_containers) {
    context gpu = context::open();
    std::vector<jitreduce::buffer<int>> buffers;
    for (int i = 0; i < 9; i++) buffers.push_back(gpu.upload(std::vector<int>{i, i}));
    buffers.erase(buffers.begin(), buffers.begin() + 4);
    CHECK(buffers.size() == 5 && buffers[0].read() == std::vector<int>({4, 4}));
    CHECK(buffers[4].read() == std::vector<int>({8, 8}));
}

TEST(threads_share_a_context) {
    context gpu = context::open();
    int wrong[8] = {};
    std::vector<std::thread> threads;
    for (int t = 0; t < 8; t++)
        threads.emplace_back([&gpu, &wrong, t] {
            const std::vector<int> data = {t, 1, 2};
            for (int i = 0; i < 20; i++) wrong[t] += gpu.reduce<JR_OP_SUM>(data) != t + 3;
        });
    for (std::thread &thread : threads) thread.join();
    for (const int count : wrong) CHECK(count == 0);
}

TEST(each_thread_has_its_own_error) {
    context gpu = context::open();
    std::string texts[2];
    std::vector<std::thread> threads;
    for (int t = 0; t < 2; t++)
        threads.emplace_back([&gpu, &texts, t] {
            const auto spec = jitreduce::spec<float, JR_OP_SUM>().where(t == 0 ? "x > zero" : "x > one");
            for (int i = 0; i < 20; i++) texts[t] = error_of([&] { gpu.reduce(spec, std::vector<float>{1}); }).log();
        });
    for (std::thread &thread : threads) thread.join();
    CHECK(has(texts[0], "zero") && !has(texts[0], "one") && has(texts[1], "one") && !has(texts[1], "zero"));
}

RUN_TESTS
