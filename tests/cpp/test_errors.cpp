/* Errors: as exceptions and as results, with the status and the message of the library. */
#include "check.hpp"

#include <type_traits>

using jitreduce::context;
namespace nothrow = jitreduce::nothrow;

static_assert(std::is_base_of_v<std::runtime_error, jitreduce::error>);
static_assert(std::is_same_v<decltype(std::declval<context &>().reduce<JR_OP_SUM>(std::vector<float>())), float>);
static_assert(std::is_same_v<decltype(std::declval<nothrow::context &>().reduce<JR_OP_SUM>(std::vector<float>())),
                             jitreduce::result<float>>);
static_assert(std::is_same_v<decltype(std::declval<nothrow::context &>().wait()), jitreduce::result<void>>);

static const std::vector<float> empty;

/* Everything of jr_last_error() is in the error. */
static void is_last(const jitreduce::error &why) {
    const jr_error *last = jr_last_error();
    CHECK(why.status() == last->status && std::string(why.what()) == last->message);
    CHECK(std::string(why.stage()) == last->stage && std::string(why.log()) == last->log);
    CHECK(std::string(why.driver_name()) == last->driver_name);
}

TEST(an_exception_has_the_status_and_the_message_of_the_library) {
    context gpu = context::open();
    const jitreduce::error why = error_of([&] { gpu.reduce<JR_OP_MIN>(empty); });
    is_last(why);
    CHECK(why.status() == JR_ERROR_EMPTY_INPUT && has(why.what(), "min of no elements"));
}

TEST(an_exception_is_caught_as_a_standard_one) {
    context gpu = context::open();
    std::string text;
    try {
        gpu.reduce<JR_OP_MAX>(empty);
    } catch (const std::runtime_error &why) {
        text = why.what();
    }
    CHECK(has(text, "max of no elements"));
}

TEST(an_error_keeps_its_text_after_later_errors) {
    context gpu = context::open();
    const jitreduce::error why = error_of([&] { gpu.reduce<JR_OP_MIN>(empty); });
    error_of([&] { gpu.reduce<JR_OP_ARGMAX>(empty); });
    CHECK(has(why.what(), "min of no elements"));
}

TEST(the_log_shows_the_expression_and_a_caret) {
    context gpu = context::open();
    const auto spec = jitreduce::spec<float, JR_OP_SUM>().where("x > limitt");
    const jitreduce::error why = error_of([&] { gpu.reduce(spec, std::vector<float>{1}); });
    CHECK(why.status() == JR_ERROR_INVALID_EXPRESSION && has(why.log(), "x > limitt") && has(why.log(), "^"));
    is_last(why);
}

TEST(opening_an_unknown_device_fails) {
    const jitreduce::error why = error_of([] { context::open("nothing"); });
    CHECK(why.status() == JR_ERROR_INVALID_ARGUMENT && has(why.what(), "nothing"));
    is_last(why);
}

TEST(a_result_has_a_value_or_the_error) {
    auto gpu = nothrow::context::open();
    CHECK(gpu && gpu.has_value());
    const auto right = gpu->reduce<JR_OP_SUM>(std::vector<float>{1, 2});
    CHECK(right && *right == 3);
    const auto wrong = gpu->reduce<JR_OP_MIN>(empty);
    CHECK(!wrong && wrong.error().status() == JR_ERROR_EMPTY_INPUT);
    is_last(wrong.error());
    CHECK(gpu->reduce<JR_OP_MIN>(empty).value_or(7.0F) == 7 &&
          gpu->reduce<JR_OP_MIN>(std::vector<float>{2}).value_or(7) == 2);
}

TEST(a_result_without_a_value_says_whether_it_worked) {
    auto gpu = nothrow::context::open();
    std::vector<float> out(2);
    const auto right = gpu->scan<JR_OP_SUM>(std::vector<float>{1, 2}, out);
    CHECK(right && right.has_value() && out[1] == 3);
    std::vector<float> small(1);
    const auto wrong = gpu->scan<JR_OP_SUM>(std::vector<float>{1, 2}, small);
    CHECK(!wrong && wrong.error().status() == JR_ERROR_INVALID_ARGUMENT);
    CHECK(has(wrong.error().what(), "room for 1 results: this work has 2"));
}

TEST(the_value_of_a_failed_result_throws_its_error) {
    const jitreduce::error why = error_of([] { nothrow::context::open("nothing").value(); });
    CHECK(why.status() == JR_ERROR_INVALID_ARGUMENT && has(why.what(), "nothing"));
    auto gpu = nothrow::context::open().value();
    CHECK(gpu.reduce<JR_OP_SUM>(std::vector<float>{1, 2}).value() == 3);
    gpu.wait().value();
}

TEST(objects_of_a_context_report_errors_as_the_context_does) {
    auto gpu = nothrow::context::open().value();
    auto numbers = gpu.upload(std::vector<float>{1, 2, 3}).value();
    const auto wrong = numbers.write(std::vector<float>{1});
    CHECK(!wrong && has(wrong.error().what(), "the array has 1 elements, and the buffer 3"));
    auto plan = gpu.plan(jitreduce::spec<float, JR_OP_SUM>()).value();
    CHECK(*plan.value(plan.on(numbers)) == 6);
    CHECK(!plan.parameter("none", 1) && gpu.stream().value().done().value());
}

TEST(arrays_of_different_lengths_are_refused) {
    context gpu = context::open();
    const jitreduce::error why = error_of([&] {
        gpu.reduce<JR_OP_DOT>(std::vector<float>{1, 2}, std::vector<float>{1});
    });
    CHECK(why.status() == JR_ERROR_INVALID_ARGUMENT && has(why.what(), "have 1 and 2 elements"));
}

TEST(an_array_beyond_64_bits_is_refused) {
    context gpu = context::open();
    error_of([&] { gpu.buffer<double>(std::size_t{1} << 61); });
    error_of([&] { gpu.pinned<double>(std::size_t{1} << 61); });
}

RUN_TESTS
