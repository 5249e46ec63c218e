/* Exact sums: their operators, and the bytes of their states. */
#include <stdlib.h>
#include <string.h>

#include "exact/state_bytes.h"
#include "spec/reduction.h"
#include "spec/reduction_part.h"
#include "support/fixtures/check.h"

/* Exact sums: how wide they are, and which specs have them. */
TEST(widths_hold_two_to_the_64_elements) {
    const struct {
        jr_type type;
        int least, words, products_least, products_words;
    } rows[] = {{JR_F16, -24, 4, -48, 5},        {JR_BF16, -133, 11, -266, 19}, {JR_F32, -149, 11, -298, 20},
                {JR_F64, -1074, 68, -2148, 134}, {JR_E4M3, -9, 3, -18, 4},      {JR_I64, 0, 5, 0, 7}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const jr_dtype *dtype = jr_dtype_find(rows[i].type);
        const jr_exact_width width = jr_exact_width_of(dtype), products = jr_exact_width_of_products(dtype, dtype);
        assert_int_equal(width.least, rows[i].least);
        assert_int_equal(width.words, rows[i].words);
        assert_int_equal(products.least, rows[i].products_least);
        assert_int_equal(products.words, rows[i].products_words);
    }
    const jr_exact_width both =
        jr_exact_width_of_both(jr_exact_width_of(jr_dtype_find(JR_F16)), jr_exact_width_of(jr_dtype_find(JR_F64)));
    assert_int_equal(both.least, -1074);
    assert_true(both.least + 32 * both.words >= 1024 + 65);
}

static void refused(const jr_spec *spec, jr_status status, const char *why) {
    jr_reduction *reduction = NULL;
    assert_int_equal(jr_reduction_create(spec, &reduction), status);
    assert_null(reduction);
    assert_told(why);
}

TEST(what_cannot_be_exact_is_refused_with_the_reason) {
    jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_PROD, .type = JR_F32, .accuracy = JR_ACCURACY_EXACT);
    refused(&spec, JR_ERROR_UNSUPPORTED_TYPE, "prod of f32 has no exact form");
    spec.op = JR_OP_LOGSUMEXP;
    refused(&spec, JR_ERROR_UNSUPPORTED_TYPE, "logsumexp of f32 has no exact form");
    spec.op = JR_OP_CUSTOM;
    spec.combine = "a + b";
    spec.identity = "0";
    refused(&spec, JR_ERROR_UNSUPPORTED_TYPE, "custom has no exact form");
    spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F32, .accuracy = JR_ACCURACY_EXACT, .accumulate = JR_F64);
    refused(&spec, JR_ERROR_INVALID_ARGUMENT, "accumulate f64: an exact sum loses nothing");
    spec.accumulate = JR_TYPE_NONE;
    spec.result = JR_I64;
    refused(&spec, JR_ERROR_INVALID_ARGUMENT, "an exact sum is rounded to a type of floats, not to i64");
    spec.result = JR_TYPE_NONE;
    spec.accuracy = (jr_accuracy)3;
    refused(&spec, JR_ERROR_INVALID_ARGUMENT, "unknown accuracy 3");
}

/* accumulator_bytes: of integers that are exact anyway what it was. */
TEST(only_what_rounds_becomes_wide) {
    const struct {
        jr_op op;
        jr_type type, result, summand;
        size_t bytes;
    } rows[] = {{JR_OP_SUM, JR_F32, JR_TYPE_NONE, JR_F32, 56},
                {JR_OP_SUM, JR_F64, JR_F16, JR_F64, 284},
                {JR_OP_SUMSQ, JR_F16, JR_TYPE_NONE, JR_F64, 32},
                {JR_OP_NORM2, JR_F64, JR_TYPE_NONE, JR_STRUCT, 548},
                {JR_OP_DOT, JR_F32, JR_TYPE_NONE, JR_F64, 92},
                {JR_OP_SUM, JR_I32, JR_TYPE_NONE, 0, 8},
                {JR_OP_SUM, JR_I32, JR_F64, 0, 28},
                {JR_OP_MEAN, JR_I32, JR_TYPE_NONE, 0, 16},
                {JR_OP_MAX, JR_F32, JR_TYPE_NONE, 0, 4},
                {JR_OP_COUNT_NONZERO, JR_F32, JR_TYPE_NONE, 0, 8}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const jr_spec spec = JR_INIT(jr_spec, .op = rows[i].op, .type = rows[i].type, .result = rows[i].result,
                                     .accuracy = JR_ACCURACY_EXACT);
        jr_reduction *reduction = NULL;
        assert_int_equal(jr_reduction_create(&spec, &reduction), JR_OK);
        assert_int_equal(reduction->accumulator_bytes, rows[i].bytes);
        assert_int_equal(reduction->summand, rows[i].summand);
        jr_reduction_destroy(reduction);
    }
}

/* Bytes of kept states: what is not whole, of another format, or no sum, is refused with the reason. */
enum { BYTES = 2048, HEAD = JR_STATE_HEAD_BYTES };

typedef struct world {
    jr_reduction *reduction;
    uint8_t bytes[BYTES]; /* of 3 elements that come to -5 * 2^-3 */
    size_t size;
    unsigned char *sums;
    uint64_t elements;
} world;

static jr_reduction *reduction_of(jr_op op, jr_type type) {
    const jr_spec spec = JR_INIT(jr_spec, .op = op, .type = type, .accuracy = JR_ACCURACY_EXACT);
    jr_reduction *reduction = NULL;
    assert_int_equal(jr_reduction_create(&spec, &reduction), JR_OK);
    return reduction;
}

static world world_new(void) {
    world made = {.reduction = reduction_of(JR_OP_SUM, JR_F32)};
    const jr_exact_number number = {
        .class = JR_EXACT_CLASS_FINITE, .negative = true, .exponent = -3, .bytes = 1, .magnitude = {5}};
    made.sums = calloc(1, made.reduction->accumulator_bytes);
    assert_non_null(made.sums);
    assert_int_equal(jr_exact_sum_write(&made.reduction->sums[0], &number, 3, made.sums), JR_OK);
    assert_int_equal(jr_state_bytes_write(made.reduction, made.sums, 4, made.bytes, &made.size), JR_OK);
    assert_true(made.size <= jr_state_bytes_most(made.reduction) && made.size == HEAD + 9 + JR_DIGEST_BYTES);
    return made;
}

static void world_free(world *made) {
    jr_reduction_destroy(made->reduction);
    free(made->sums);
}

/* Reads a copy in memory of exactly its size, so that a sanitizer sees reads after it. */
static jr_status read_bytes(world *of, const uint8_t *bytes, size_t size) {
    uint8_t *copy = malloc(size > 0 ? size : 1);
    assert_non_null(copy);
    if (size > 0) memcpy(copy, bytes, size);
    memset(of->sums, 0, of->reduction->accumulator_bytes);
    const jr_status status = jr_state_bytes_read(of->reduction, copy, size, of->sums, &of->elements);
    free(copy);
    return status;
}

static void assert_refused(world *of, const uint8_t *bytes, size_t size, const char *why) {
    assert_int_equal(read_bytes(of, bytes, size), JR_ERROR_STATE);
    assert_told(why);
}

static void seal(uint8_t *bytes, size_t size) {
    jr_digest_of(bytes, size - JR_DIGEST_BYTES, bytes + size - JR_DIGEST_BYTES);
}

TEST(what_was_written_is_read) {
    world of = world_new();
    uint8_t again[BYTES];
    size_t size;
    assert_int_equal(read_bytes(&of, of.bytes, of.size), JR_OK);
    assert_int_equal(of.elements, 4);
    assert_int_equal(jr_state_bytes_write(of.reduction, of.sums, of.elements, again, &size), JR_OK);
    assert_int_equal(size, of.size);
    assert_memory_equal(again, of.bytes, of.size);
    world_free(&of);
}

TEST(a_state_cut_off_anywhere_is_refused) {
    world of = world_new();
    for (size_t size = 0; size < of.size; size++)
        assert_refused(&of, of.bytes, size, size < 8 ? "first bytes" : "is truncated");
    of.bytes[of.size] = 0;
    assert_refused(&of, of.bytes, of.size + 1, "bytes after its end");
    world_free(&of);
}

TEST(a_state_with_any_bit_changed_is_refused) {
    world of = world_new();
    for (size_t bit = 0; bit < 8 * of.size; bit++) {
        of.bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
        assert_refused(&of, of.bytes, of.size, "");
        of.bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
    }
    assert_int_equal(read_bytes(&of, of.bytes, of.size), JR_OK);
    world_free(&of);
}

TEST(another_format_is_named_whatever_follows) {
    world of = world_new();
    of.bytes[8] = 2;
    assert_refused(&of, of.bytes, of.size, "is of format 2, and jitreduce");
    of.bytes[9] = 1;
    assert_refused(&of, of.bytes, of.size, "is of format 258");
    world_free(&of);
}

/* Each with its checksum put right. */
TEST(heads_and_sums_that_cannot_be_are_refused) {
    static const struct {
        size_t at;
        uint8_t byte;
        const char *why;
    } rows[] = {
        {10, 0, "contradicts itself"},
        {10, 9, "contradicts itself"},
        {11, 0, "contradicts itself"},
        {11, 5, "contradicts itself"},
        {16, 2, "contradicts itself"},
        {45, 2, "contradicts itself"},
        {46, 0, "contradicts itself"},
        {47, 1, "contradicts itself"},
        {33, 1, "operator 1,"},
        {41, 5, "type 5,"},
        {32, 3, "operator 3, of which"},
        {32, 200, "operator 200"},
        {40, 77, "type 77"},
        {46, 2, "with other expressions"},
        {48, 1, "other expressions"},
        {24, 0, "do not belong together"},
        {HEAD, 0, "form that sums have"},
        {HEAD, 6, "form"},
        {HEAD, 3, "form"},
        {HEAD + 1, 2, "form"},
        {HEAD + 8, 4, "form"},
        {HEAD + 8, 0, "form"},
        {HEAD + 2, 2, "a sum of 2 bytes"},
        {HEAD + 2, 0, "form"},
        {HEAD + 3, 255, "a sum of 65281 bytes"},
        {HEAD + 4, 0x80, "greater than"},
        {HEAD + 5, 0xfe, "bits that no sum"},
        {HEAD + 7, 0x7f, "bits that no sum"},
        {HEAD + 7, 0x80, "bits that no sum"},
    };
    world of = world_new();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        world changed = of;
        changed.bytes[rows[i].at] = rows[i].byte;
        if (rows[i].at == HEAD + 4) memset(changed.bytes + HEAD + 5, 0, 3);
        seal(changed.bytes, changed.size);
        assert_refused(&changed, changed.bytes, changed.size, rows[i].why);
    }
    world_free(&of);
}

/* The bound is sharp: three f32 come to less than 3 * 2^128, and the lowest bit is worth 2^-149 or more. */
TEST(sums_end_where_so_many_elements_end) {
    jr_reduction *sum = reduction_of(JR_OP_SUM, JR_F32), *sizes = reduction_of(JR_OP_SUMSQ, JR_F32);
    unsigned char *room = test_zeros(1, sum->accumulator_bytes + sizes->accumulator_bytes);
    jr_exact_number number = {.class = JR_EXACT_CLASS_FINITE, .exponent = 128, .bytes = 1, .magnitude = {3}};
    assert_int_equal(jr_exact_sum_write(&sum->sums[0], &number, 3, room), JR_ERROR_STATE);
    assert_int_equal(jr_exact_sum_write(&sum->sums[0], &number, 4, room), JR_OK);
    number.exponent = 128 + 63;
    number.magnitude[0] = 1;
    assert_int_equal(jr_exact_sum_write(&sum->sums[0], &number, UINT64_MAX, room), JR_OK);
    number.exponent = 128 + 64;
    assert_int_equal(jr_exact_sum_write(&sum->sums[0], &number, UINT64_MAX, room), JR_ERROR_STATE);
    number.exponent = -149;
    assert_int_equal(jr_exact_sum_write(&sum->sums[0], &number, 1, room), JR_OK);
    number.exponent = -150;
    assert_int_equal(jr_exact_sum_write(&sum->sums[0], &number, 1, room), JR_ERROR_STATE);
    assert_int_equal(jr_exact_sum_write(&sizes->sums[0], &number, 1, room), JR_OK);
    number.negative = true;
    assert_int_equal(jr_exact_sum_write(&sizes->sums[0], &number, 1, room), JR_ERROR_STATE);
    assert_non_null(strstr(jr_last_error()->message, "never negative"));
    jr_reduction_destroy(sum);
    jr_reduction_destroy(sizes);
}

/* For all pairs of types, and an initial value of any type, no sum is wider than the maximum. */
TEST(the_widest_integer_has_room) {
    for (int x = JR_I32; x <= JR_E5M2; x++)
        for (int y = JR_I32; y <= JR_E5M2; y++) {
            const jr_dtype *one = jr_dtype_find((jr_type)x), *other = jr_dtype_find((jr_type)y);
            const jr_exact_width products = jr_exact_width_of_products(one, other);
            for (int i = JR_I32; i <= JR_E5M2; i++) {
                const jr_exact_width with = jr_exact_width_of(jr_dtype_find((jr_type)i));
                const jr_exact_width both = jr_exact_width_of_both(products, with);
                assert_true(both.words <= JR_EXACT_WORDS_MAX);
                assert_true(32 * both.words >= products.most - both.least + 65);
            }
        }
}

RUN_TESTS(NULL, NULL)
