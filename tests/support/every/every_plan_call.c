/* Calls of every public function of plans, reductions, segments, scans, partial states, tuning and measuring. */
#include "every_call.h"

CALLS(every_plan_call)

static void *output_of(const every_world *w) {
    return (char *)w->d_out + (w->wrong ? 1 : 0);
}

/* ---- plans ---- */

CALL(jr_plan_create, EVERY_DRIVES) {
    jr_plan *made = o->pointer;
    RETURN_MADE(made, jr_plan_create(w->context, every_call_spec_of(w), &made), jr_plan_destroy(made));
}

CALL(jr_scan_plan_create, EVERY_DRIVES) {
    jr_plan *made = o->pointer;
    RETURN_MADE(made, jr_scan_plan_create(w->context, every_call_spec_of(w), JR_SCAN_INCLUSIVE, &made),
                jr_plan_destroy(made));
}

CALL(jr_segment_plan_create, EVERY_DRIVES) {
    jr_plan *made = o->pointer;
    RETURN_MADE(made, jr_segment_plan_create(w->context, every_call_spec_of(w), &every_call_rows, &made),
                jr_plan_destroy(made));
}

CALL(jr_plan_run, EVERY_DRIVES) {
    return jr_plan_run(w->plan, w->d_in, EVERY_CALL_COUNT, output_of(w), NULL, NULL);
}

CALL(jr_plan_run_arrays, EVERY_DRIVES) {
    const void *arrays[] = {w->d_in};
    return jr_plan_run_arrays(w->plan, arrays, EVERY_CALL_COUNT, output_of(w), w->workspace, NULL);
}

CALL(jr_segment_plan_run, EVERY_DRIVES) {
    return jr_segment_plan_run(w->rows, w->d_in, &JR_INIT(jr_segments, EVERY_CALL_COUNT / EVERY_CALL_ROW, NULL),
                               output_of(w), NULL, NULL);
}

CALL(jr_segment_plan_run_arrays, EVERY_DRIVES) {
    const void *arrays[] = {w->d_in};
    return jr_segment_plan_run_arrays(w->rows, arrays, &JR_INIT(jr_segments, EVERY_CALL_COUNT / EVERY_CALL_ROW, NULL),
                                      output_of(w), NULL, NULL);
}

CALL(jr_plan_workspace_prepare, EVERY_DRIVES) {
    return jr_plan_workspace_prepare(w->plan, (char *)w->workspace + (w->wrong ? 1 : 0), NULL);
}

/* A value of another type is refused, and runs go on with the one that was there. */
CALL(jr_plan_parameter_set, 0) {
    const void *arrays[] = {w->d_in};
    const jr_value scale = {.type = w->wrong ? JR_F64 : JR_I32, .as.i32 = w->wrong ? 0 : EVERY_CALL_SCALE};
    jr_value value;
    const jr_status status = jr_plan_parameter_set(w->scaled, "scale", &scale);
    works(jr_plan_value(w->scaled, arrays, EVERY_CALL_COUNT, NULL, &value));
    if (value.as.i64 != EVERY_CALL_SCALE * EVERY_CALL_COUNT * (EVERY_CALL_COUNT - 1) / 2) o->value = value;
    return status;
}

CALL(jr_plan_value, EVERY_DRIVES) {
    const void *arrays[] = {w->wrong ? NULL : w->d_in};
    return jr_plan_value(w->plan, arrays, EVERY_CALL_COUNT, NULL, &o->value);
}

CALL(jr_plan_time, EVERY_DRIVES) {
    const void *arrays[] = {w->d_in};
    return jr_plan_time(w->plan, arrays, EVERY_CALL_COUNT, w->d_out, w->wrong ? 0 : 2, &o->cost);
}

CALL(jr_plan_kernel, 0) {
    return jr_plan_kernel(w->plan, w->wrong ? 9 : 0, (jr_kernel **)&o->pointer);
}

CALL(jr_plan_launch_get, 0) {
    return jr_plan_launch_get(w->plan, w->wrong ? 9 : 0, &o->launch);
}

CALL(jr_plan_stats, 0) {
    return jr_plan_stats(w->wrong ? NULL : w->plan, &o->stats);
}

/* ---- host memory ---- */

CALL(jr_reduce_host, EVERY_DRIVES) {
    return jr_reduce_host(w->context, every_call_spec_of(w), every_call_data, EVERY_CALL_COUNT, &o->value);
}

CALL(jr_reduce_host_arrays, EVERY_DRIVES) {
    const void *arrays[] = {w->wrong ? NULL : every_call_data};
    return jr_reduce_host_arrays(w->context, &every_call_spec, arrays, EVERY_CALL_COUNT, &o->value);
}

CALL(jr_reduce_host_axis, EVERY_DRIVES) {
    const uint64_t shape[] = {EVERY_CALL_COUNT / 5, 5};
    const void *arrays[] = {every_call_data};
    return jr_reduce_host_axis(w->context, &every_call_spec, arrays, &JR_INIT(jr_axis, shape, 2, w->wrong ? 2 : 1),
                               o->numbers);
}

CALL(jr_reduce_host_segments, EVERY_DRIVES) {
    const jr_segment_layout ragged = JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_OFFSETS);
    const uint64_t offsets[] = {0, 7, w->wrong ? 3 : 7, EVERY_CALL_COUNT};
    const void *arrays[] = {every_call_data};
    return jr_reduce_host_segments(w->context, &every_call_spec, &ragged, arrays, &JR_INIT(jr_segments, 3, offsets),
                                   o->numbers);
}

CALL(jr_scan_host, EVERY_DRIVES | EVERY_COPIES_BACK) {
    return jr_scan_host(w->context, every_call_spec_of(w), JR_SCAN_EXCLUSIVE, every_call_data, EVERY_CALL_COUNT,
                        o->numbers);
}

CALL(jr_scan_host_arrays, EVERY_DRIVES | EVERY_COPIES_BACK) {
    const void *arrays[] = {w->wrong ? NULL : every_call_data};
    return jr_scan_host_arrays(w->context, &every_call_spec, JR_SCAN_INCLUSIVE, arrays, EVERY_CALL_COUNT, o->numbers);
}

/* ---- tuning and measuring ---- */

static int stop(void *user, const jr_tune_progress *progress) {
    (void)user, (void)progress;
    return 1;
}

CALL(jr_tune, EVERY_DRIVES) {
    return jr_tune(w->context, every_call_spec_of(w), EVERY_CALL_COUNT, &JR_INIT(jr_tune_options, .progress = stop),
                   &o->tuned);
}

CALL(jr_tuned_store, 0) {
    const jr_tuned tuned = JR_INIT(jr_tuned, .count = EVERY_CALL_COUNT, .complete = !w->wrong);
    return jr_tuned_store(w->context, &every_call_spec, &tuned);
}

CALL(jr_tune_scan, EVERY_DRIVES) {
    return jr_tune_scan(w->context, every_call_spec_of(w), JR_SCAN_INCLUSIVE, EVERY_CALL_COUNT,
                        &JR_INIT(jr_tune_options, .progress = stop), &o->tuned);
}

CALL(jr_tuned_store_scan, 0) {
    const jr_tuned tuned = JR_INIT(jr_tuned, .count = EVERY_CALL_COUNT, .complete = !w->wrong);
    return jr_tuned_store_scan(w->context, &every_call_spec, JR_SCAN_INCLUSIVE, &tuned);
}

static jr_status run_plan(void *user, uint64_t number, jr_stream stream) {
    const every_world *w = user;
    (void)number;
    return jr_plan_run(w->plan, w->d_in, EVERY_CALL_COUNT, w->d_out, NULL, stream);
}

CALL(jr_measure, EVERY_DRIVES) {
    const jr_measure_options options = JR_INIT(jr_measure_options, .rounds = 2, .batch = w->wrong ? -1 : 1);
    const jr_measured item = {run_plan, w};
    return jr_measure(w->context, &options, &item, 1, o->samples, &o->integer);
}

/* ---- partial states, and scans of segments ---- */

CALL(jr_state_plan_create, EVERY_DRIVES) {
    jr_plan *made = o->pointer;
    RETURN_MADE(made, jr_state_plan_create(w->context, every_call_spec_of(w), &made), jr_plan_destroy(made));
}

CALL(jr_merge_plan_create, EVERY_DRIVES) {
    jr_plan *made = o->pointer;
    RETURN_MADE(made, jr_merge_plan_create(w->context, every_call_spec_of(w), JR_MERGE_TO_RESULT, &made),
                jr_plan_destroy(made));
}

CALL(jr_scan_segment_plan_create, EVERY_DRIVES) {
    jr_plan *made = o->pointer;
    RETURN_MADE(
        made,
        jr_scan_segment_plan_create(w->context, every_call_spec_of(w), JR_SCAN_INCLUSIVE, &every_call_rows, &made),
        jr_plan_destroy(made));
}

CALL(jr_state_plan_run, EVERY_DRIVES) {
    const void *arrays[] = {w->d_in};
    return jr_state_plan_run(w->states, &JR_INIT(jr_part, .d_in = arrays, .count = EVERY_CALL_COUNT),
                             (char *)w->d_out + (w->wrong ? 1 : 0), NULL, NULL);
}

/* Elements are states as good as any, of sums of them. */
CALL(jr_merge_plan_run, EVERY_DRIVES) {
    const jr_states states =
        JR_INIT(jr_states, .d_states = (char *)w->d_in + (w->wrong ? 4 : 0), .count = 2, .elements = 2);
    return jr_merge_plan_run(w->merge, &states, w->d_out, NULL);
}

CALL(jr_scan_host_segments, EVERY_DRIVES | EVERY_COPIES_BACK) {
    const jr_segment_layout ragged = JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_OFFSETS);
    const uint64_t offsets[] = {0, 7, w->wrong ? 3 : 7, EVERY_CALL_COUNT};
    const void *arrays[] = {every_call_data};
    const jr_segments segments = JR_INIT(jr_segments, .count = 3, .offsets = offsets, .layout = &ragged);
    return jr_scan_host_segments(w->context, &every_call_spec, JR_SCAN_INCLUSIVE, arrays, &segments, o->numbers);
}

CALL(jr_scan_host_axis, EVERY_DRIVES | EVERY_COPIES_BACK) {
    const uint64_t shape[] = {EVERY_CALL_COUNT / 5, 5};
    const void *arrays[] = {every_call_data};
    const jr_axis axis = JR_INIT(jr_axis, .shape = shape, .dimensions = 2, .axis = w->wrong ? 2 : 0);
    return jr_scan_host_axis(w->context, &every_call_spec, JR_SCAN_EXCLUSIVE, arrays, &axis, o->numbers);
}
