/* What a C programmer forgets or mixes up was reported as "data is NULL" of an array of addresses, as "0 inputs and a
 * list of 2 operators", or not at all. */
#include <string.h>

#include "support/fixtures/open_context.h"

enum { COUNT = 4 };

static const float few[COUNT] = {1, 2, 3, 4};
static const jr_status wrong = JR_ERROR_INVALID_ARGUMENT;

#define SUM(...) JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F32, __VA_ARGS__)

TEST(a_pointer_that_is_NULL_is_named_with_its_index) {
    jr_context *context = ((const opened *)*state)->context;
    const jr_spec dot = JR_INIT(jr_spec, .op = JR_OP_DOT, .type = JR_F32), sum = SUM(.where = NULL);
    const jr_segment_layout rows = JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_EQUAL, .length = 2);
    const void *const second[] = {few, NULL}, *const first[] = {NULL};
    jr_plan *plan = NULL;
    jr_value value;
    float sums[2];
    fails(jr_reduce_host(context, &sum, few, COUNT, NULL), wrong, "value is NULL");
    fails(jr_reduce_host(NULL, &sum, few, COUNT, NULL), wrong, "context is NULL");
    fails(jr_reduce_host(context, &sum, NULL, COUNT, &value), wrong, "data is NULL, but the count is 4");
    fails(jr_work_run_host(context, WORK(&dot), DATA(.in = second, .count = COUNT, .values = &value)), wrong,
          "data[1] is NULL, but the count is 4");
    fails(jr_work_run_host(context, WORK(&sum, .layout = &rows), DATA(.in = first, .segments = 2, .out = sums)), wrong,
          "data[0] is NULL");
    const jr_work scan = *WORK(&sum, .kind = JR_WORK_SCAN_INCLUSIVE);
    fails(jr_work_run_host(context, &scan, DATA(.in = first, .count = COUNT, .out = sums)), wrong, "data[0] is NULL");
    works(jr_work_plan_create(context, WORK(&dot), &plan));
    fails(jr_work_plan_run(plan, DATA(.in = second, .count = COUNT, .out = sums), NULL, NULL), wrong,
          "d_in[1] is NULL, but the count is 4");
    fails(jr_work_plan_run(plan, DATA(.in = FROM(few, few), .count = COUNT, .out = NULL), NULL, NULL), wrong,
          "the output address is NULL");
    fails(jr_work_plan_run(plan, DATA(.in = FROM(few, few), .count = COUNT, .out = (char *)sums + 1), NULL, NULL),
          wrong, "is not aligned to 4 bytes");
    jr_plan_destroy(plan);
    fails(jr_memory_write(context, NULL, few, 4), wrong, "to is NULL");
    fails(jr_memory_read(context, sums, NULL, 4), wrong, "from is NULL");
}

/* A run in device memory refuses the same, before it looks at an address. */
static void run_fails(jr_context *context, const jr_segment_layout *layout, const jr_work_data *run, bool scan,
                      const char *why) {
    const jr_spec sum = SUM(.where = NULL);
    jr_plan *plan = NULL;
    works(scan ? jr_work_plan_create(context, WORK(&sum, .kind = JR_WORK_SCAN_INCLUSIVE, .layout = layout), &plan)
               : jr_work_plan_create(context, WORK(&sum, .layout = layout), &plan));
    fails(jr_work_plan_run(plan, run, NULL, NULL), wrong, why);
    jr_plan_destroy(plan);
}

TEST(members_of_segments_that_contradict_each_other_are_named) {
    jr_context *context = ((const opened *)*state)->context;
    const jr_spec sum = SUM(.where = NULL);
    const jr_segment_layout rows = JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_EQUAL, .length = 2);
    const jr_segment_layout ragged = JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_OFFSETS);
    const jr_segment_layout keyed = JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_KEYS, .key_type = JR_I32);
    static const uint64_t offsets[] = {0, 1, COUNT};
    static const int keys[COUNT] = {1, 1, 2, 2};
    int found[COUNT];
    uint64_t runs;
    float results[COUNT] = {7, 7, 7, 7};
    const void *const data[] = {few};
    const struct {
        const jr_segment_layout *layout;
        jr_work_data segments;
        const char *why, *scan; /* of a scan; NULL: it takes them */
    } slips[] = {
        {&ragged, JR_INIT(jr_work_data, .offsets = offsets, .count = COUNT),
         "segments is 0, but count is 4: set segments to how many there are", "segments is 0"},
        {&rows, JR_INIT(jr_work_data, .count = COUNT), "segments is 0, but count is 4", "segments is 0"},
        {&rows, JR_INIT(jr_work_data, .segments = COUNT, .count = COUNT),
         "count is 4, but 4 segments of 2 elements have another number", "count is 4"},
        {&rows, JR_INIT(jr_work_data, .segments = 2, .run_keys = found),
         "run_keys is set: only reductions by JR_SEGMENTS_KEYS write it", "run_keys is set"},
        {&ragged, JR_INIT(jr_work_data, .segments = 2, .offsets = offsets, .run_count = &runs),
         "run_count is set: only reductions by JR_SEGMENTS_KEYS", "run_count is set"},
        {&keyed, JR_INIT(jr_work_data, .keys = keys, .count = COUNT, .run_keys = found), NULL,
         "run_keys is set: only reductions by JR_SEGMENTS_KEYS write it; leave it NULL, since a scan writes"},
        {&keyed, JR_INIT(jr_work_data, .count = COUNT), "keys is NULL: JR_SEGMENTS_KEYS needs a key per element",
         "keys is NULL"},
        {&rows, JR_INIT(jr_work_data, .segments = 2, .keys = keys), "keys is set, but layout.kind is JR_SEGMENTS_EQUAL",
         "kind is JR_SEGMENTS_EQUAL"},
        {&rows, JR_INIT(jr_work_data, .segments = 2, .offsets = offsets), "and layout.kind is JR_SEGMENTS_EQUAL: leave",
         "leave offsets NULL, or set kind to JR_SEGMENTS_OFFSETS"},
        {&rows, JR_INIT(jr_work_data, .segments = 2, .count = COUNT), NULL, NULL},
        {&ragged, JR_INIT(jr_work_data, .segments = 2, .count = COUNT, .offsets = offsets), NULL, NULL},
        {&keyed, JR_INIT(jr_work_data, .keys = keys), NULL, NULL}, /* no elements */
    };
    for (size_t i = 0; i < sizeof slips / sizeof *slips; i++) {
        const jr_segment_layout *layout = slips[i].layout;
        const jr_work_data *run = DATA_OF(slips[i].segments, data, results);
        const jr_status reduces = jr_work_run_host(context, WORK(&sum, .layout = layout), run);
        if (slips[i].why != NULL) fails(reduces, wrong, slips[i].why);
        if (slips[i].why == NULL) works(reduces);
        if (slips[i].why != NULL) run_fails(context, layout, run, false, slips[i].why);
        if (slips[i].scan != NULL && (i > 0 /* a scan in device memory may have elements in no segment */))
            run_fails(context, layout, run, true, slips[i].scan);
        const jr_status scans =
            jr_work_run_host(context, WORK(&sum, .kind = JR_WORK_SCAN_INCLUSIVE, .layout = layout), run);
        if (slips[i].scan != NULL) fails(scans, wrong, slips[i].scan);
        if (slips[i].scan == NULL) works(scans);
    }
}

TEST(what_a_reduction_cannot_do_is_said_without_what_it_does) {
    jr_context *context = ((const opened *)*state)->context;
    const jr_spec wave = SUM(.algorithm = JR_ALGORITHM_WAVE), result = SUM(.result = JR_STRUCT);
    const jr_spec accumulate = SUM(.accumulate = JR_STRUCT), all = JR_INIT(jr_spec, .op = JR_OP_MIN, .type = JR_F32);
    const jr_spec least = JR_INIT(jr_spec, .op = JR_OP_MIN, .type = JR_F32, .where = "x > 10");
    jr_value value;
    fails(jr_reduce_host(context, &wave, few, COUNT, &value), JR_ERROR_NOT_APPLICABLE,
          "algorithm wave is for scans, and this is a reduction: set spec.algorithm to 0");
    fails(jr_reduce_host(context, &result, few, COUNT, &value), wrong, "spec.result is JR_STRUCT: leave it 0");
    fails(jr_reduce_host(context, &accumulate, few, COUNT, &value), wrong, "spec.accumulate is JR_STRUCT: leave it 0");
    fails(jr_reduce_host(context, &least, few, COUNT, &value), JR_ERROR_EMPTY_INPUT,
          "min of no elements has no value, and where keeps none: give an initial value (spec.initial)");
    fails(jr_reduce_host(context, &least, few, 0, &value), JR_ERROR_EMPTY_INPUT,
          "min of no elements has no value: give an initial value (spec.initial)");
    fails(jr_reduce_host(context, &all, few, 0, &value), JR_ERROR_EMPTY_INPUT,
          "min of no elements has no value: give an initial value (spec.initial)");
}

TEST(a_copy_that_is_too_long_or_has_no_device_memory_says_so) {
    jr_context *context = ((const opened *)*state)->context;
    static float many[10000];
    void *made = NULL;
    works(jr_memory_new(context, 400, &made));
    char *part = (char *)made + 100;
    fails(jr_memory_write(context, made, many, sizeof many), JR_ERROR_DRIVER,
          "copying 40000 bytes to the device: the allocation has 400 bytes from 0x");
    fails(jr_memory_write(context, part, many, 301), JR_ERROR_DRIVER, "the allocation has 300 bytes from 0x");
    works(jr_memory_write(context, part, many, 300));
    fails(jr_memory_read(context, many, part, 400), JR_ERROR_DRIVER,
          "copying 400 bytes from the device: the allocation has 300 bytes from 0x");
    jr_memory_free(context, made);
    if (!((const opened *)*state)->info.simulated) return; /* a GPU may copy between addresses of the host */
    fails(jr_memory_write(context, many, few, sizeof few), JR_ERROR_DRIVER,
          "is no device memory (an address of the host?)");
    fails(jr_memory_read(context, many, few, sizeof few), JR_ERROR_DRIVER, "is no device memory");
}

TEST(a_list_of_operators_says_which_member_is_missing) {
    jr_context *context = ((const opened *)*state)->context;
    const jr_op ops[] = {JR_OP_SUM, JR_OP_MAX};
    jr_value values[JR_OPS_MAX];
    const jr_work_data data = JR_INIT(jr_work_data, .in = FROM(few), .count = COUNT, .values = values);
    const struct {
        jr_spec spec;
        const char *why;
    } rows[] = {
        {JR_INIT(jr_spec, .type = JR_F32, .op_count = 2), "spec.op_count is 2, but spec.ops is NULL: set ops"},
        {JR_INIT(jr_spec, .type = JR_F32, .ops = ops), "a list of 0 operators: 1 to 8 are allowed (spec.op_count)"},
        {JR_INIT(jr_spec, .type = JR_F32, .ops = ops, .op_count = 8, .kept = 1),
         "a list of 8 operators: 1 to 7 are allowed besides the count of kept elements"},
        {SUM(.ops = ops, .op_count = 2), "spec.op and spec.ops are both set: leave op 0 for a list"},
        {SUM(.input_count = 5), "5 inputs: 1 to 4 are allowed (spec.input_count)"},
        {SUM(.map = "x * k", .parameter_count = 1), "spec.parameter_count is 1, but spec.parameters is NULL"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        fails(jr_work_run_host(context, WORK(&rows[i].spec), &data), wrong, rows[i].why);
    const jr_spec list = JR_INIT(jr_spec, .type = JR_F32, .ops = ops, .op_count = 2);
    const jr_spec kept = SUM(.where = "x > 2", .kept = 1), both = SUM(.input_count = 2, .map = "x + y");
    memset(values, 7, sizeof values);
    const jr_value before = values[1];
    fails(jr_reduce_host(context, &list, few, COUNT, values), wrong,
          "the spec has a list of 2 operators: jr_reduce_host gives one value; use jr_work_run_host");
    fails(jr_reduce_host(context, &both, few, COUNT, values), wrong, "the spec has 2 inputs: jr_reduce_host takes one");
    fails(jr_reduce_host(context, &kept, few, COUNT, values), wrong, "spec.kept asks for a second value");
    assert_memory_equal(&values[1], &before, sizeof before); /* it was written */
    works(jr_work_run_host(context, WORK(&kept), &data));
    assert_int_equal(values[1].as.u64, 2);
}

TEST(a_parameter_without_a_count_is_hinted_at) {
    const jr_parameter k = {"k", {JR_F32, {.f32 = 2}}}, nameless = {NULL, {JR_F32, {.f32 = 2}}};
    const jr_spec uncounted = SUM(.map = "x * k", .parameters = &k);
    const jr_spec unnamed = SUM(.map = "x", .parameters = &nameless, .parameter_count = 1);
    fails(jr_reduce_check(&uncounted, NULL), JR_ERROR_INVALID_EXPRESSION,
          "unknown here: spec.parameters is set, but spec.parameter_count is 0");
    fails(jr_reduce_check(&unnamed, NULL), wrong, "spec.parameters[0].name is NULL");
}

TEST(a_constant_header_or_option_that_is_wrong_is_named) {
    jr_context *context = ((const opened *)*state)->context;
    const jr_named_text nameless[] = {{"A", "1"}, {NULL, "1"}}, textless[] = {{"A", NULL}};
    const char *const options[] = {"--use_fast_math", NULL};
    const jr_program plain = JR_INIT(jr_program, .name = "f", .source = "extern \"C\" __global__ void f(int *x) {}");
    jr_program program = plain;
    jr_kernel *kernel = NULL;
    program.constants = nameless;
    program.constant_count = 2;
    fails(jr_kernel_get(context, &program, &kernel), wrong, "constants[1].name of program f is NULL");
    program.constants = textless;
    program.constant_count = 1;
    fails(jr_kernel_get(context, &program, &kernel), wrong, "constants[0].text of program f is NULL");
    program = plain;
    program.headers = textless;
    program.header_count = 1;
    fails(jr_kernel_get(context, &program, &kernel), wrong, "headers[0].text of program f is NULL");
    program = plain;
    program.options = options;
    program.option_count = 2;
    fails(jr_kernel_get(context, &program, &kernel), wrong, "options[1] of program f is NULL");
    program = plain;
    program.source = NULL;
    fails(jr_kernel_get(context, &program, &kernel), wrong, "program->source is NULL (program f)");
    program.name = NULL;
    fails(jr_kernel_get(context, &program, &kernel), wrong, "program->name is NULL");
    program = plain;
    program.options = (const char *const[]){"--use_fast_math", "--nonsense=3"};
    program.option_count = 2;
    fails(jr_kernel_get(context, &program, &kernel), JR_ERROR_COMPILE, "refuses option '--nonsense=3' of program f: ");
    assert_null(kernel);
}

TEST(a_size_that_was_not_set_is_told_how_to_set) {
    const jr_spec forgotten = {.op = JR_OP_SUM, .type = JR_F32};
    fails(jr_reduce_check(&forgotten, NULL), wrong,
          "jr_spec.size is 0: set it to sizeof(jr_spec), which is 224 here, or make the struct with JR_INIT(jr_spec)");
}

TEST(what_would_have_no_effect_is_refused) {
    const jr_parameter k = {"k", {JR_F32, {.f32 = 2}}};
    const jr_op list[] = {JR_OP_SUM, JR_OP_MAX}, moments[] = {JR_OP_SUM, JR_OP_STD};
    const struct {
        jr_spec spec;
        const char *why; /* NULL: none */
    } rows[] = {
        {SUM(.ddof = 1), "ddof 1 is for var and std, not for sum"},
        {JR_INIT(jr_spec, .ops = list, .op_count = 2, .type = JR_F32, .ddof = 1), "not for this list of operators"},
        {JR_INIT(jr_spec, .ops = moments, .op_count = 2, .type = JR_F32, .ddof = 1), NULL},
        {SUM(.input_count = 2), "the spec has 2 inputs and no expression that uses them: set spec.map"},
        {SUM(.input_count = 2, .where = "y > 0"), NULL},
        {JR_INIT(jr_spec, .op = JR_OP_CUSTOM, .combine = "a + b", .identity = "0", .type = JR_F32, .input_count = 2),
         NULL},
        {SUM(.input_count = 2, .map = "x"), NULL}, /* it may be one of several expressions for the same arrays */
        {SUM(.more_types = {JR_F64}), "spec.more_types[0] is the type of input 2, and the spec has 1"},
        {SUM(.input_count = 2, .more_types = {0, JR_F64}, .map = "y"), "spec.more_types[1] is the type of input 3"},
        {JR_INIT(jr_spec, .op = JR_OP_DOT, .type = JR_F32, .more_types = {JR_F64}), NULL},
        {SUM(.parameters = &k, .parameter_count = 1), NULL}, /* they may be those of several specs */
        {SUM(.unused = 7), "jr_spec.unused is 7, and must be 0: make the struct with JR_INIT(jr_spec)"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].why != NULL)
            fails(jr_reduce_check(&rows[i].spec, NULL), wrong, rows[i].why);
        else
            works(jr_reduce_check(&rows[i].spec, NULL));
}

TEST(segments_say_which_member_is_missing) {
    jr_context *context = ((const opened *)*state)->context;
    const jr_spec sum = SUM(.where = NULL);
    const int keys[COUNT] = {1, 1, 2, 2};
    const void *const arrays[] = {few};
    const jr_segment_layout ragged = JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_OFFSETS),
                            keyed = JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_KEYS, .key_type = JR_I32),
                            odd = JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_EQUAL, .length = 2, .unused = 1);
    const jr_work_data two = JR_INIT(jr_work_data, .segments = 2),
                       four = JR_INIT(jr_work_data, .segments = 4, .keys = keys);
    const jr_work_data uncounted = JR_INIT(jr_work_data, .keys = keys, .count = COUNT);
    float sums[COUNT];
    fails(jr_work_run_host(context, WORK(&sum, .layout = &ragged), DATA_OF(two, arrays, sums)), wrong,
          "offsets is NULL");
    fails(jr_work_run_host(context, WORK(&sum, .layout = &keyed), DATA_OF(four, arrays, sums)), wrong,
          "count is 0, and segments is 4: with keys set count");
    fails(jr_work_run_host(context, WORK(&sum, .layout = &odd), DATA_OF(two, arrays, sums)), wrong,
          "jr_segment_layout.unused is 1");
    works(jr_work_run_host(context, WORK(&sum, .layout = &keyed),
                           DATA_OF(uncounted, arrays, sums))); /* run_count may be NULL */
    assert_true(sums[0] == 3 && sums[1] == 7);
}

TEST(a_mistyped_name_gets_the_one_that_was_meant) {
    jr_op op;
    jr_type type;
    jr_algorithm algorithm;
    fails(jr_op_find("summ", &op), wrong, "logsumexp custom; did you mean 'sum'?");
    fails(jr_op_find("SUM", &op), wrong, "; did you mean 'sum'?");
    fails(jr_op_find("avg", &op), wrong, "; did you mean 'mean'?");
    fails(jr_op_find("argmni", &op), wrong, "; did you mean 'argmin'?");
    fails(jr_type_find("F32", &type), wrong, "; did you mean 'f32'?");
    fails(jr_algorithm_find("two-pass", &algorithm), wrong, "; did you mean 'two_pass'?");
    fails(jr_op_find("median", &op), wrong, "unknown operator 'median'");
    assert_null(strstr(jr_last_error()->message, "did you mean"));
}

TEST(a_group_and_a_context_open_with_defaults) {
    jr_context *context = NULL;
    works(jr_context_open(&JR_INIT(jr_options, .device = ""), &context));
    jr_context_close(context);
    jr_group *group = group_held(NULL);
    assert_int_equal(jr_group_size(group), 1);
}

RUN_TESTS(open_context, close_context)
