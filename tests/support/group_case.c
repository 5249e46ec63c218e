/* Makes groups for tests. */
#include "support/group_case.h"

#include <stdlib.h>
#include <string.h>

void group_specs(jr_spec specs[GROUP_SPECS]) {
    static const jr_op list[] = {JR_OP_MIN, JR_OP_ARGMAX, JR_OP_SUM, JR_OP_MEAN};
    static const jr_value initial = {JR_I64, {.i64 = -1000}};
    static const jr_parameter scale = {.name = "scale", .value = {JR_I64, {.i64 = 3}}};
    const jr_spec all[GROUP_SPECS] = {
        JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32),
        JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32, .initial = &initial, .finish = "a * 2 + (long long)n"),
        JR_INIT(jr_spec, .op = JR_OP_MIN, .type = JR_I32),
        JR_INIT(jr_spec, .op = JR_OP_ARGMIN, .type = JR_I32),
        JR_INIT(jr_spec, .op = JR_OP_ARGMAX, .type = JR_I32, .algorithm = JR_ALGORITHM_TWO_PASS, .grid = 3),
        JR_INIT(jr_spec, .op = JR_OP_MEAN, .type = JR_I32),
        JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32, .map = "x * (long long)i", .map_type = JR_I64),
        JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32, .map = "x * scale", .parameters = &scale,
                .parameter_count = 1),
        JR_INIT(jr_spec, .op = JR_OP_MIN, .type = JR_I32, .where = "i % 5 == 2", .kept = 1),
        JR_INIT(jr_spec, .ops = list, .op_count = 4, .type = JR_I32),
        JR_INIT(jr_spec, .op = JR_OP_XOR, .type = JR_I32, .algorithm = JR_ALGORITHM_ROWS),
        JR_INIT(jr_spec, .op = JR_OP_ANY, .type = JR_I32, .algorithm = JR_ALGORITHM_ONE_BLOCK),
        JR_INIT(jr_spec, .op = JR_OP_COUNT_NONZERO, .type = JR_I32),
        JR_INIT(jr_spec, .op = JR_OP_CUSTOM, .type = JR_I32, .combine = "a != 0 ? a : b", .identity = "0"),
        JR_INIT(jr_spec, .op = JR_OP_CUSTOM, .type = JR_I32, .combine = "b != 0 ? b : a", .identity = "0"),
    };
    memcpy(specs, all, sizeof all);
}

int32_t *group_numbers(void) {
    int32_t *data = malloc(GROUP_COUNT * sizeof *data);
    uint64_t seed = 23;
    assert_non_null(data);
    for (int i = 0; i < GROUP_COUNT; i++) data[i] = (int32_t)(random_bits(&seed) % 9) - 3;
    data[0] = 0;
    return data;
}

void group_cut(size_t count, uint64_t begins[GROUP_DEVICES + 1]) {
    static const uint64_t seven[] = {0, 1, 1, 4099, 4100, 20000, 29999};
    for (size_t i = 0; i < count; i++) begins[i] = seven[i];
    begins[count] = GROUP_COUNT;
}

jr_group *group_new(const opened *device, size_t count) {
    jr_context *contexts[GROUP_DEVICES];
    jr_group *group = NULL;
    for (size_t i = 0; i < count; i++) contexts[i] = device->context;
    const jr_group_options options = JR_INIT(jr_group_options, .contexts = contexts, .context_count = count);
    works(jr_group_open(&options, &group));
    assert_int_equal(jr_group_size(group), count);
    return group;
}

jr_status group_value(jr_group_plan *plan, const void *d_data, size_t element, const uint64_t *begins,
                      jr_value *values) {
    const void *arrays[GROUP_DEVICES];
    const void *const *d_in[GROUP_DEVICES];
    uint64_t counts[GROUP_DEVICES];
    for (size_t i = 0; i < GROUP_DEVICES && begins[i] < GROUP_COUNT; i++) {
        arrays[i] = (const char *)d_data + begins[i] * element;
        d_in[i] = &arrays[i];
        counts[i] = begins[i + 1] - begins[i];
    }
    return jr_group_plan_value(plan, &JR_INIT(jr_group_parts, .d_in = d_in, .counts = counts), values);
}

void group_whole(const opened *device, const jr_spec *spec, const void *d_data, uint64_t count, jr_value *values) {
    jr_plan *plan = NULL;
    works(jr_plan_create(device->context, spec, &plan));
    works(jr_plan_value(plan, (const void *[]){d_data}, count, NULL, values));
    jr_plan_destroy(plan);
}

int group_value_count(const jr_spec *spec) {
    return (spec->op_count > 0 ? spec->op_count : 1) + spec->kept;
}

void group_assert_same(const jr_value *values, const jr_value *wanted, int count) {
    for (int i = 0; i < count; i++) {
        assert_int_equal(values[i].type, wanted[i].type);
        assert_memory_equal(&values[i].as, &wanted[i].as, sizeof values[i].as);
    }
}

jr_status group_open_rank(const opened *device, const jr_group_options *options, jr_group **group) {
    jr_context *const contexts[] = {device->context, device->context};
    jr_group_options own = *options;
    own.contexts = contexts;
    own.context_count = 2;
    return jr_group_open(&own, group);
}
