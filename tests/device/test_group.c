/* Groups of devices of one process: parts that lie on several devices make what the whole makes. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/fixtures/group_case.h"

static const size_t device_counts[] = {1, 2, 3, 4, 7};
enum { DEVICE_COUNTS = sizeof device_counts / sizeof *device_counts };

/* Twice: the second run finds what the first one has left. */
static void assert_parts_make(jr_group *group, const jr_spec *spec, const void *d_data, size_t element,
                              const jr_value *wanted) {
    jr_value values[JR_OPS_MAX] = {0};
    uint64_t begins[GROUP_DEVICES + 1];
    group_cut(jr_group_size(group), begins);
    jr_group_plan *plan = group_plan_held(group, WORK(spec));
    for (int run = 0; run < 2; run++) {
        memset(values, 0, sizeof values);
        works(group_value(plan, d_data, element, begins, values));
        group_assert_same(values, wanted, group_value_count(spec));
    }
}

DEVICE_TEST(parts_on_several_devices_make_what_the_whole_makes) {
    jr_spec specs[GROUP_SPECS];
    int32_t *data = group_numbers(), *d_data = device_new(device, GROUP_COUNT * sizeof *d_data);
    group_specs(specs);
    device_write(device, d_data, data, GROUP_COUNT * sizeof *data);
    for (size_t d = 0; d < DEVICE_COUNTS; d++) {
        jr_group *group = group_new(device, device_counts[d]);
        for (int s = 0; s < GROUP_SPECS; s++) {
            jr_value wanted[JR_OPS_MAX] = {0};
            group_whole(device, &specs[s], d_data, GROUP_COUNT, wanted);
            assert_parts_make(group, &specs[s], d_data, sizeof *data, wanted);
        }
    }
}

/* ---- 2x2 matrices modulo a prime, whose product does not commute ---- */

typedef struct matrix {
    uint32_t a, b, c, d;
} matrix;

enum { PRIME = 32749 };
static const char matrix_text[] = "struct matrix { unsigned a, b, c, d; };\n"
                                  "__device__ matrix times(matrix x, matrix y) {\n"
                                  "    return {(x.a * y.a + x.b * y.c) % 32749u, (x.a * y.b + x.b * y.d) % 32749u,\n"
                                  "            (x.c * y.a + x.d * y.c) % 32749u, (x.c * y.b + x.d * y.d) % 32749u};\n"
                                  "}\n"
                                  "__device__ matrix one() { return {1, 0, 0, 1}; }\n";

static uint32_t entry(uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
    return (uint32_t)(((uint64_t)a * b % PRIME + (uint64_t)c * d % PRIME) % PRIME);
}

static matrix times(matrix x, matrix y) {
    return (matrix){entry(x.a, y.a, x.b, y.c), entry(x.a, y.b, x.b, y.d), entry(x.c, y.a, x.d, y.c),
                    entry(x.c, y.b, x.d, y.d)};
}

DEVICE_TEST(products_of_matrices_keep_their_order_across_devices) {
    const jr_structure structure =
        JR_INIT(jr_structure, .name = "matrix", .source = matrix_text, .bytes = sizeof(matrix), .alignment = 4);
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_CUSTOM, .type = JR_STRUCT, .structure = &structure,
                                 .combine = "times(a, b)", .identity = "one()");
    matrix *data = test_bytes(GROUP_COUNT * sizeof *data), *d_data = device_new(device, GROUP_COUNT * sizeof *d_data);
    uint64_t seed = 5;
    jr_value wanted = {.type = JR_STRUCT};
    matrix product = {1, 0, 0, 1};
    for (int i = 0; i < GROUP_COUNT; i++) {
        data[i] = (matrix){(uint32_t)random_below(&seed, 200), (uint32_t)random_below(&seed, 200),
                           (uint32_t)random_below(&seed, 200), (uint32_t)random_below(&seed, 200)};
        product = times(product, data[i]);
    }
    memcpy(wanted.as.bytes, &product, sizeof product);
    device_write(device, d_data, data, GROUP_COUNT * sizeof *data);
    for (size_t d = 0; d < DEVICE_COUNTS; d++) {
        jr_group *group = group_new(device, device_counts[d]);
        assert_parts_make(group, &spec, d_data, sizeof *data, &wanted);
    }
}

/* ---- ties, NaN, nothing ---- */

DEVICE_TEST(ties_and_nans_across_devices_are_those_of_the_whole) {
    const jr_spec first = JR_INIT(jr_spec, .op = JR_OP_ARGMIN, .type = JR_F32);
    float *data = test_bytes(GROUP_COUNT * sizeof *data), *d_data = device_new(device, GROUP_COUNT * sizeof *d_data);
    const struct {
        float at_1, at_4099, at_4100, at_last;
        int64_t wanted;
    } rows[] = {{5, 5, 5, 5, 0}, {5, -1, -1, -1, 4099}, {5, 5, NAN, -1, 4100}, {NAN, 5, NAN, NAN, 1}};
    jr_group *group = group_new(device, GROUP_DEVICES);
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        for (int i = 0; i < GROUP_COUNT; i++) data[i] = 5;
        data[1] = rows[r].at_1;
        data[4099] = rows[r].at_4099;
        data[4100] = rows[r].at_4100;
        data[GROUP_COUNT - 1] = rows[r].at_last;
        device_write(device, d_data, data, GROUP_COUNT * sizeof *data);
        assert_parts_make(group, &first, d_data, sizeof *data, &(jr_value){JR_I64, {.i64 = rows[r].wanted}});
    }
}

/* Sums of states on the host, compared with those of a device, which a finishing expression requires. */
static void assert_sums_alike(const opened *device, size_t count, jr_type type, const void *data, size_t bytes) {
    const jr_spec plain = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = type),
                  finished = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = type, .finish = "a");
    jr_group *group = group_new(device, count);
    unsigned char *d_data = device_new(device, count * bytes);
    const void **arrays = test_zeros(count, sizeof *arrays);
    const void *const **in = test_zeros(count, sizeof *in);
    uint64_t *counts = test_zeros(count, sizeof *counts);
    jr_value values[2] = {{.type = JR_TYPE_NONE}};
    device_write(device, d_data, data, count * bytes);
    for (size_t i = 0; i < count; i++) {
        arrays[i] = d_data + i * bytes;
        in[i] = &arrays[i];
        counts[i] = 1;
    }
    const jr_group_parts parts = JR_INIT(jr_group_parts, .d_in = in, .counts = counts);
    for (int i = 0; i < 2; i++) {
        jr_group_plan *plan = group_plan_held(group, WORK(i == 0 ? &plain : &finished));
        for (int run = 0; run < 2; run++) works(group_values(plan, parts, &values[i]));
    }
    group_assert_same(&values[0], &values[1], 1);
}

TEST(sums_of_states_have_the_bits_of_a_device) {
    const float floats[][GROUP_DEVICES] = {{1e8f, 1, -1e8f, 1, 3, 0x1p-149f, 0x1p-126f},
                                           {-0.0f, -0.0f, -0.0f, -0.0f, -0.0f, -0.0f, -0.0f},
                                           {1, INFINITY, 2, -INFINITY, 3, 4, 5},
                                           {1, NAN, 2, INFINITY, 3, -NAN, 5}};
    const double doubles[][GROUP_DEVICES] = {{1e16, 1, -1e16, 1, 3, 0x1p-1074, 0x1p-1022},
                                             {INFINITY, -NAN, NAN, 1, -INFINITY, 2, 3}};
    const int32_t numbers[GROUP_DEVICES] = {INT32_MAX, INT32_MAX, INT32_MIN, -1, 7, INT32_MIN, INT32_MIN};
    const int64_t long_numbers[GROUP_DEVICES] = {0x7ff4c0de7fb5eed1, 1, 0x7ff4c0de7fb5eed1, -1, INT64_MAX, 5, 1};
    for (size_t count = 1; count <= GROUP_DEVICES; count++) {
        assert_sums_alike(*state, count, JR_I64, long_numbers, sizeof *long_numbers); /* what the host puts there */
        for (size_t i = 0; i < sizeof floats / sizeof *floats; i++)
            assert_sums_alike(*state, count, JR_F32, floats[i], sizeof **floats);
        for (size_t i = 0; i < sizeof doubles / sizeof *doubles; i++)
            assert_sums_alike(*state, count, JR_F64, doubles[i], sizeof **doubles);
        assert_sums_alike(*state, count, JR_I32, numbers, sizeof *numbers);
    }
}

DEVICE_TEST(no_elements_at_all_are_what_nothing_is) {
    const jr_spec sum = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F64),
                  least = JR_INIT(jr_spec, .op = JR_OP_MIN, .type = JR_F64);
    const void *const *none[] = {NULL, NULL, NULL};
    const uint64_t counts[3] = {0};
    const jr_group_parts parts = JR_INIT(jr_group_parts, .d_in = none, .counts = counts);
    jr_group *group = group_new(device, 3);
    jr_value value = {.as.f64 = 7};
    jr_group_plan *plan = group_plan_held(group, WORK(&sum));
    works(group_values(plan, parts, &value));
    assert_true(value.type == JR_F64 && value.as.f64 == 0 && !signbit(value.as.f64));
    works(jr_work_group_plan_create(group, WORK(&least), &plan));
    value.as.f64 = 7;
    fails(group_values(plan, parts, &value), JR_ERROR_EMPTY_INPUT, "min");
    assert_true(value.as.f64 == 7);
    jr_group_plan_destroy(plan);
}

/* ---- what is opened, and what is refused ---- */

static size_t devices_of(const char *devices) {
    jr_group *group = group_held(&JR_INIT(jr_group_options, .devices = devices));
    const size_t count = jr_group_local_count(group);
    assert_int_equal(jr_group_size(group), count);
    assert_int_equal(jr_group_first(group), 0);
    for (size_t i = 0; i < count; i++) assert_non_null(jr_group_context(group, i));
    assert_null(jr_group_context(group, count));
    return count;
}

DEVICE_TEST(devices_are_named_by_one_text) {
    const bool simulated = device->info.simulated;
    assert_int_equal(devices_of(NULL), 1);
    assert_int_equal(devices_of(simulated ? "sim" : "cuda:0"), 1);
    assert_int_equal(devices_of(simulated ? "sim:0,0,0" : "cuda:0,0,0"), 3);
    assert_true(devices_of(simulated ? "sim:all" : "cuda:all") >= 1);
    if (simulated) assert_int_equal(devices_of("sim:4"), 4);
}

static void open_fails(const jr_group_options *options, const char *why) {
    jr_group *group = NULL;
    fails(jr_group_open(options, &group), JR_ERROR_INVALID_ARGUMENT, why);
    assert_null(group);
}

DEVICE_TEST(groups_that_make_no_sense_are_told_why) {
    static const char *const unknown[] = {"sim:", "sim:0,", "sim:x",     "sim:0",     "simple", "cuda:0-2",
                                          "gpu",  "sim:65", "cuda:0,,1", "cuda:1024", "all"};
    jr_context *const contexts[] = {device->context, NULL};
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++)
        open_fails(&JR_INIT(jr_group_options, .devices = unknown[i]), unknown[i]);
    open_fails(&JR_INIT(jr_group_options, .contexts = contexts, .context_count = 2), "options->contexts[1] is NULL");
    open_fails(&JR_INIT(jr_group_options, .contexts = contexts), "0 contexts");
    open_fails(&JR_INIT(jr_group_options, .contexts = contexts, .context_count = 1, .devices = "sim"), "one of them");
    open_fails(&JR_INIT(jr_group_options, .rank = 2, .ranks = 2), "rank 2 of 2");
    open_fails(&JR_INIT(jr_group_options, .ranks = 2), "allgather is NULL");
    open_fails(&JR_INIT(jr_group_options, .wait_limit_ms = NAN), "wait_limit_ms");
    open_fails(&(jr_group_options){.ranks = 1}, "jr_group_options.size is 0");
    fails(jr_group_open(NULL, NULL), JR_ERROR_INVALID_ARGUMENT, "group is NULL");
}

DEVICE_TEST(calls_that_make_no_sense_are_told_why) {
    const jr_status wrong = JR_ERROR_INVALID_ARGUMENT;
    const jr_spec none = JR_INIT(jr_spec), sum = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32);
    jr_group *group = group_new(device, 2);
    jr_group_plan *plan = NULL;
    jr_value value;
    const uint64_t counts[] = {1, 1}, many[] = {UINT64_MAX, 1};
    const void *arrays[] = {device};
    const void *const *null[] = {NULL, NULL}, *const * here[] = {arrays, arrays};
    fails(jr_work_group_plan_create(group, WORK(&none), &plan), wrong, "unknown operator 0");
    fails(jr_work_group_plan_create(NULL, WORK(&sum), &plan), wrong, "NULL");
    assert_null(plan);
    works(jr_work_group_plan_create(group, WORK(&sum), &plan));
    fails(jr_work_group_plan_run(plan, PARTS(.d_in = null, .values = &value)), wrong, "counts is NULL");
    fails(jr_work_group_plan_run(plan, PARTS(.d_in = null, .counts = counts, .values = &value)), wrong,
          "parts->d_in[0] is NULL, but parts->counts[0] is 1");
    fails(jr_work_group_plan_run(plan, PARTS(.d_in = here, .counts = many, .values = &value)), wrong, "beyond 64 bits");
    fails(jr_work_group_plan_run(plan, &(jr_group_parts){.d_in = here}), wrong, "jr_group_parts.size is 0");
    fails(jr_work_group_plan_run(NULL, NULL), wrong, "NULL");
    jr_group_plan_destroy(plan);
    jr_group_close(NULL);
    jr_group_plan_destroy(NULL);
    assert_int_equal(jr_group_size(NULL) + jr_group_local_count(NULL) + jr_group_first(NULL), 0);
    assert_null(jr_group_context(NULL, 0));
}

RUN_TESTS(open_context, close_context)
