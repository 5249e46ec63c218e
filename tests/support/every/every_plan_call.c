/* Calls of every public function of plans, reductions, segments, scans, partial states, tuning and measuring. */
#include "every_call.h"

static void *output_of(const every_world *w) {
    return (char *)w->d_out + (w->wrong ? 1 : 0);
}

/* ---- plans ---- */

static jr_status make_plan(every_world *w, every_outs *o) {
    jr_plan *made = o->pointer;
    const jr_status status = jr_plan_create(w->context, every_call_spec_of(w), &made);
    return every_call_made(status, made, o);
}

static jr_status make_scan_plan(every_world *w, every_outs *o) {
    jr_plan *made = o->pointer;
    const jr_status status = jr_scan_plan_create(w->context, every_call_spec_of(w), JR_SCAN_INCLUSIVE, &made);
    return every_call_made(status, made, o);
}

static jr_status make_segment_plan(every_world *w, every_outs *o) {
    jr_plan *made = o->pointer;
    const jr_status status = jr_segment_plan_create(w->context, every_call_spec_of(w), &every_call_rows, &made);
    return every_call_made(status, made, o);
}

static jr_status run(every_world *w, every_outs *o) {
    (void)o;
    return jr_plan_run(w->plan, w->d_in, EVERY_CALL_COUNT, output_of(w), NULL, NULL);
}

static jr_status run_arrays(every_world *w, every_outs *o) {
    const void *arrays[] = {w->d_in};
    (void)o;
    return jr_plan_run_arrays(w->plan, arrays, EVERY_CALL_COUNT, output_of(w), w->workspace, NULL);
}

static jr_status run_segments(every_world *w, every_outs *o) {
    (void)o;
    return jr_segment_plan_run(w->rows, w->d_in, &JR_INIT(jr_segments, EVERY_CALL_COUNT / EVERY_CALL_ROW, NULL),
                               output_of(w), NULL, NULL);
}

static jr_status run_segment_arrays(every_world *w, every_outs *o) {
    const void *arrays[] = {w->d_in};
    (void)o;
    return jr_segment_plan_run_arrays(w->rows, arrays, &JR_INIT(jr_segments, EVERY_CALL_COUNT / EVERY_CALL_ROW, NULL),
                                      output_of(w), NULL, NULL);
}

static jr_status prepare_workspace(every_world *w, every_outs *o) {
    (void)o;
    return jr_plan_workspace_prepare(w->plan, (char *)w->workspace + (w->wrong ? 1 : 0), NULL);
}

/* A value of another type is refused, and runs go on with the one that was there. */
static jr_status set_parameter(every_world *w, every_outs *o) {
    const void *arrays[] = {w->d_in};
    const jr_value scale = {.type = w->wrong ? JR_F64 : JR_I32, .as.i32 = w->wrong ? 0 : EVERY_CALL_SCALE};
    jr_value value;
    const jr_status status = jr_plan_parameter_set(w->scaled, "scale", &scale);
    works(jr_plan_value(w->scaled, arrays, EVERY_CALL_COUNT, NULL, &value));
    if (value.as.i64 != EVERY_CALL_SCALE * EVERY_CALL_COUNT * (EVERY_CALL_COUNT - 1) / 2) o->value = value;
    return status;
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

/* ---- host memory ---- */

static jr_status reduce(every_world *w, every_outs *o) {
    return jr_reduce_host(w->context, every_call_spec_of(w), every_call_data, EVERY_CALL_COUNT, &o->value);
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
    return jr_scan_host(w->context, every_call_spec_of(w), JR_SCAN_EXCLUSIVE, every_call_data, EVERY_CALL_COUNT,
                        o->numbers);
}

static jr_status scan_arrays(every_world *w, every_outs *o) {
    const void *arrays[] = {w->wrong ? NULL : every_call_data};
    return jr_scan_host_arrays(w->context, &every_call_spec, JR_SCAN_INCLUSIVE, arrays, EVERY_CALL_COUNT, o->numbers);
}

/* ---- tuning and measuring ---- */

static int stop(void *user, const jr_tune_progress *progress) {
    (void)user, (void)progress;
    return 1;
}

static jr_status tune(every_world *w, every_outs *o) {
    return jr_tune(w->context, every_call_spec_of(w), EVERY_CALL_COUNT, &JR_INIT(jr_tune_options, .progress = stop),
                   &o->tuned);
}

static jr_status store(every_world *w, every_outs *o) {
    const jr_tuned tuned = JR_INIT(jr_tuned, .count = EVERY_CALL_COUNT, .complete = !w->wrong);
    (void)o;
    return jr_tuned_store(w->context, &every_call_spec, &tuned);
}

static jr_status tune_scan(every_world *w, every_outs *o) {
    return jr_tune_scan(w->context, every_call_spec_of(w), JR_SCAN_INCLUSIVE, EVERY_CALL_COUNT,
                        &JR_INIT(jr_tune_options, .progress = stop), &o->tuned);
}

static jr_status store_scan(every_world *w, every_outs *o) {
    const jr_tuned tuned = JR_INIT(jr_tuned, .count = EVERY_CALL_COUNT, .complete = !w->wrong);
    (void)o;
    return jr_tuned_store_scan(w->context, &every_call_spec, JR_SCAN_INCLUSIVE, &tuned);
}

static jr_status run_plan(void *user, uint64_t number, jr_stream stream) {
    const every_world *w = user;
    (void)number;
    return jr_plan_run(w->plan, w->d_in, EVERY_CALL_COUNT, w->d_out, NULL, stream);
}

static jr_status measure(every_world *w, every_outs *o) {
    const jr_measure_options options = JR_INIT(jr_measure_options, .rounds = 2, .batch = w->wrong ? -1 : 1);
    const jr_measured item = {run_plan, w};
    return jr_measure(w->context, &options, &item, 1, o->samples, &o->integer);
}

/* ---- partial states, and scans of segments ---- */

static jr_status make_state_plan(every_world *w, every_outs *o) {
    jr_plan *made = o->pointer;
    const jr_status status = jr_state_plan_create(w->context, every_call_spec_of(w), &made);
    return every_call_made(status, made, o);
}

static jr_status make_merge_plan(every_world *w, every_outs *o) {
    jr_plan *made = o->pointer;
    const jr_status status = jr_merge_plan_create(w->context, every_call_spec_of(w), JR_MERGE_TO_RESULT, &made);
    return every_call_made(status, made, o);
}

static jr_status make_segment_scan_plan(every_world *w, every_outs *o) {
    jr_plan *made = o->pointer;
    const jr_status status =
        jr_scan_segment_plan_create(w->context, every_call_spec_of(w), JR_SCAN_INCLUSIVE, &every_call_rows, &made);
    return every_call_made(status, made, o);
}

static jr_status run_state(every_world *w, every_outs *o) {
    const void *arrays[] = {w->d_in};
    (void)o;
    return jr_state_plan_run(w->states, &JR_INIT(jr_part, .d_in = arrays, .count = EVERY_CALL_COUNT),
                             (char *)w->d_out + (w->wrong ? 1 : 0), NULL, NULL);
}

/* Elements are states as good as any, of sums of them. */
static jr_status run_merge(every_world *w, every_outs *o) {
    const jr_states states =
        JR_INIT(jr_states, .d_states = (char *)w->d_in + (w->wrong ? 4 : 0), .count = 2, .elements = 2);
    (void)o;
    return jr_merge_plan_run(w->merge, &states, w->d_out, NULL);
}

static jr_status scan_segments(every_world *w, every_outs *o) {
    const jr_segment_layout ragged = JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_OFFSETS);
    const uint64_t offsets[] = {0, 7, w->wrong ? 3 : 7, EVERY_CALL_COUNT};
    const void *arrays[] = {every_call_data};
    const jr_segments segments = JR_INIT(jr_segments, .count = 3, .offsets = offsets, .layout = &ragged);
    return jr_scan_host_segments(w->context, &every_call_spec, JR_SCAN_INCLUSIVE, arrays, &segments, o->numbers);
}

static jr_status scan_axis(every_world *w, every_outs *o) {
    const uint64_t shape[] = {EVERY_CALL_COUNT / 5, 5};
    const void *arrays[] = {every_call_data};
    const jr_axis axis = JR_INIT(jr_axis, .shape = shape, .dimensions = 2, .axis = w->wrong ? 2 : 0);
    return jr_scan_host_axis(w->context, &every_call_spec, JR_SCAN_EXCLUSIVE, arrays, &axis, o->numbers);
}

const every_call every_plan_call[] = {
    {.name = "jr_plan_create", .make = make_plan, .drives = true},
    {.name = "jr_scan_plan_create", .make = make_scan_plan, .drives = true},
    {.name = "jr_segment_plan_create", .make = make_segment_plan, .drives = true},
    {.name = "jr_plan_run", .make = run, .drives = true},
    {.name = "jr_plan_run_arrays", .make = run_arrays, .drives = true},
    {.name = "jr_segment_plan_run", .make = run_segments, .drives = true},
    {.name = "jr_segment_plan_run_arrays", .make = run_segment_arrays, .drives = true},
    {.name = "jr_plan_workspace_prepare", .make = prepare_workspace, .drives = true},
    {.name = "jr_plan_parameter_set", .make = set_parameter},
    {.name = "jr_plan_value", .make = wait_for_value, .drives = true},
    {.name = "jr_plan_time", .make = time_plan, .drives = true},
    {.name = "jr_plan_kernel", .make = get_plan_kernel},
    {.name = "jr_plan_launch_get", .make = get_launch},
    {.name = "jr_plan_stats", .make = get_plan_stats},
    {.name = "jr_reduce_host", .make = reduce, .drives = true},
    {.name = "jr_reduce_host_arrays", .make = reduce_arrays, .drives = true},
    {.name = "jr_reduce_host_axis", .make = reduce_axis, .drives = true},
    {.name = "jr_reduce_host_segments", .make = reduce_segments, .drives = true},
    {.name = "jr_scan_host", .make = scan, .drives = true, .copies_back = true},
    {.name = "jr_scan_host_arrays", .make = scan_arrays, .drives = true, .copies_back = true},
    {.name = "jr_tune", .make = tune, .drives = true},
    {.name = "jr_tuned_store", .make = store},
    {.name = "jr_tune_scan", .make = tune_scan, .drives = true},
    {.name = "jr_tuned_store_scan", .make = store_scan},
    {.name = "jr_measure", .make = measure, .drives = true},
    {.name = "jr_state_plan_create", .make = make_state_plan, .drives = true},
    {.name = "jr_merge_plan_create", .make = make_merge_plan, .drives = true},
    {.name = "jr_scan_segment_plan_create", .make = make_segment_scan_plan, .drives = true},
    {.name = "jr_state_plan_run", .make = run_state, .drives = true},
    {.name = "jr_merge_plan_run", .make = run_merge, .drives = true},
    {.name = "jr_scan_host_segments", .make = scan_segments, .drives = true, .copies_back = true},
    {.name = "jr_scan_host_axis", .make = scan_axis, .drives = true, .copies_back = true},
    {.name = NULL}};
