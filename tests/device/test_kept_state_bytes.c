/* Kept states: their bytes, what is finished from them, and what is refused. */
#include <math.h>
#include <string.h>

#include "base/digest.h"
#include "support/cases/kept_state_case.h"

enum { CHECKSUM = 32 };

/* ---- the format, by hand ---- */

static const jr_spec sum_spec = {
    .size = sizeof(jr_spec), .op = JR_OP_SUM, .type = JR_F32, .accuracy = JR_ACCURACY_EXACT};

static void assert_sum(const opened *device, const float *x, uint64_t count, const uint8_t *sum, size_t sum_bytes) {
    uint8_t head[80] = {'J', 'R', 'E', 'X', 'A', 'C', 'T', '\n', 1, 0, 1, 1};
    const written_state found = kept_state_of_floats(device, &sum_spec, x, count);
    head[12] = (uint8_t)(sizeof head + sum_bytes + CHECKSUM);
    head[16] = head[24] = (uint8_t)count;
    head[32] = JR_OP_SUM;
    head[40] = head[44] = JR_F32;
    head[46] = 1;
    assert_int_equal(found.size, sizeof head + sum_bytes + CHECKSUM);
    assert_memory_equal(found.bytes, head, sizeof head);
    assert_memory_equal(found.bytes + sizeof head, sum, sum_bytes);
}

DEVICE_TEST(the_bytes_are_those_that_the_header_describes) {
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

DEVICE_TEST(other_states_follow_their_version) {
    uint8_t head[80] = {'J',
                        'R',
                        'S',
                        'T',
                        'A',
                        'T',
                        'E',
                        '\n',
                        1,
                        0,
                        1,
                        1,
                        80 + 16 + 4 + CHECKSUM,
                        [16] = 3,
                        [32] = JR_OP_MAX,
                        [40] = JR_I32,
                        [44] = JR_I32};
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_MAX, .type = JR_I32);
    const void *const arrays[] = {(const int32_t[]){3, 513, -1}};
    const kept_state kept = kept_state_of(device, &spec, arrays, 3, 0);
    written_state found = kept_state_written(&spec, &kept);
    assert_int_equal(found.size, head[12]);
    assert_memory_equal(found.bytes, head, 48);
    assert_string_equal((const char *)found.bytes + 80, jr_version());
    assert_memory_equal(found.bytes + 96, ((uint8_t[]){1, 2, 0, 0}), 4);
    jr_state_info info = JR_INIT(jr_state_info);
    works(jr_state_look(found.bytes, found.size, &info));
    assert_true(info.ops[0] == JR_OP_MAX && info.types[0] == JR_I32 && info.elements == 3 && info.kept == 0);
    assert_true(info.exact == 0 && info.skips_nan == 0);
}

DEVICE_TEST(what_is_no_number_stays_so_when_states_are_added) {
    const float inf = INFINITY;
    const struct {
        float one, other, sum;
    } rows[] = {{1, inf, inf},         {-inf, 3, -inf}, {inf, -inf, NAN}, {NAN, inf, NAN},
                {-0.0F, -0.0F, -0.0F}, {-0.0F, 0, 0},   {5, -5, 0}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const written_state one = kept_state_of_floats(device, &sum_spec, &rows[i].one, 1),
                            other = kept_state_of_floats(device, &sum_spec, &rows[i].other, 1),
                            both =
                                kept_state_of_floats(device, &sum_spec, (const float[]){rows[i].one, rows[i].other}, 2);
        kept_state added = kept_state_read(&sum_spec, &other);
        const kept_state more = kept_state_read(&sum_spec, &one);
        jr_value value;
        kept_state_add(device, &sum_spec, &added, &more);
        kept_state_assert(&sum_spec, &added, &both);
        kept_state_values(device, &sum_spec, &added, &value);
        assert_true(isnan(rows[i].sum) ? isnan(value.as.f32) : value.as.f32 == rows[i].sum);
        assert_true(isnan(rows[i].sum) || !signbit(value.as.f32) == !signbit(rows[i].sum));
    }
}

DEVICE_TEST(a_state_of_nothing_finishes_as_nothing_does) {
    const jr_spec mean_spec = EXACT_SPEC(.op = JR_OP_MEAN), most = JR_INIT(jr_spec, .op = JR_OP_MAX, .type = JR_F32);
    const void *const nothing[] = {NULL};
    jr_value value;
    const kept_state sum = kept_state_of(device, &sum_spec, nothing, 0, 0),
                     mean = kept_state_of(device, &mean_spec, nothing, 0, 0),
                     none = kept_state_of(device, &most, nothing, 0, 0);
    kept_state_values(device, &sum_spec, &sum, &value);
    assert_true(value.as.f32 == 0 && !signbit(value.as.f32));
    kept_state_values(device, &mean_spec, &mean, &value);
    assert_true(isnan(value.as.f32));
    const void *const states[] = {none.state};
    fails(jr_work_run_host(device->context, &JR_INIT(jr_work, .spec = &most, .kind = JR_WORK_MERGE),
                           &JR_INIT(jr_work_data, .in = states, .states = 1, .values = &value)),
          JR_ERROR_EMPTY_INPUT, "max");
}

/* What rounds to f32 one way is kept whole: it can be asked for as f64 later. */
DEVICE_TEST(the_spec_that_finishes_says_result_and_initial_value) {
    const float x[] = {16777216, 1};
    const written_state bytes = kept_state_of_floats(device, &sum_spec, x, 2);
    const jr_value initial = {JR_F64, {.f64 = 0.5}};
    const jr_spec wide = EXACT_SPEC(.op = JR_OP_SUM, .result = JR_F64, .initial = &initial);
    const kept_state one = kept_state_read(&wide, &bytes);
    jr_value value;
    kept_state_values(device, &wide, &one, &value);
    assert_true(value.as.f64 == 16777217.5);
    kept_state_assert(&wide, &one, &bytes);
    kept_state narrow = kept_state_read(&sum_spec, &bytes);
    kept_state_values(device, &sum_spec, &narrow, &value);
    assert_true(value.as.f32 == 16777216);
    kept_state_add(device, &sum_spec, &narrow, &narrow);
    kept_state_values(device, &sum_spec, &narrow, &value);
    assert_true(value.as.f32 == 33554432);
}

/* ---- what is refused ---- */

DEVICE_TEST(states_of_anything_else_are_refused_by_name) {
    const float x[] = {1, 2, 3};
    const jr_spec most = JR_INIT(jr_spec, .op = JR_OP_MAX, .type = JR_F32);
    const written_state exact = kept_state_of_floats(device, &sum_spec, x, 3),
                        other = kept_state_of_floats(device, &most, x, 3);
    const struct {
        const written_state *bytes;
        jr_spec spec;
        const char *why;
    } rows[] = {
        {&exact, EXACT_SPEC(.op = JR_OP_MEAN), "the state is of sum of f32, not of mean of f32"},
        {&exact, JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F64, .accuracy = JR_ACCURACY_EXACT), "not of sum of f64"},
        {&exact, EXACT_SPEC(.op = JR_OP_SUM, .map = "x + 1"), "not of sum of f32 with these"},
        {&exact, EXACT_SPEC(.op = JR_OP_SUM, .where = "x > 1"), "with other expressions"},
        {&exact, EXACT_SPEC(.op = JR_OP_SUM, .map = "x", .map_type = JR_F64), "not of sum of f32 mapped to f64"},
        {&exact, EXACT_SPEC(.op = JR_OP_SUM, .nan = JR_NAN_IGNORE), "not of sum of f32, NaNs ignored"},
        {&exact, EXACT_SPEC(.op = JR_OP_DOT, .input_count = 2), "not of dot of f32 and f32"},
        {&exact, JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F32), "sum of f32 with accuracy exact, not fast"},
        {&other, EXACT_SPEC(.op = JR_OP_SUM), "the state is of max of f32, not of sum of f32"},
        {&other, JR_INIT(jr_spec, .op = JR_OP_MAX, .type = JR_F32, .map = "-x"), "with other expressions"},
        {&other, JR_INIT(jr_spec, .op = JR_OP_MAX, .type = JR_F32, .kept = 1), "count of what is kept"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint8_t room[STATE_BYTES] = {7};
        uint64_t elements = 99;
        fails(jr_state_read(&rows[i].spec, rows[i].bytes->bytes, rows[i].bytes->size, room, &elements), JR_ERROR_STATE,
              rows[i].why);
        assert_true(room[0] == 7 && elements == 99);
    }
}

/* As bytes that were changed on purpose: their checksum is right. */
static void seal(written_state *written) {
    jr_digest_of(written->bytes, written->size - CHECKSUM, written->bytes + written->size - CHECKSUM);
}

DEVICE_TEST(states_of_other_versions_are_refused_unless_they_are_exact) {
    const float x[] = {1, 2, 3};
    const jr_spec most = JR_INIT(jr_spec, .op = JR_OP_MAX, .type = JR_F32);
    written_state bytes = kept_state_of_floats(device, &most, x, 3);
    uint8_t room[STATE_BYTES];
    uint64_t elements;
    memcpy(bytes.bytes + 80, "0.2.7\0\0", 7);
    fails(jr_state_read(&most, bytes.bytes, bytes.size, room, &elements), JR_ERROR_STATE, "its checksum is another");
    seal(&bytes);
    fails(jr_state_read(&most, bytes.bytes, bytes.size, room, &elements), JR_ERROR_STATE, "written by jitreduce 0.2.7");
    memcpy(bytes.bytes, "JREXACT", 7);
    seal(&bytes);
    fails(jr_state_read(&most, bytes.bytes, bytes.size, room, &elements), JR_ERROR_STATE,
          "its head contradicts itself");
}

DEVICE_TEST(too_little_room_is_told_and_nothing_is_written) {
    const void *const nothing[] = {NULL};
    const kept_state none = kept_state_of(device, &sum_spec, nothing, 0, 0);
    uint8_t bytes[STATE_BYTES] = {7};
    size_t size = 99;
    fails(jr_state_write(&sum_spec, none.state, 0, bytes, 10, &size), JR_ERROR_INVALID_ARGUMENT, "has 120 bytes");
    assert_true(bytes[0] == 7 && size == 99);
    fails(jr_state_write(&sum_spec, none.state, 0, NULL, 10, &size), JR_ERROR_INVALID_ARGUMENT, "NULL");
}

DEVICE_TEST(a_look_tells_what_bytes_are_of) {
    const jr_spec spec =
        EXACT_SPEC(.op = JR_OP_DOT, .input_count = 2, .more_types = {JR_F16}, .where = "x > 1", .nan = JR_NAN_IGNORE);
    const void *const arrays[] = {(const float[]){1, 2, 3}, (const uint16_t[]){0x3c00, 0x3c00, 0x3c00}};
    const kept_state dot = kept_state_of(device, &spec, arrays, 3, 0);
    const written_state bytes = kept_state_written(&spec, &dot);
    jr_state_info info = JR_INIT(jr_state_info);
    works(jr_state_look(bytes.bytes, bytes.size, &info));
    assert_true(info.op_count == 1 && info.ops[0] == JR_OP_DOT && info.input_count == 2);
    assert_true(info.types[0] == JR_F32 && info.types[1] == JR_F16 && info.elements == 3 && info.kept == 2);
    assert_true(info.exact == 1 && info.skips_nan == 1);
    fails(jr_state_look(bytes.bytes, bytes.size - 1, &info), JR_ERROR_STATE, "truncated");
}

RUN_TESTS(open_context, close_context)
