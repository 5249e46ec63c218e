/* Every function of 0.2 that later versions keep for its name alone, called once. */
#include "forms.h"

enum { COUNT = 6, ROWS = 2, COLUMNS = 3 };

static const int numbers[COUNT] = {3, 1, 4, 1, 5, 9}, keys[COUNT] = {7, 7, 7, 8, 8, 7};
static const void *const arrays[] = {numbers};
static const uint64_t shape[] = {ROWS, COLUMNS};
static const jr_spec sum = {.size = sizeof(jr_spec), .op = JR_OP_SUM, .type = JR_I32};
static const jr_segment_layout rows = {.size = sizeof(jr_segment_layout), .kind = JR_SEGMENTS_EQUAL, .length = COLUMNS},
                               by_key = {
                                   .size = sizeof(jr_segment_layout), .kind = JR_SEGMENTS_KEYS, .key_type = JR_I32};
static const jr_axis first = {.size = sizeof(jr_axis), .shape = shape, .dimensions = 2, .axis = 0};
static const jr_segments of_rows = {.size = sizeof(jr_segments), .count = ROWS, .layout = &rows},
                         of_keys = {.size = sizeof(jr_segments), .elements = COUNT, .keys = keys, .layout = &by_key};

static int is_scan(const int64_t found[COUNT]) {
    const int64_t wanted[COUNT] = {3, 4, 8, 9, 14, 23};
    return memcmp(found, wanted, sizeof wanted) == 0;
}

static int is_rows_scan(const int64_t found[COUNT]) {
    const int64_t wanted[COUNT] = {3, 4, 8, 1, 6, 15};
    return memcmp(found, wanted, sizeof wanted) == 0;
}

static void use_host(jr_context *context) {
    jr_value value;
    int64_t found[COUNT];
    expect(jr_reduce_host_arrays(context, &sum, arrays, COUNT, &value) == JR_OK && value.as.i64 == 23, "arrays");
    expect(jr_reduce_host_segments(context, &sum, &by_key, arrays, &of_keys, found) == JR_OK, "keys");
    expect(found[0] == 8 && found[1] == 6 && found[2] == 9, "sums by keys");
    expect(jr_reduce_host_axis(context, &sum, arrays, &first, found) == JR_OK && found[2] == 13, "an axis");
    expect(jr_scan_host(context, &sum, JR_SCAN_INCLUSIVE, numbers, COUNT, found) == JR_OK && is_scan(found), "a scan");
    expect(jr_scan_host_arrays(context, &sum, JR_SCAN_EXCLUSIVE, arrays, COUNT, found) == JR_OK && found[5] == 14,
           "a scan of arrays");
    expect(jr_scan_host_segments(context, &sum, JR_SCAN_INCLUSIVE, arrays, &of_rows, found) == JR_OK &&
               is_rows_scan(found),
           "a scan of segments");
    expect(jr_scan_host_axis(context, &sum, JR_SCAN_INCLUSIVE, arrays, &first, found) == JR_OK && found[5] == 13,
           "a scan along an axis");
}

/* Device memory of the plans' runs. */
static int *d_in;
static int64_t *d_out;

static void expect_plan(jr_context *context, jr_status made, jr_status ran, int at, int64_t wanted, const char *what) {
    int64_t found[COUNT] = {0};
    expect(made == JR_OK && ran == JR_OK && jr_memory_read(context, found, d_out, sizeof found) == JR_OK &&
               found[at] == wanted,
           what);
}

static void use_plans(jr_context *context) {
    const void *const in[] = {d_in};
    jr_plan *plan = NULL;
    jr_status made = jr_plan_create(context, &sum, &plan);
    expect_plan(context, made, jr_plan_run(plan, d_in, COUNT, d_out, NULL, NULL), 0, 23, "a run");
    expect_plan(context, made, jr_plan_run_arrays(plan, in, 5, d_out, NULL, NULL), 0, 14, "a run of arrays");
    jr_plan_destroy(plan);
    made = jr_segment_plan_create(context, &sum, &rows, &plan);
    expect_plan(context, made, jr_segment_plan_run(plan, d_in, &of_rows, d_out, NULL, NULL), 1, 15, "segments");
    expect_plan(context, made, jr_segment_plan_run_arrays(plan, in, &of_rows, d_out, NULL, NULL), 0, 8, "their arrays");
    jr_plan_destroy(plan);
    made = jr_scan_plan_create(context, &sum, JR_SCAN_EXCLUSIVE, &plan);
    expect_plan(context, made, jr_plan_run(plan, d_in, COUNT, d_out, NULL, NULL), 5, 14, "a scan");
    jr_plan_destroy(plan);
    made = jr_scan_segment_plan_create(context, &sum, JR_SCAN_INCLUSIVE, &rows, &plan);
    expect_plan(context, made, jr_segment_plan_run(plan, d_in, &of_rows, d_out, NULL, NULL), 5, 15, "segments' scan");
    jr_plan_destroy(plan);
}

static void use_states(jr_context *context) {
    const void *const in[] = {d_in};
    const jr_part part = JR_INIT(jr_part, .d_in = in, .count = COUNT);
    jr_plan *states = NULL, *merge = NULL;
    void *d_state = NULL;
    jr_status made = jr_state_plan_create(context, &sum, &states);
    expect(jr_memory_new(context, 64, &d_state) == JR_OK, "room for a state");
    expect(made == JR_OK && jr_state_plan_run(states, &part, d_state, NULL, NULL) == JR_OK, "a state");
    const jr_states one = JR_INIT(jr_states, .d_states = d_state, .count = 1, .elements = COUNT);
    made = jr_merge_plan_create(context, &sum, JR_MERGE_TO_RESULT, &merge);
    expect_plan(context, made, jr_merge_plan_run(merge, &one, d_out, NULL), 0, 23, "a merge");
    jr_plan_destroy(states);
    jr_plan_destroy(merge);
    jr_memory_free(context, d_state);
}

/* A group of the same device twice, each of which has half of the elements: of a row, one after the other. */
static void use_group(jr_context *context) {
    jr_context *const twice[] = {context, context};
    const void *const one[] = {d_in}, *const other[] = {d_in + 3}, *const *const d_parts[] = {one, other};
    static const uint64_t counts[] = {3, 3}, singles[] = {1, 1};
    void *const places[] = {d_out, d_out + 3};
    const jr_segment_layout both_rows[] = {rows, rows};
    const jr_group_options options = JR_INIT(jr_group_options, .contexts = twice, .context_count = 2);
    const jr_group_parts parts = JR_INIT(jr_group_parts, .d_in = d_parts, .counts = counts),
                         row_parts = JR_INIT(jr_group_parts, .d_in = d_parts, .counts = singles);
    jr_group *group = NULL;
    jr_group_plan *plan = NULL;
    jr_allreduce *all = NULL;
    jr_value value;
    int64_t found[COUNT];
    expect(jr_group_open(&options, &group) == JR_OK, "a group");
    expect(jr_group_reduce_host(group, &sum, arrays, COUNT, &value) == JR_OK && value.as.i64 == 23, "its sum");
    expect(jr_group_reduce_host_segments(group, &sum, &rows, arrays, &of_rows, found) == JR_OK && found[1] == 15,
           "its segments");
    expect(jr_group_scan_host(group, &sum, JR_SCAN_INCLUSIVE, arrays, COUNT, found) == JR_OK && is_scan(found),
           "its scan");
    expect(jr_group_scan_host_segments(group, &sum, JR_SCAN_INCLUSIVE, arrays, &of_rows, found) == JR_OK &&
               is_rows_scan(found),
           "its scan of segments");
    expect(jr_group_plan_create(group, &sum, &plan) == JR_OK, "its plan");
    expect(jr_group_plan_value(plan, &parts, &value) == JR_OK && value.as.i64 == 23, "its plan's value");
    jr_group_plan_destroy(plan);
    expect(jr_group_segment_plan_create(group, &sum, both_rows, &plan) == JR_OK, "its plan of segments");
    expect(jr_group_segment_plan_run(plan, &row_parts, found) == JR_OK && found[0] == 23, "its segments' run");
    jr_group_plan_destroy(plan);
    expect(jr_group_scan_plan_create(group, &sum, JR_SCAN_INCLUSIVE, &plan) == JR_OK, "its plan of a scan");
    expect(jr_group_scan_plan_run(plan, &parts, places) == JR_OK && jr_context_wait(context) == JR_OK &&
               jr_memory_read(context, found, d_out, sizeof found) == JR_OK && is_scan(found),
           "its scan's run");
    jr_group_plan_destroy(plan);
    expect(jr_allreduce_create(group, &sum, NULL, &all) == JR_OK, "an all-reduce");
    jr_allreduce_destroy(all);
    expect(jr_allreduce_segment_create(group, &sum, both_rows, NULL, &all) == JR_OK, "an all-reduce of segments");
    jr_allreduce_destroy(all);
    jr_group_close(group);
}

static void use_packs(void) {
    static const char *const architectures[] = {"compute_75"};
    const jr_pack_options how = JR_INIT(jr_pack_options, .architectures = architectures, .architecture_count = 1);
    jr_spec small = sum;
    jr_pack *pack = NULL;
    small.capacity = 1000;
    expect(jr_pack_create(NULL, &how, &pack) == JR_OK, "a pack");
    expect(jr_pack_add_spec(pack, &small) == JR_OK, "a pack of a spec");
    expect(jr_pack_add_scan(pack, &small, JR_SCAN_INCLUSIVE) == JR_OK, "of a scan");
    expect(jr_pack_add_segments(pack, &small, &rows) == JR_OK, "of segments");
    expect(jr_pack_add_scan_segments(pack, &small, JR_SCAN_INCLUSIVE, &rows) == JR_OK, "of a scan of segments");
    jr_pack_destroy(pack);
}

static int stop(void *user, const jr_tune_progress *progress) {
    (void)user, (void)progress;
    return 1;
}

/* The context has no file of tunings. */
static void use_tuning(jr_context *context) {
    const jr_tune_options options = JR_INIT(jr_tune_options, .progress = stop);
    jr_tuned tuned = JR_INIT(jr_tuned);
    expect(jr_tune(context, &sum, 1000, &options, &tuned) == JR_OK, "a tuning");
    expect(jr_tune_scan(context, &sum, JR_SCAN_INCLUSIVE, 1000, &options, &tuned) == JR_OK, "of a scan");
    tuned.complete = 1;
    expect(jr_tuned_store(context, &sum, &tuned) == JR_ERROR_WISDOM, "a tuning has no place");
    expect(jr_tuned_store_scan(context, &sum, JR_SCAN_INCLUSIVE, &tuned) == JR_ERROR_WISDOM, "nor has a scan's");
}

void use_forms(jr_context *context) {
    expect(jr_memory_new(context, sizeof numbers, (void **)&d_in) == JR_OK &&
               jr_memory_new(context, COUNT * sizeof *d_out, (void **)&d_out) == JR_OK &&
               jr_memory_write(context, d_in, numbers, sizeof numbers) == JR_OK,
           "memory of plans");
    use_host(context);
    use_plans(context);
    use_states(context);
    use_group(context);
    use_packs();
    use_tuning(context);
    jr_memory_free(context, d_in);
    jr_memory_free(context, d_out);
}
