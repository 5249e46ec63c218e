/* Partial states: parts are folded one by one, in any order, and merged in theirs. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/fixtures/plan_case.h"

enum { COUNT = 30011, PARTS = 7, LARGEST = 64 };

/* Where parts begin; one is empty, one has one element. */
static const uint64_t begins[PARTS + 1] = {0, 1, 1, 4099, 4100, 20000, 29999, COUNT};

/* Plans of one spec, and room for its states. */
typedef struct state_case {
    const opened *device;
    jr_plan *part, *merge, *merge_more;
    size_t bytes;
    unsigned char *d_states, *d_result;
} state_case;

static state_case state_case_new(const opened *device, const jr_spec *spec) {
    state_case made = {.device = device};
    works(jr_work_plan_create(device->context, WORK(spec, .kind = JR_WORK_STATE), &made.part));
    works(jr_work_plan_create(device->context, WORK(spec, .kind = JR_WORK_MERGE), &made.merge));
    works(jr_work_plan_create(device->context, WORK(spec, .kind = JR_WORK_MERGE_STATES), &made.merge_more));
    made.bytes = jr_plan_result_bytes(made.part);
    assert_int_equal(jr_merge_plan_state_bytes(made.merge), made.bytes);
    assert_int_equal(jr_plan_result_bytes(made.merge_more), made.bytes);
    assert_int_equal(jr_plan_result_type(made.part), JR_STRUCT);
    made.d_states = device_new(device, PARTS * (made.bytes + 16));
    made.d_result = device_new(device, 1024);
    return made;
}

static void state_case_free(state_case *made) {
    jr_plan_destroy(made->part);
    jr_plan_destroy(made->merge);
    jr_plan_destroy(made->merge_more);
    device_free(made->device, made->d_states);
    device_free(made->device, made->d_result);
}

/* A state is written to an aligned address, and then moved directly after the state before it. */
static void fold_part(const state_case *made, const char *d_data, size_t element, int p) {
    const void *const arrays[] = {d_data + begins[p] * element};
    const jr_work_data part = JR_INIT(jr_work_data, .in = arrays, .count = begins[p + 1] - begins[p],
                                      .first = begins[p], .out = made->d_result);
    unsigned char state[LARGEST * 16];
    works(jr_work_plan_run(made->part, &part, NULL, NULL));
    device_read(made->device, state, made->d_result, made->bytes);
    device_write(made->device, made->d_states + (size_t)p * made->bytes, state, made->bytes);
}

/* So many states, of parts with so many elements. */
static jr_work_data states_of(const void *const *d_states, uint64_t count, uint64_t elements, void *d_result) {
    return JR_INIT(jr_work_data, .in = d_states, .states = count, .count = elements, .out = d_result);
}

static void merge(const state_case *made, jr_plan *plan, const jr_work_data *states, void *result, size_t bytes) {
    works(jr_work_plan_run(plan, states, NULL, NULL));
    device_read(made->device, result, made->d_result, bytes);
}

/* The result of all parts: folded from the last to the first, and merged; at once, and the first three before. */
static void assert_parts_make(const opened *device, const jr_spec *spec, const void *data, size_t element,
                              const void *wanted, size_t bytes) {
    state_case made = state_case_new(device, spec);
    char *d_data = device_new(device, COUNT * element);
    unsigned char result[1024], first[LARGEST * 16];
    device_write(device, d_data, data, COUNT * element);
    for (int p = PARTS - 1; p >= 0; p--) fold_part(&made, d_data, element, p);
    const jr_work_data all = states_of(FROM(made.d_states), PARTS, COUNT, made.d_result);
    merge(&made, made.merge, &all, result, bytes);
    assert_memory_equal(result, wanted, bytes);
    if (2 * made.bytes % 16 == 0) {
        const jr_work_data three = states_of(FROM(made.d_states), 3, 0, made.d_result),
                           rest = states_of(FROM(made.d_states + 2 * made.bytes), PARTS - 2, COUNT, made.d_result);
        merge(&made, made.merge_more, &three, first, made.bytes);
        device_write(device, made.d_states + 2 * made.bytes, first, made.bytes);
        merge(&made, made.merge, &rest, result, bytes);
        assert_memory_equal(result, wanted, bytes);
    }
    state_case_free(&made);
}

static int32_t *numbers_new(uint64_t modulus) {
    int32_t *data = test_bytes(COUNT * sizeof *data);
    uint64_t seed = 23;
    for (int i = 0; i < COUNT; i++) data[i] = (int32_t)(random_bits(&seed) % modulus) - 3;
    return data;
}

/* What a plan of the whole says, bit for bit: these operators are exact. */
DEVICE_TEST(parts_make_what_the_whole_makes) {
    static const jr_op list[] = {JR_OP_MIN, JR_OP_ARGMAX, JR_OP_SUM, JR_OP_MEAN};
    const jr_value initial = {JR_I64, {.i64 = -1000}};
    const jr_spec specs[] = {
        JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32),
        JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32, .initial = &initial, .finish = "a * 2 + (long long)n"),
        JR_INIT(jr_spec, .op = JR_OP_ARGMIN, .type = JR_I32),
        JR_INIT(jr_spec, .op = JR_OP_ARGMAX, .type = JR_I32, .algorithm = JR_ALGORITHM_TWO_PASS, .grid = 3),
        JR_INIT(jr_spec, .op = JR_OP_MEAN, .type = JR_I32),
        JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32, .map = "x * (long long)i", .map_type = JR_I64),
        JR_INIT(jr_spec, .op = JR_OP_MIN, .type = JR_I32, .where = "i % 5 == 2", .kept = 1),
        JR_INIT(jr_spec, .ops = list, .op_count = 4, .type = JR_I32),
        JR_INIT(jr_spec, .op = JR_OP_XOR, .type = JR_I32, .algorithm = JR_ALGORITHM_ROWS),
        JR_INIT(jr_spec, .op = JR_OP_ANY, .type = JR_I32, .algorithm = JR_ALGORITHM_ONE_BLOCK),
        JR_INIT(jr_spec, .op = JR_OP_CUSTOM, .type = JR_I32, .combine = "a != 0 ? a : b", .identity = "0"),
        JR_INIT(jr_spec, .op = JR_OP_CUSTOM, .type = JR_I32, .combine = "b != 0 ? b : a", .identity = "0"),
    };
    int32_t *data = numbers_new(9), *d_data = device_new(device, COUNT * sizeof *d_data);
    device_write(device, d_data, data, COUNT * sizeof *data);
    for (size_t s = 0; s < sizeof specs / sizeof *specs; s++) {
        unsigned char wanted[1024];
        void *d_wanted = device_new(device, sizeof wanted);
        jr_plan *whole = plan_held(device, WORK(&specs[s]));
        works(jr_work_plan_run(whole, DATA(.in = FROM(d_data), .count = COUNT, .out = d_wanted), NULL, NULL));
        device_read(device, wanted, d_wanted, jr_plan_result_bytes(whole));
        assert_parts_make(device, &specs[s], data, sizeof *data, wanted, jr_plan_result_bytes(whole));
    }
}

/* The first of equal extremes, and NaN, wherever parts end. */
DEVICE_TEST(ties_and_nans_across_parts_are_those_of_the_whole) {
    const jr_spec first = JR_INIT(jr_spec, .op = JR_OP_ARGMIN, .type = JR_F32);
    float *data = test_zeros(COUNT, sizeof *data);
    int64_t wanted = 0;
    assert_parts_make(device, &first, data, sizeof *data, &wanted, sizeof wanted);
    for (int i = 0; i < COUNT; i++) data[i] = 5;
    wanted = 4099;
    data[wanted] = data[wanted + 1] = data[COUNT - 1] = -1;
    assert_parts_make(device, &first, data, sizeof *data, &wanted, sizeof wanted);
    wanted = 20000;
    data[wanted] = data[COUNT - 1] = strtof("nan", NULL);
    assert_parts_make(device, &first, data, sizeof *data, &wanted, sizeof wanted);
}

DEVICE_TEST(states_of_nothing_are_what_nothing_is) {
    const jr_spec sum = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F64),
                  least = JR_INIT(jr_spec, .op = JR_OP_MIN, .type = JR_F64);
    double result = 7;
    state_case made = state_case_new(device, &sum);
    works(jr_work_plan_run(made.part, DATA(.in = FROM(NULL), .out = made.d_states), NULL, NULL));
    works(jr_work_plan_run(made.part, DATA(.in = FROM(NULL), .out = made.d_result), NULL, NULL));
    device_write(device, made.d_states + 8, &(double){-0.0}, sizeof(double));
    const jr_work_data two = states_of(FROM(made.d_states), 2, 1, made.d_result),
                       nothing = states_of(FROM(NULL), 0, 0, made.d_result);
    merge(&made, made.merge, &two, &result, sizeof result);
    assert_true(result == 0 && signbit(result)); /* of one -0 */
    merge(&made, made.merge, &nothing, &result, sizeof result);
    assert_true(result == 0 && !signbit(result));
    state_case_free(&made);
    made = state_case_new(device, &least);
    const jr_work_data states = states_of(FROM(NULL), 0, 0, made.d_result);
    fails(jr_work_plan_run(made.merge, &states, NULL, NULL), JR_ERROR_EMPTY_INPUT, "min");
    works(jr_work_plan_run(made.merge_more, &states, NULL, NULL));
    state_case_free(&made);
}

DEVICE_TEST(calls_that_make_no_sense_are_told_why) {
    const jr_status wrong = JR_ERROR_INVALID_ARGUMENT;
    const jr_spec sum = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F64), none = JR_INIT(jr_spec);
    state_case made = state_case_new(device, &sum);
    jr_plan *plan = NULL;
    const void *const arrays[] = {made.d_result};
    const jr_work_data beyond =
        JR_INIT(jr_work_data, .in = arrays, .count = 1, .first = UINT64_MAX, .out = made.d_states);
    const jr_work_data upon = states_of(arrays, 1, 1, made.d_result),
                       askew = states_of(FROM(made.d_states + 8), 1, 1, made.d_result),
                       many = states_of(FROM(made.d_states), UINT64_MAX / 2, 1, made.d_result);
    jr_value value;
    fails(jr_plan_value(made.part, arrays, 1, NULL, &value), wrong, "writes states");
    fails(jr_work_plan_run(made.part, &beyond, NULL, NULL), wrong, "more than 64 bits can count");
    fails(jr_work_plan_run(made.merge, &upon, NULL, NULL), wrong, "overlaps the 1 states");
    fails(jr_work_plan_run(made.merge, &askew, NULL, NULL), wrong, "not aligned to 16");
    fails(jr_work_plan_run(made.merge, &many, NULL, NULL), wrong, "beyond the address space");
    fails(jr_work_plan_create(device->context, WORK(&none, .kind = JR_WORK_MERGE_STATES), &plan), wrong,
          "unknown operator 0");
    assert_null(plan);
    assert_int_equal(jr_merge_plan_state_bytes(made.part), 0);
    assert_int_equal(jr_merge_plan_state_bytes(NULL), 0);
    state_case_free(&made);
}

RUN_TESTS(open_context, close_context)
