/* Calls every public function. */
#include "support/every_call.h"

int32_t every_call_data[EVERY_CALL_COUNT];
const jr_spec every_call_spec = {.size = sizeof(jr_spec), .op = JR_OP_SUM, .type = JR_I32};
static const jr_spec bad = {.size = sizeof(jr_spec), .op = JR_OP_SUM, .type = JR_I32, .unroll = 99};

static const jr_spec *spec_of(const every_world *w) {
    return w->wrong ? &bad : &every_call_spec;
}

/* ---- the calls: each with arguments that are right, or one that is wrong ---- */

static jr_status make_plan(every_world *w, every_outs *o) {
    jr_plan *made = o->pointer;
    const jr_status status = jr_plan_create(w->context, spec_of(w), &made);
    if (status == JR_OK)
        jr_plan_destroy(made);
    else
        o->pointer = made;
    return status;
}

static jr_status make_scan_plan(every_world *w, every_outs *o) {
    jr_plan *made = o->pointer;
    const jr_status status = jr_scan_plan_create(w->context, spec_of(w), JR_SCAN_INCLUSIVE, &made);
    if (status == JR_OK)
        jr_plan_destroy(made);
    else
        o->pointer = made;
    return status;
}

static jr_status make_segment_plan(every_world *w, every_outs *o) {
    const jr_segment_layout rows = JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_EQUAL, .length = 5);
    jr_plan *made = o->pointer;
    const jr_status status = jr_segment_plan_create(w->context, spec_of(w), &rows, &made);
    if (status == JR_OK)
        jr_plan_destroy(made);
    else
        o->pointer = made;
    return status;
}

static jr_status reduce(every_world *w, every_outs *o) {
    return jr_reduce_host(w->context, spec_of(w), every_call_data, EVERY_CALL_COUNT, &o->value);
}

static jr_status reduce_arrays(every_world *w, every_outs *o) {
    const void *arrays[] = {w->wrong ? NULL : every_call_data};
    return jr_reduce_host_arrays(w->context, &every_call_spec, arrays, EVERY_CALL_COUNT, &o->value);
}

static jr_status reduce_axis(every_world *w, every_outs *o) {
    const uint64_t shape[] = {EVERY_CALL_COUNT / 5, 5};
    const void *arrays[] = {every_call_data};
    return jr_reduce_host_axis(w->context, &every_call_spec, arrays, &JR_INIT(jr_axis, shape, 2, w->wrong ? 2 : 1),
                               o->numbers);
}

static jr_status reduce_segments(every_world *w, every_outs *o) {
    const jr_segment_layout ragged = JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_OFFSETS);
    const uint64_t offsets[] = {0, 7, w->wrong ? 3 : 7, EVERY_CALL_COUNT};
    const void *arrays[] = {every_call_data};
    return jr_reduce_host_segments(w->context, &every_call_spec, &ragged, arrays, &JR_INIT(jr_segments, 3, offsets),
                                   o->numbers);
}

static jr_status scan(every_world *w, every_outs *o) {
    return jr_scan_host(w->context, spec_of(w), JR_SCAN_EXCLUSIVE, every_call_data, EVERY_CALL_COUNT, o->numbers);
}

static jr_status wait_for_value(every_world *w, every_outs *o) {
    const void *arrays[] = {w->wrong ? NULL : w->d_in};
    return jr_plan_value(w->plan, arrays, EVERY_CALL_COUNT, NULL, &o->value);
}

static jr_status time_plan(every_world *w, every_outs *o) {
    const void *arrays[] = {w->d_in};
    return jr_plan_time(w->plan, arrays, EVERY_CALL_COUNT, w->d_out, w->wrong ? 0 : 2, &o->cost);
}

static jr_status get_plan_kernel(every_world *w, every_outs *o) {
    return jr_plan_kernel(w->plan, w->wrong ? 9 : 0, (jr_kernel **)&o->pointer);
}

static jr_status get_launch(every_world *w, every_outs *o) {
    return jr_plan_launch_get(w->plan, w->wrong ? 9 : 0, &o->launch);
}

static jr_status get_plan_stats(every_world *w, every_outs *o) {
    return jr_plan_stats(w->wrong ? NULL : w->plan, &o->stats);
}

static jr_status get_device(every_world *w, every_outs *o) {
    return jr_context_device_info(w->wrong ? NULL : w->context, &o->device);
}

static jr_status get_counters(every_world *w, every_outs *o) {
    return jr_context_counters(w->wrong ? NULL : w->context, &o->counters);
}

static jr_status get_wisdom(every_world *w, every_outs *o) {
    return jr_wisdom_info_get(w->wrong ? NULL : w->context, &o->wisdom);
}

static jr_status get_kernel(every_world *w, every_outs *o) {
    const jr_program program = {.size = sizeof program,
                                .name = "empty.cu",
                                .source = w->wrong ? "extern \"C\" __global__ void empty() { wrong }"
                                                   : "extern \"C\" __global__ void empty() {}",
                                .entry = "empty"};
    return jr_kernel_get(w->context, &program, (jr_kernel **)&o->pointer);
}

static jr_status get_kernel_info(every_world *w, every_outs *o) {
    return jr_kernel_info_get(w->wrong ? NULL : w->kernel, &o->kernel);
}

static jr_status get_occupancy(every_world *w, every_outs *o) {
    return jr_kernel_occupancy(w->kernel, w->wrong ? -1 : 128, 0, &o->integer);
}

static jr_status choose_block(every_world *w, every_outs *o) {
    return jr_kernel_block_choose(w->wrong ? NULL : w->kernel, 0, &o->integer, &o->other_integer);
}

static jr_status find_global(every_world *w, every_outs *o) {
    w->wrong = true; /* the kernel has none */
    return jr_kernel_global_find(w->kernel, "none", &o->pointer, &o->bytes);
}

static jr_status allocate(every_world *w, every_outs *o) {
    void *made = o->pointer;
    const jr_status status = jr_memory_new(w->wrong ? NULL : w->context, 64, &made);
    if (status == JR_OK)
        jr_memory_free(w->context, made);
    else
        o->pointer = made;
    return status;
}

static jr_status read_memory(every_world *w, every_outs *o) {
    return jr_memory_read(w->context, o->numbers, w->wrong ? NULL : w->d_in, sizeof every_call_data);
}

static jr_status check_spec(every_world *w, every_outs *o) {
    return jr_reduce_check(spec_of(w), o->types);
}

static jr_status find_result_layout(every_world *w, every_outs *o) {
    return jr_result_layout_of(spec_of(w), &o->layout);
}

static jr_status find_layout(every_world *w, every_outs *o) {
    const uint64_t shape[] = {4, 5};
    return jr_segment_layout_of(&JR_INIT(jr_axis, shape, 2, w->wrong ? 7 : 0), &o->segments, &o->count);
}

static jr_status find_type(every_world *w, every_outs *o) {
    return jr_type_find(w->wrong ? "f33" : "f32", &o->types[0]);
}

static jr_status find_result(every_world *w, every_outs *o) {
    return jr_result_type(w->wrong ? (jr_op)99 : JR_OP_SUM, JR_F32, &o->types[0]);
}

static jr_status spread(every_world *w, every_outs *o) {
    const double numbers[] = {1, 2};
    return jr_spread_of(numbers, w->wrong ? 0 : 2, &o->spread);
}

static jr_status fit(every_world *w, every_outs *o) {
    const double x[] = {1, 2}, y[] = {w->wrong ? 0 : 1, 3};
    return jr_line_fit(x, y, 2, &o->line);
}

static jr_status print(every_world *w, every_outs *o) {
    const jr_value value = {.type = w->wrong ? JR_TYPE_NONE : JR_I32};
    return jr_value_print(&value, o->text, sizeof o->text);
}

static jr_status run_plan(void *user, uint64_t run, jr_stream stream) {
    const every_world *w = user;
    (void)run;
    return jr_plan_run(w->plan, w->d_in, EVERY_CALL_COUNT, w->d_out, NULL, stream);
}

static jr_status measure(every_world *w, every_outs *o) {
    const jr_measure_options options = JR_INIT(jr_measure_options, .rounds = 2, .batch = w->wrong ? -1 : 1);
    const jr_measured item = {run_plan, w};
    return jr_measure(w->context, &options, &item, 1, o->samples, &o->integer);
}

const every_call every_calls[] = {{.name = "jr_plan_create", .make = make_plan, .drives = true},
                                  {.name = "jr_scan_plan_create", .make = make_scan_plan, .drives = true},
                                  {.name = "jr_segment_plan_create", .make = make_segment_plan, .drives = true},
                                  {.name = "jr_reduce_host", .make = reduce, .drives = true},
                                  {.name = "jr_reduce_host_arrays", .make = reduce_arrays, .drives = true},
                                  {.name = "jr_reduce_host_axis", .make = reduce_axis, .drives = true},
                                  {.name = "jr_reduce_host_segments", .make = reduce_segments, .drives = true},
                                  {.name = "jr_scan_host", .make = scan, .drives = true, .copies_back = true},
                                  {.name = "jr_plan_value", .make = wait_for_value, .drives = true},
                                  {.name = "jr_plan_time", .make = time_plan, .drives = true},
                                  {.name = "jr_measure", .make = measure, .drives = true},
                                  {.name = "jr_context_device_info", .make = get_device, .drives = true},
                                  {.name = "jr_kernel_info_get", .make = get_kernel_info, .drives = true},
                                  {.name = "jr_kernel_occupancy", .make = get_occupancy, .drives = true},
                                  {.name = "jr_kernel_block_choose", .make = choose_block, .drives = true},
                                  {.name = "jr_memory_new", .make = allocate, .drives = true},
                                  {.name = "jr_memory_read", .make = read_memory, .drives = true, .copies_back = true},
                                  {.name = "jr_kernel_global_find", .make = find_global},
                                  {.name = "jr_kernel_get", .make = get_kernel},
                                  {.name = "jr_plan_kernel", .make = get_plan_kernel},
                                  {.name = "jr_plan_launch_get", .make = get_launch},
                                  {.name = "jr_plan_stats", .make = get_plan_stats},
                                  {.name = "jr_context_counters", .make = get_counters},
                                  {.name = "jr_wisdom_info_get", .make = get_wisdom},
                                  {.name = "jr_reduce_check", .make = check_spec},
                                  {.name = "jr_result_layout_of", .make = find_result_layout},
                                  {.name = "jr_segment_layout_of", .make = find_layout},
                                  {.name = "jr_type_find", .make = find_type},
                                  {.name = "jr_result_type", .make = find_result},
                                  {.name = "jr_spread_of", .make = spread},
                                  {.name = "jr_line_fit", .make = fit},
                                  {.name = "jr_value_print", .make = print}};

const size_t every_call_count = sizeof every_calls / sizeof *every_calls;
