/* Generated elements: the same ones on every machine, in their range, exact. */
#include <math.h>
#include <string.h>

#include "base/cli_error.h"
#include "input/generate.h"
#include "io/data.h"
#include "support/fixtures/check.h"

/* The known first outputs of splitmix64 with seed 1234567 (rosettacode.org/wiki/Pseudo-random_numbers/Splitmix64). */
TEST(random_bits_are_those_of_splitmix64) {
    assert_int_equal(cli_random_bits(1234567, 0), UINT64_C(6457827717110365317));
    assert_int_equal(cli_random_bits(1234567, 1), UINT64_C(3203168211198807973));
    assert_int_equal(cli_random_bits(1234567, 4), UINT64_C(16408922859458223821));
}

#define ASSERT_WITHIN(name, c_type, low, high)                                                                         \
    do {                                                                                                               \
        cli_options options = {.random = true, .count = UINT64_MAX, .generated_count = 20000, .spec.type = JR_##name}; \
        cli_data data = {0};                                                                                           \
        cli_error error = {.message = ""};                                                                             \
        c_type least = (high), greatest = (low);                                                                       \
        assert_int_equal(cli_generate(&options, &data, &error), CLI_OK);                                               \
        for (int i = 0; i < 20000; i++) {                                                                              \
            c_type element = ((const c_type *)data.elements)[i];                                                       \
            if (element < least) least = element;                                                                      \
            if (element > greatest) greatest = element;                                                                \
        }                                                                                                              \
        assert_true((double)least >= (double)(low) && greatest < (high));                                              \
        assert_true((double)greatest - (double)least > 0.99 * ((double)(high) - (double)(low)));                       \
        cli_data_free(&data);                                                                                          \
    } while (0)

TEST(random_elements_fill_their_range) {
    ASSERT_WITHIN(F32, float, -1.0f, 1.0f);
    ASSERT_WITHIN(F64, double, -1.0, 1.0);
    ASSERT_WITHIN(I32, int32_t, -(1 << 20), 1 << 20);
    ASSERT_WITHIN(I64, int64_t, -(1 << 20), 1 << 20);
    ASSERT_WITHIN(U32, uint32_t, 0u, 1u << 20);
    ASSERT_WITHIN(U64, uint64_t, 0u, 1u << 20);
}

TEST(another_seed_gives_other_elements) {
    cli_options options = {.random = true, .count = UINT64_MAX, .generated_count = 4, .spec.type = JR_F64};
    cli_data first = {0}, again = {0}, other = {0};
    cli_error error = {.message = ""};
    assert_int_equal(cli_generate(&options, &first, &error), CLI_OK);
    assert_int_equal(cli_generate(&options, &again, &error), CLI_OK);
    options.seed = 1;
    assert_int_equal(cli_generate(&options, &other, &error), CLI_OK);
    assert_memory_equal(first.elements, again.elements, 32);
    assert_memory_not_equal(first.elements, other.elements, 32);
    cli_data_free(&first);
    cli_data_free(&again);
    cli_data_free(&other);
}

TEST(iota_counts_from_zero_and_fits_its_type) {
    cli_options options = {.iota = true, .count = UINT64_MAX, .generated_count = 3, .spec.type = JR_F32};
    cli_data data = {0};
    cli_error error = {.message = ""};
    const float expected[] = {0, 1, 2};
    assert_int_equal(cli_generate(&options, &data, &error), CLI_OK);
    assert_memory_equal(data.elements, expected, sizeof expected);
    cli_data_free(&data);
}

TEST(iota_refuses_numbers_that_the_type_does_not_hold) {
    static const struct {
        jr_type type;
        uint64_t numbers;
        const char *message;
    } rows[] = {
        {JR_BOOL, 2, "--iota: bool does not hold 2 exactly: give 2 elements at most, or --type i64"},
        {JR_I8, 128, "--iota: i8 does not hold 128 exactly: give 128 elements at most, or --type i64"},
        {JR_U16, 65536, "--iota: u16 does not hold 65536 exactly: give 65536 elements at most, or --type i64"},
        {JR_F16, 2049, "--iota: f16 does not hold 2049 exactly: give 2049 elements at most, or --type i64"},
        {JR_BF16, 257, "--iota: bf16 does not hold 257 exactly: give 257 elements at most, or --type i64"},
        {JR_F32, 16777217, "--iota: f32 does not hold 16777217 exactly: give 16777217 elements at most, or --type i64"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        cli_options options = {
            .iota = true, .count = UINT64_MAX, .generated_count = rows[i].numbers + 1, .spec.type = rows[i].type};
        cli_data data = {0};
        cli_error error = {.message = ""};
        assert_int_equal(cli_generate(&options, &data, &error), CLI_FAILURE);
        assert_string_equal(error.message, rows[i].message);
        options.generated_count--;
        assert_int_equal(cli_generate(&options, &data, &error), CLI_OK);
        assert_int_equal(data.count, rows[i].numbers);
        cli_data_free(&data);
    }
    assert_int_equal(cli_whole_numbers(JR_I64), UINT64_C(1) << 63);
    assert_int_equal(cli_whole_numbers(JR_F64), (UINT64_C(1) << 53) + 1);
    assert_int_equal(cli_whole_numbers(JR_U64), 0);
}

/* The numbers that the bits of an f16 (bits = 10) or bf16 (7) stand for: of normal ones alone, and zero. */
static double half_value(uint16_t half, int fraction_bits, int bias) {
    const int exponent = (half & 0x7fff) >> fraction_bits, fraction = half & ((1 << fraction_bits) - 1);
    const double magnitude = exponent ? ldexp(1 << fraction_bits | fraction, exponent - bias - fraction_bits) : 0;
    return half & 0x8000 ? -magnitude : magnitude;
}

TEST(halves_are_steps_of_their_range) {
    for (int bf16 = 0; bf16 <= 1; bf16++) {
        cli_options options = {
            .random = true, .count = UINT64_MAX, .generated_count = 20000, .spec.type = bf16 ? JR_BF16 : JR_F16};
        cli_data data = {0};
        cli_error error = {.message = ""};
        double least = 1, greatest = -1;
        assert_int_equal(cli_generate(&options, &data, &error), CLI_OK);
        const uint16_t *halves = data.elements;
        assert_non_null(halves);
        for (int i = 0; halves != NULL && i < 20000; i++) {
            const uint16_t half = halves[i];
            const double value = bf16 ? half_value(half, 7, 127) : half_value(half, 10, 15);
            const double steps = value * (bf16 ? 128 : 1024);
            assert_true(steps == trunc(steps));
            if (value < least) least = value;
            if (value > greatest) greatest = value;
        }
        assert_true(least == -1 && greatest > 0.99 && greatest < 1);
        cli_data_free(&data);
    }
}

TEST(more_elements_than_memory_are_refused) {
    cli_options options = {.random = true, .count = UINT64_MAX, .generated_count = UINT64_MAX / 4, .spec.type = JR_F64};
    cli_data data = {0};
    cli_error error = {.message = ""};
    assert_int_equal(cli_generate(&options, &data, &error), CLI_FAILURE);
    assert_string_equal(
        error.message,
        "--random: out of memory for 4611686018427387903 elements of f64; all of them are made at once: give fewer");
}

RUN_TESTS(NULL, NULL)
