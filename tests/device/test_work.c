/* Works: every kind and layout through the ten functions that carry them out, and what those refuse. */
#include <string.h>

#include "support/fixtures/group_case.h"

enum { COUNT = 12, ROWS = 3, COLUMNS = 4, CASES_MAX = 16 };

static const int32_t numbers[COUNT] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8};
static const void *const arrays[] = {numbers};
static const uint64_t shape[] = {ROWS, COLUMNS}, offsets[] = {0, 2, 2, 12};
static const int32_t keys[COUNT] = {7, 7, 7, 2, 2, 9, 9, 9, 9, 9, 7, 7};
static const jr_spec sum = {.size = sizeof(jr_spec), .op = JR_OP_SUM, .type = JR_I32};
static const jr_segment_layout rows = {.size = sizeof(jr_segment_layout), .kind = JR_SEGMENTS_EQUAL, .length = COLUMNS},
                               ragged = {.size = sizeof(jr_segment_layout), .kind = JR_SEGMENTS_OFFSETS},
                               by_key = {
                                   .size = sizeof(jr_segment_layout), .kind = JR_SEGMENTS_KEYS, .key_type = JR_I32};
static const jr_axis first_axis = {.size = sizeof(jr_axis), .shape = shape, .dimensions = 2, .axis = 0};

/* A work, its data but for the places, and its results. */
typedef struct work_case {
    jr_work work;
    jr_work_data data;
    int results;
    int64_t wanted[COUNT];
} work_case;

#define OF_SUM(...)   JR_INIT(jr_work, .spec = &sum, __VA_ARGS__)
#define ELEMENTS(...) JR_INIT(jr_work_data, .count = COUNT, __VA_ARGS__)

/* Those whose results are written one after the other, on the host as on the device. Sums were done by hand. */
static int work_cases(work_case cases[CASES_MAX]) {
    static uint64_t runs;
    const work_case all[] = {
        {OF_SUM(.kind = JR_WORK_SCAN_INCLUSIVE),
         ELEMENTS(.first = 0),
         12,
         {3, 4, 8, 9, 14, 23, 25, 31, 36, 39, 44, 52}},
        {OF_SUM(.kind = JR_WORK_SCAN_EXCLUSIVE), ELEMENTS(.first = 0), 12, {0, 3, 4, 8, 9, 14, 23, 25, 31, 36, 39, 44}},
        {OF_SUM(.layout = &rows), ELEMENTS(.segments = ROWS), 3, {9, 22, 21}},
        {OF_SUM(.layout = &ragged), ELEMENTS(.segments = 3, .offsets = offsets), 3, {4, 0, 48}},
        {OF_SUM(.layout = &by_key), ELEMENTS(.keys = keys, .run_count = &runs), 4, {8, 6, 25, 13}},
        {OF_SUM(.axis = &first_axis), ELEMENTS(.first = 0), 4, {13, 13, 11, 15}},
        {OF_SUM(.kind = JR_WORK_SCAN_INCLUSIVE, .layout = &rows),
         ELEMENTS(.segments = ROWS),
         12,
         {3, 4, 8, 9, 5, 14, 16, 22, 5, 8, 13, 21}},
        {OF_SUM(.kind = JR_WORK_SCAN_EXCLUSIVE, .layout = &by_key),
         ELEMENTS(.keys = keys),
         12,
         {0, 3, 4, 0, 1, 0, 9, 11, 17, 22, 0, 5}},
        {OF_SUM(.kind = JR_WORK_SCAN_INCLUSIVE, .axis = &first_axis),
         ELEMENTS(.first = 0),
         12,
         {3, 1, 4, 1, 8, 10, 6, 7, 13, 13, 11, 15}}};
    _Static_assert(sizeof all / sizeof *all <= CASES_MAX, "raise CASES_MAX");
    memcpy(cases, all, sizeof all);
    return sizeof all / sizeof *all;
}

DEVICE_TEST(every_kind_and_layout_runs_on_host_memory) {
    const jr_work work = OF_SUM(.kind = JR_WORK_REDUCE);
    work_case cases[CASES_MAX];
    jr_value value;
    works(jr_work_run_host(device->context, &work, &ELEMENTS(.in = arrays, .values = &value)));
    assert_int_equal(value.as.i64, 52);
    const int count = work_cases(cases);
    for (int c = 0; c < count; c++) {
        int64_t found[COUNT] = {0};
        cases[c].data.in = arrays;
        cases[c].data.out = found;
        works(jr_work_run_host(device->context, &cases[c].work, &cases[c].data));
        assert_memory_equal(found, cases[c].wanted, (size_t)cases[c].results * sizeof *found);
        if (cases[c].data.run_count != NULL) assert_int_equal(*cases[c].data.run_count, 4);
    }
}

DEVICE_TEST(every_kind_and_layout_is_a_plan) {
    work_case cases[CASES_MAX];
    uint64_t *d_offsets = device_new(device, sizeof offsets);
    int32_t *d_numbers = device_new(device, sizeof numbers), *d_keys = device_new(device, sizeof keys);
    int64_t *d_out = device_new(device, COUNT * sizeof *d_out);
    const void *const d_arrays[] = {d_numbers};
    device_write(device, d_numbers, numbers, sizeof numbers);
    device_write(device, d_keys, keys, sizeof keys);
    device_write(device, d_offsets, offsets, sizeof offsets);
    const int count = work_cases(cases);
    for (int c = 0; c < count; c++) {
        int64_t found[COUNT];
        jr_work_data *data = &cases[c].data;
        data->in = d_arrays;
        data->out = d_out;
        if (data->offsets != NULL) data->offsets = d_offsets;
        if (data->keys != NULL) data->keys = d_keys;
        data->run_count = NULL;
        jr_plan *plan = plan_held(device, &cases[c].work);
        works(jr_work_plan_run(plan, data, NULL, NULL));
        device_read(device, found, d_out, sizeof found);
        assert_memory_equal(found, cases[c].wanted, (size_t)cases[c].results * sizeof *found);
    }
}

DEVICE_TEST(parts_become_states_which_are_merged) {
    const jr_spec where_most = JR_INIT(jr_spec, .op = JR_OP_ARGMAX, .type = JR_I32);
    const jr_work part = JR_INIT(jr_work, .spec = &where_most, .kind = JR_WORK_STATE),
                  merge = JR_INIT(jr_work, .spec = &where_most, .kind = JR_WORK_MERGE),
                  again = JR_INIT(jr_work, .spec = &where_most, .kind = JR_WORK_MERGE_STATES);
    jr_plan *parts = NULL, *merged = NULL, *state_of_all = NULL;
    works(jr_work_plan_create(device->context, &part, &parts));
    works(jr_work_plan_create(device->context, &merge, &merged));
    works(jr_work_plan_create(device->context, &again, &state_of_all));
    const size_t bytes = jr_merge_plan_state_bytes(merged);
    char *d_states = device_new(device, 768), *d_aligned = d_states + 256, *d_whole = d_states + 512;
    int32_t *d_numbers = device_new(device, sizeof numbers);
    int64_t *d_out = device_new(device, sizeof *d_out), found = -1;
    device_write(device, d_numbers, numbers, sizeof numbers);
    for (uint64_t p = 0; p < 2; p++) {
        const void *const in[] = {d_numbers + p * 5};
        const jr_work_data half =
            JR_INIT(jr_work_data, .in = in, .count = p == 0 ? 5 : 7, .out = d_aligned, .first = p * 5);
        works(jr_work_plan_run(parts, &half, NULL, NULL));
        works(jr_stream_copy(device->context, d_states + p * bytes, d_aligned, bytes, NULL));
    }
    const void *const states[] = {d_states}, *const whole[] = {d_whole};
    const jr_work_data both = JR_INIT(jr_work_data, .in = states, .states = 2, .out = d_whole),
                       one = JR_INIT(jr_work_data, .in = whole, .states = 1, .count = COUNT, .out = d_out);
    works(jr_work_plan_run(state_of_all, &both, NULL, NULL));
    works(jr_work_plan_run(merged, &one, NULL, NULL));
    device_read(device, &found, d_out, sizeof found);
    assert_int_equal(found, 5); /* the 9 */
    jr_plan_destroy(parts);
    jr_plan_destroy(merged);
    jr_plan_destroy(state_of_all);
}

/* With a capacity a pack has few kernels. */
TEST(every_kind_and_layout_goes_into_a_pack) {
    static const char *const architectures[] = {"compute_75"};
    const jr_pack_options how = JR_INIT(jr_pack_options, .architectures = architectures, .architecture_count = 1);
    work_case cases[CASES_MAX];
    const int count = work_cases(cases);
    jr_pack *pack = NULL;
    works(jr_pack_create(NULL, &how, &pack));
    for (int c = 0; c < count; c++) {
        jr_spec of_count = *cases[c].work.spec;
        of_count.capacity = COUNT;
        cases[c].work.spec = &of_count;
        works(jr_work_pack_add(pack, &cases[c].work));
    }
    jr_pack_destroy(pack);
}

DEVICE_TEST(a_group_runs_on_host_memory) {
    jr_group *group = group_new(device, 2);
    const jr_work work = OF_SUM(.kind = JR_WORK_REDUCE);
    work_case cases[CASES_MAX];
    jr_value value;
    works(jr_work_group_host(group, &work, &ELEMENTS(.in = arrays, .values = &value)));
    assert_int_equal(value.as.i64, 52);
    const int count = work_cases(cases);
    for (int c = 0; c < count; c++) {
        int64_t found[COUNT] = {0};
        cases[c].data.in = arrays;
        cases[c].data.out = found;
        works(jr_work_group_host(group, &cases[c].work, &cases[c].data));
        assert_memory_equal(found, cases[c].wanted, (size_t)cases[c].results * sizeof *found);
    }
}

/* Each of two devices has half of the elements, or of each row. */
typedef struct halves {
    int32_t *d_numbers;
    const void *in[2][1];
    const void *const *d_in[2];
} halves;

static void halves_make(const opened *device, halves *made) {
    made->d_numbers = device_new(device, sizeof numbers);
    device_write(device, made->d_numbers, numbers, sizeof numbers);
    for (int h = 0; h < 2; h++) {
        made->in[h][0] = made->d_numbers + h * COUNT / 2;
        made->d_in[h] = made->in[h];
    }
}

DEVICE_TEST(a_group_runs_on_its_devices) {
    static const uint64_t counts[] = {COUNT / 2, COUNT / 2}, row_counts[] = {3, 3};
    const jr_segment_layout pairs = JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_EQUAL, .length = 2),
                            each_pairs[] = {pairs, pairs};
    const jr_work reduce = OF_SUM(.kind = JR_WORK_REDUCE), scan = OF_SUM(.kind = JR_WORK_SCAN_INCLUSIVE),
                  segments = OF_SUM(.layout = each_pairs);
    jr_group *group = group_new(device, 2);
    jr_value value;
    int64_t found[COUNT];
    halves of;
    halves_make(device, &of);
    int64_t *d_out = device_new(device, sizeof found);
    void *const places[] = {d_out, d_out + COUNT / 2};
    jr_group_plan *plan = group_plan_held(group, &reduce);
    works(jr_work_group_plan_run(plan, PARTS(.d_in = of.d_in, .counts = counts, .values = &value)));
    assert_int_equal(value.as.i64, 52);
    fails(jr_work_group_plan_run(plan, PARTS(.d_in = of.d_in, .counts = counts, .d_out = places)),
          JR_ERROR_INVALID_ARGUMENT, "parts->d_out is set: this plan of a group reduces, and writes to values");
    works(jr_work_group_plan_create(group, &scan, &plan));
    works(jr_work_group_plan_run(plan, PARTS(.d_in = of.d_in, .counts = counts, .d_out = places)));
    works(jr_context_wait(device->context));
    device_read(device, found, d_out, sizeof found);
    assert_int_equal(found[COUNT - 1], 52);
    assert_int_equal(found[5], 23);
    jr_group_plan_destroy(plan);
    works(jr_work_group_plan_create(group, &segments, &plan));
    works(jr_work_group_plan_run(plan, PARTS(.d_in = of.d_in, .counts = row_counts, .results = found)));
    assert_int_equal(found[0], 3 + 1 + 2 + 6);
    assert_int_equal(found[2], 5 + 9 + 5 + 8);
    jr_group_plan_destroy(plan);
}

DEVICE_TEST(every_device_gets_the_result) {
    static const uint64_t counts[] = {COUNT / 2, COUNT / 2};
    const jr_work reduce = OF_SUM(.kind = JR_WORK_REDUCE), scan = OF_SUM(.kind = JR_WORK_SCAN_INCLUSIVE);
    jr_group *group = group_new(device, 2);
    jr_allreduce *all = NULL;
    int64_t found[2], *d_out = device_new(device, sizeof found);
    void *const places[] = {d_out, d_out + 1};
    halves of;
    halves_make(device, &of);
    fails(jr_work_allreduce_create(group, &scan, NULL, &all), JR_ERROR_INVALID_ARGUMENT,
          "work->kind is JR_WORK_SCAN_INCLUSIVE, and an all-reduce takes reductions only");
    works(jr_work_allreduce_create(group, &reduce, NULL, &all));
    works(jr_allreduce_run(all, PARTS(.d_in = of.d_in, .counts = counts), places));
    works(jr_allreduce_wait(all));
    device_read(device, found, d_out, sizeof found);
    assert_int_equal(found[0], 52);
    assert_int_equal(found[1], 52);
    jr_allreduce_destroy(all);
}

RUN_TESTS(open_context, close_context)
