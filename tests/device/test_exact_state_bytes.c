/* Kept states of exact sums: their bytes, what is finished from them, and what is refused. */
#include <math.h>
#include <string.h>

#include "support/cases/exact_state_case.h"

enum { CHECKSUM = 32 };

/* ---- the format, by hand ---- */

static void assert_sum(const opened *device, const float *x, uint64_t count, const uint8_t *sum, size_t sum_bytes) {
    uint8_t head[80] = {'J', 'R', 'E', 'X', 'A', 'C', 'T', '\n', 1, 0, 1, 1};
    const written_state found = exact_state_of_floats(device, x, count);
    head[12] = (uint8_t)(sizeof head + sum_bytes + CHECKSUM);
    head[16] = head[24] = (uint8_t)count;
    head[32] = JR_OP_SUM;
    head[40] = head[44] = JR_F32;
    head[46] = 1;
    assert_int_equal(found.size, sizeof head + sum_bytes + CHECKSUM);
    assert_memory_equal(found.bytes, head, sizeof head);
    assert_memory_equal(found.bytes + sizeof head, sum, sum_bytes);
}

TEST(the_bytes_are_those_that_the_header_describes) {
    const opened *device = *state;
    const float inf = INFINITY;
    /* 1.5 = 3 * 2^-1; -2^40 + 2^-149 = -(2^189 - 1) * 2^-149 */
    static const uint8_t half[] = {1, 0, 1, 0, 0xff, 0xff, 0xff, 0xff, 3};
    uint8_t wide[8 + 24] = {1, 1, 24, 0, 0x6b, 0xff, 0xff, 0xff};
    memset(wide + 8, 0xff, 23);
    wide[31] = 0x1f;
    assert_sum(device, (const float[]){1, 1, -0.5F}, 3, half, sizeof half);
    assert_sum(device, (const float[]){-0x1p40F, 0x1p-149F}, 2, wide, sizeof wide);
    assert_sum(device, NULL, 0, (const uint8_t[8]){0}, 8);
    assert_sum(device, (const float[]){7, -7}, 2, (const uint8_t[8]){1}, 8);
    assert_sum(device, (const float[]){-0.0F, -0.0F}, 2, (const uint8_t[8]){2}, 8);
    assert_sum(device, (const float[]){1, inf, 1}, 3, (const uint8_t[8]){3}, 8);
    assert_sum(device, (const float[]){1, -inf}, 2, (const uint8_t[8]){4}, 8);
    assert_sum(device, (const float[]){inf, -inf}, 2, (const uint8_t[8]){5}, 8);
    assert_sum(device, (const float[]){1, NAN}, 2, (const uint8_t[8]){5}, 8);
}

TEST(what_is_no_number_stays_so_when_states_are_added) {
    const opened *device = *state;
    const jr_spec spec = EXACT_SPEC(.op = JR_OP_SUM);
    const float inf = INFINITY;
    const struct {
        float one, other, sum;
    } rows[] = {{1, inf, inf},         {-inf, 3, -inf}, {inf, -inf, NAN}, {NAN, inf, NAN},
                {-0.0F, -0.0F, -0.0F}, {-0.0F, 0, 0},   {5, -5, 0}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const written_state one = exact_state_of_floats(device, &rows[i].one, 1),
                            other = exact_state_of_floats(device, &rows[i].other, 1);
        const written_state both = exact_state_of_floats(device, (const float[]){rows[i].one, rows[i].other}, 2);
        jr_exact_state *added = exact_state_new(device, &spec);
        jr_value value;
        works(jr_exact_state_add_bytes(added, other.bytes, other.size));
        works(jr_exact_state_add_bytes(added, one.bytes, one.size));
        exact_state_assert(added, &both);
        works(jr_exact_state_value(added, &value));
        assert_true(isnan(rows[i].sum) ? isnan(value.as.f32) : value.as.f32 == rows[i].sum);
        assert_true(isnan(rows[i].sum) || !signbit(value.as.f32) == !signbit(rows[i].sum));
        jr_exact_state_destroy(added);
    }
}

TEST(a_state_of_nothing_finishes_as_nothing_does) {
    const opened *device = *state;
    jr_spec spec = EXACT_SPEC(.op = JR_OP_SUM);
    jr_value value;
    jr_exact_state *sum = exact_state_new(device, &spec);
    spec.op = JR_OP_MEAN;
    jr_exact_state *mean = exact_state_new(device, &spec);
    works(jr_exact_state_value(sum, &value));
    assert_true(value.as.f32 == 0 && !signbit(value.as.f32));
    works(jr_exact_state_value(mean, &value));
    assert_true(isnan(value.as.f32));
    jr_exact_state_destroy(sum);
    jr_exact_state_destroy(mean);
}

/* What rounds to f32 one way is kept whole: it can be asked for as f64 later. */
TEST(the_spec_that_finishes_says_result_and_initial_value) {
    const opened *device = *state;
    const float x[] = {16777216, 1};
    const written_state bytes = exact_state_of_floats(device, x, 2);
    const jr_value initial = {JR_F64, {.f64 = 0.5}};
    const jr_spec wide = EXACT_SPEC(.op = JR_OP_SUM, .result = JR_F64, .initial = &initial),
                  narrow = EXACT_SPEC(.op = JR_OP_SUM);
    jr_exact_state *one = exact_state_new(device, &wide), *other = exact_state_new(device, &narrow);
    jr_value value;
    works(jr_exact_state_add_bytes(one, bytes.bytes, bytes.size));
    works(jr_exact_state_value(one, &value));
    assert_true(value.as.f64 == 16777217.5);
    exact_state_assert(one, &bytes);
    works(jr_exact_state_add(other, one));
    works(jr_exact_state_value(other, &value));
    assert_true(value.as.f32 == 16777216);
    works(jr_exact_state_add(other, other));
    works(jr_exact_state_value(other, &value));
    assert_true(value.as.f32 == 33554432);
    jr_exact_state_destroy(one);
    jr_exact_state_destroy(other);
}

/* ---- what is refused ---- */

TEST(states_of_anything_else_are_refused_by_name) {
    const opened *device = *state;
    const float x[] = {1, 2, 3};
    const written_state bytes = exact_state_of_floats(device, x, 3);
    const struct {
        jr_spec spec;
        const char *why;
    } rows[] = {
        {EXACT_SPEC(.op = JR_OP_MEAN), "the state is of sum of f32, not of mean of f32"},
        {JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F64, .accuracy = JR_ACCURACY_EXACT), "not of sum of f64"},
        {EXACT_SPEC(.op = JR_OP_SUM, .map = "x + 1"), "not of sum of f32 with these"},
        {EXACT_SPEC(.op = JR_OP_SUM, .where = "x > 1"), "with other expressions"},
        {EXACT_SPEC(.op = JR_OP_SUM, .map = "x", .map_type = JR_F64), "not of sum of f32 mapped to f64"},
        {EXACT_SPEC(.op = JR_OP_SUM, .nan = JR_NAN_IGNORE), "not of sum of f32, NaNs ignored"},
        {EXACT_SPEC(.op = JR_OP_DOT, .input_count = 2), "not of dot of f32 and f32"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        jr_exact_state *other = exact_state_new(device, &rows[i].spec);
        const written_state before = exact_state_written(other);
        fails(jr_exact_state_add_bytes(other, bytes.bytes, bytes.size), JR_ERROR_STATE, rows[i].why);
        exact_state_assert(other, &before);
        jr_exact_state_destroy(other);
    }
}

TEST(what_keeps_no_exact_sum_has_no_state) {
    const opened *device = *state;
    static const jr_op list[] = {JR_OP_SUM, JR_OP_MIN};
    jr_exact_state *none = NULL;
    const jr_spec fast = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F32);
    fails(jr_exact_state_create(device->context, &fast, &none), JR_ERROR_INVALID_ARGUMENT, "JR_ACCURACY_EXACT");
    const jr_spec least = EXACT_SPEC(.op = JR_OP_MIN), some = EXACT_SPEC(.ops = list, .op_count = 2);
    fails(jr_exact_state_create(device->context, &least, &none), JR_ERROR_UNSUPPORTED_TYPE, "min is not an exact sum");
    fails(jr_exact_state_create(device->context, &some, &none), JR_ERROR_UNSUPPORTED_TYPE, "min is not an exact sum");
    const jr_spec whole = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32, .accuracy = JR_ACCURACY_EXACT);
    fails(jr_exact_state_create(device->context, &whole, &none), JR_ERROR_UNSUPPORTED_TYPE, "ask for a result of f64");
    const jr_spec prod = EXACT_SPEC(.op = JR_OP_PROD);
    fails(jr_exact_state_create(device->context, &prod, &none), JR_ERROR_UNSUPPORTED_TYPE, "prod");
    assert_null(none);
}

TEST(elements_beyond_64_bits_are_refused) {
    const opened *device = *state;
    const jr_spec spec = EXACT_SPEC(.op = JR_OP_SUM);
    const float x = 1;
    const void *const arrays[] = {&x};
    jr_exact_state *many = exact_state_new(device, &spec);
    works(jr_exact_state_fold_host(many, arrays, 1, 0));
    for (int i = 0; i < 63; i++) works(jr_exact_state_add(many, many));
    const written_state before = exact_state_written(many);
    fails(jr_exact_state_add(many, many), JR_ERROR_INVALID_ARGUMENT, "more than 64 bits can count");
    fails(jr_exact_state_fold_host(many, arrays, 1, UINT64_MAX), JR_ERROR_INVALID_ARGUMENT, "from number");
    exact_state_assert(many, &before);
    jr_value value;
    works(jr_exact_state_value(many, &value));
    assert_true(value.as.f32 == 0x1p63F);
    jr_exact_state_destroy(many);
}

TEST(too_little_room_is_told_and_nothing_is_written) {
    const opened *device = *state;
    const jr_spec spec = EXACT_SPEC(.op = JR_OP_SUM);
    jr_exact_state *none = exact_state_new(device, &spec);
    uint8_t bytes[STATE_BYTES] = {7};
    size_t size = 99;
    fails(jr_exact_state_write(none, bytes, 10, &size), JR_ERROR_INVALID_ARGUMENT, "has 120 bytes");
    assert_true(bytes[0] == 7 && size == 99);
    fails(jr_exact_state_write(none, NULL, 10, &size), JR_ERROR_INVALID_ARGUMENT, "NULL");
    jr_exact_state_destroy(none);
    jr_exact_state_destroy(NULL);
    assert_int_equal(jr_exact_state_elements(NULL), 0);
}

TEST(a_look_tells_what_bytes_are_of) {
    const opened *device = *state;
    const jr_spec spec = EXACT_SPEC(.op = JR_OP_DOT, .input_count = 2, .more_types = {JR_F16}, .where = "x > 1");
    jr_exact_state *dot = exact_state_new(device, &spec);
    const void *const arrays[] = {(const float[]){1, 2, 3}, (const uint16_t[]){0x3c00, 0x3c00, 0x3c00}};
    works(jr_exact_state_fold_host(dot, arrays, 3, 0));
    const written_state bytes = exact_state_written(dot);
    jr_exact_state_info info = JR_INIT(jr_exact_state_info);
    works(jr_exact_state_look(bytes.bytes, bytes.size, &info));
    assert_true(info.op_count == 1 && info.ops[0] == JR_OP_DOT && info.input_count == 2);
    assert_true(info.types[0] == JR_F32 && info.types[1] == JR_F16 && info.elements == 3 && info.kept == 2);
    fails(jr_exact_state_look(bytes.bytes, bytes.size - 1, &info), JR_ERROR_STATE, "truncated");
    jr_exact_state_destroy(dot);
}

RUN_TESTS(open_context, close_context)
