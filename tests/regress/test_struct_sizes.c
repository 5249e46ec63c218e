/* Public structs had no size: a program and a library of two versions would have read each other's memory. */
#include "support/fixtures/open_context.h"

/* The call fails because the struct's size is 0. */
#define needs_size(call, name) fails((call), JR_ERROR_INVALID_ARGUMENT, name ".size is 0: set it to sizeof(" name ")")

static const jr_spec sum = {.size = sizeof(jr_spec), .op = JR_OP_SUM, .type = JR_I32};
static const jr_segment_layout pairs = {.size = sizeof(jr_segment_layout), .kind = JR_SEGMENTS_EQUAL, .length = 2};
static const jr_program program = {.size = sizeof(jr_program),
                                   .name = "nothing",
                                   .source = "extern \"C\" __global__ void nothing() {}\n",
                                   .entry = "nothing"};
static const int data[4] = {1, 2, 3, 4};
static const void *const arrays[] = {data};

static void finding(void *user, const jr_finding *found) {
    (void)found;
    ++*(int *)user;
}

DEVICE_TEST(a_spec_without_its_size_is_refused_by_every_function) {
    const jr_spec spec = {.op = JR_OP_SUM, .type = JR_I32};
    const jr_structure structure = {.name = "pair"};
    const jr_spec nested = {.size = sizeof nested, .op = JR_OP_SUM, .type = JR_STRUCT, .structure = &structure};
    const jr_work_data segments = {.size = sizeof segments, .segments = 2};
    jr_context *context = device->context;
    jr_result_layout layout = JR_INIT(jr_result_layout);
    jr_tuned tuned = JR_INIT(jr_tuned);
    jr_value value = {.as.i32 = 77};
    jr_plan *plan = NULL;
    int64_t out[4];
    needs_size(jr_reduce_check(&spec, NULL), "jr_spec");
    needs_size(jr_result_layout_of(&spec, &layout), "jr_spec");
    needs_size(jr_reduce_host(context, &spec, data, 4, &value), "jr_spec");
    needs_size(jr_work_run_host(context, WORK(&spec), DATA(.in = arrays, .count = 4, .values = &value)), "jr_spec");
    needs_size(jr_work_run_host(context, WORK(&spec, .layout = &pairs), DATA_OF(segments, arrays, out)), "jr_spec");
    needs_size(jr_work_run_host(context, WORK(&spec, .kind = JR_WORK_SCAN_INCLUSIVE),
                                DATA(.in = FROM(data), .count = 4, .out = out)),
               "jr_spec");
    needs_size(jr_work_run_host(context, WORK(&spec, .kind = JR_WORK_SCAN_INCLUSIVE),
                                DATA(.in = arrays, .count = 4, .out = out)),
               "jr_spec");
    needs_size(jr_work_plan_create(context, WORK(&spec), &plan), "jr_spec");
    needs_size(jr_work_plan_create(context, WORK(&spec, .kind = JR_WORK_SCAN_INCLUSIVE), &plan), "jr_spec");
    needs_size(jr_work_plan_create(context, WORK(&spec, .layout = &pairs), &plan), "jr_spec");
    needs_size(jr_work_tune(context, WORK(&spec), 4, NULL, &tuned), "jr_spec");
    needs_size(jr_work_tuned_store(context, WORK(&spec), &tuned), "jr_spec");
    needs_size(jr_reduce_check(&nested, NULL), "jr_structure");
    needs_size(jr_work_plan_create(context, WORK(&nested), &plan), "jr_structure");
    assert_null(plan);
    assert_int_equal(value.as.i32, 77);
}

DEVICE_TEST(options_without_their_size_are_refused) {
    const jr_options options = {0};
    const jr_tune_options tune_options = {0};
    const jr_measure_options measure_options = {0};
    const jr_measured item = {0};
    jr_context *context = NULL;
    jr_image *image = NULL;
    jr_tuned tuned = JR_INIT(jr_tuned);
    double us;
    int findings = 0;
    needs_size(jr_context_open(&options, &context), "jr_options");
    needs_size(jr_doctor(&options, finding, &findings), "jr_options");
    needs_size(jr_image_compile(&options, &program, "sm_80", &image), "jr_options");
    needs_size(jr_work_tune(device->context, WORK(&sum), 4, &tune_options, &tuned), "jr_tune_options");
    needs_size(jr_measure(device->context, &measure_options, &item, 1, &us, NULL), "jr_measure_options");
    assert_null(context);
    assert_null(image);
    assert_int_equal(findings, 0);
}

DEVICE_TEST(kernels_and_segments_without_their_sizes_are_refused) {
    const jr_program no_program = {.name = "x"};
    const jr_launch launch = {.grid = {1}, .block = {1}};
    const jr_segment_layout layout = {.kind = JR_SEGMENTS_EQUAL, .length = 2};
    const jr_work_data segments = {.segments = 2}, sized = {.size = sizeof sized, .count = 2};
    const jr_axis axis = {.dimensions = 1};
    jr_segment_layout found = JR_INIT(jr_segment_layout);
    jr_kernel *kernel = NULL;
    jr_image *image = NULL;
    jr_plan *plan = NULL;
    uint64_t count;
    int64_t out[2];
    needs_size(jr_kernel_get(device->context, &no_program, &kernel), "jr_program");
    needs_size(jr_image_compile(NULL, &no_program, "sm_80", &image), "jr_program");
    works(jr_kernel_get(device->context, &program, &kernel));
    needs_size(jr_kernel_launch(kernel, &launch, NULL), "jr_launch");
    needs_size(jr_work_plan_create(device->context, WORK(&sum, .layout = &layout), &plan), "jr_segment_layout");
    needs_size(jr_work_run_host(device->context, WORK(&sum, .layout = &layout), DATA_OF(sized, arrays, out)),
               "jr_segment_layout");
    needs_size(jr_work_run_host(device->context, WORK(&sum, .layout = &pairs), DATA_OF(segments, arrays, out)),
               "jr_work_data");
    needs_size(jr_segment_layout_of(&axis, &found, &count), "jr_axis");
    needs_size(jr_work_run_host(device->context, WORK(&sum, .axis = &axis), DATA(.in = arrays, .out = out)), "jr_axis");
    works(jr_work_plan_create(device->context, WORK(&sum, .layout = &pairs), &plan));
    needs_size(jr_work_plan_run(plan, DATA_OF(segments, FROM(data), out), NULL, NULL), "jr_work_data");
    jr_plan_destroy(plan);
}

DEVICE_TEST(what_the_library_fills_needs_its_size) {
    const uint64_t shape[1] = {4};
    const jr_axis axis = JR_INIT(jr_axis, shape, 1, 0);
    jr_kernel *kernel;
    uint64_t count = 77;
    jr_plan *plan = plan_held(device, WORK(&sum));
    works(jr_kernel_get(device->context, &program, &kernel));
    needs_size(jr_context_device_info(device->context, &(jr_device_info){0}), "jr_device_info");
    needs_size(jr_context_stats(device->context, &(jr_stats){0}), "jr_stats");
    needs_size(jr_context_counters(device->context, &(jr_counters){0}), "jr_counters");
    needs_size(jr_plan_stats(plan, &(jr_stats){0}), "jr_stats");
    needs_size(jr_plan_time(plan, arrays, 4, NULL, 1, &(jr_run_cost){0}), "jr_run_cost");
    needs_size(jr_plan_launch_get(plan, 0, &(jr_launch){0}), "jr_launch");
    needs_size(jr_kernel_info_get(kernel, &(jr_kernel_info){0}), "jr_kernel_info");
    needs_size(jr_segment_layout_of(&axis, &(jr_segment_layout){0}, &count), "jr_segment_layout");
    needs_size(jr_wisdom_info_get(device->context, &(jr_wisdom_info){0}), "jr_wisdom_info");
    needs_size(jr_work_tune(device->context, WORK(&sum), 4, NULL, &(jr_tuned){0}), "jr_tuned");
    needs_size(jr_work_tuned_store(device->context, WORK(&sum), &(jr_tuned){0}), "jr_tuned");
    needs_size(jr_result_layout_of(&sum, &(jr_result_layout){0}), "jr_result_layout");
    assert_int_equal(count, 77);
}

DEVICE_TEST(a_header_of_a_later_version_works_as_long_as_it_asks_for_nothing_new) {
    struct {
        jr_spec spec;
        uint64_t later[3];
    } made = {.spec = {.size = sizeof made, .op = JR_OP_SUM, .type = JR_I32}};
    struct {
        jr_stats stats;
        uint64_t later[3], behind;
    } filled = {.stats = {.size = sizeof filled.stats + sizeof filled.later}, .later = {7, 7, 7}, .behind = 7};
    jr_value value;
    works(jr_reduce_host(device->context, &made.spec, data, 4, &value));
    assert_int_equal(value.as.i64, 10);
    works(jr_context_stats(device->context, &filled.stats));
    assert_int_equal(filled.stats.size, sizeof filled.stats + sizeof filled.later);
    assert_int_equal(filled.stats.launches, 1);
    for (int i = 0; i < 3; i++) assert_int_equal(filled.later[i], 0);
    assert_int_equal(filled.behind, 7);
    made.later[2] = 1;
    fails(jr_reduce_host(device->context, &made.spec, data, 4, &value), JR_ERROR_INVALID_ARGUMENT,
          "update the library");
}

TEST(what_the_library_lends_says_its_size) {
    assert_int_equal(jr_last_error()->size, sizeof(jr_error));
    assert_int_equal(jr_version_number(), JR_VERSION_NUMBER);
}

RUN_TESTS(open_context, close_context)
