/* Calls of every public function of groups. */
#include "every_call.h"

CALLS(every_group_call)

CALL(jr_group_open, 0) {
    jr_context *const contexts[] = {w->context, w->context};
    jr_group *made = o->pointer;
    RETURN_MADE(
        made, jr_group_open(&JR_INIT(jr_group_options, .contexts = contexts, .context_count = w->wrong ? 0 : 2), &made),
        jr_group_close(made));
}

/* With contexts of its own. */
CALL_OF(open_devices, "jr_group_open", EVERY_DRIVES | EVERY_AGAIN) {
    jr_group *made = o->pointer;
    RETURN_MADE(made, jr_group_open(&JR_INIT(jr_group_options, .devices = w->wrong ? "sim:0,,0" : "sim:0,0"), &made),
                jr_group_close(made));
}

CALL(jr_group_plan_create, EVERY_DRIVES) {
    jr_group_plan *made = o->pointer;
    RETURN_MADE(made, jr_group_plan_create(w->group, every_call_spec_of(w), &made), jr_group_plan_destroy(made));
}

static const jr_segment_layout group_rows[] = {
    {.size = sizeof(jr_segment_layout), .kind = JR_SEGMENTS_EQUAL, .length = EVERY_CALL_ROW},
    {.size = sizeof(jr_segment_layout), .kind = JR_SEGMENTS_EQUAL, .length = EVERY_CALL_ROW}};

CALL(jr_group_segment_plan_create, EVERY_DRIVES) {
    jr_group_plan *made = o->pointer;
    RETURN_MADE(made, jr_group_segment_plan_create(w->group, every_call_spec_of(w), group_rows, &made),
                jr_group_plan_destroy(made));
}

CALL(jr_group_segment_plan_run, EVERY_DRIVES) {
    const void *arrays[] = {w->d_in};
    const void *const *d_in[] = {arrays, w->wrong ? NULL : arrays};
    const uint64_t counts[] = {EVERY_CALL_COUNT / EVERY_CALL_ROW, EVERY_CALL_COUNT / EVERY_CALL_ROW};
    return jr_group_segment_plan_run(w->group_rows, &JR_INIT(jr_group_parts, .d_in = d_in, .counts = counts),
                                     o->numbers);
}

CALL(jr_group_plan_value, EVERY_DRIVES) {
    const void *arrays[] = {w->d_in};
    const void *const *d_in[] = {arrays, w->wrong ? NULL : arrays};
    const uint64_t counts[] = {EVERY_CALL_COUNT, 7};
    return jr_group_plan_value(w->group_plan, &JR_INIT(jr_group_parts, .d_in = d_in, .counts = counts), &o->value);
}

CALL(jr_group_scan_plan_create, EVERY_DRIVES) {
    jr_group_plan *made = o->pointer;
    RETURN_MADE(made, jr_group_scan_plan_create(w->group, every_call_spec_of(w), JR_SCAN_EXCLUSIVE, &made),
                jr_group_plan_destroy(made));
}

CALL(jr_group_scan_plan_run, EVERY_DRIVES) {
    const void *arrays[] = {w->d_in};
    const void *const *d_in[] = {arrays, w->wrong ? NULL : arrays};
    const uint64_t counts[] = {EVERY_CALL_COUNT - 7, 7};
    void *const d_out[] = {w->d_out, (int64_t *)w->d_out + EVERY_CALL_COUNT - 7};
    return jr_group_scan_plan_run(w->group_scan, &JR_INIT(jr_group_parts, .d_in = d_in, .counts = counts), d_out);
}

CALL(jr_group_reduce_host, EVERY_DRIVES) {
    const void *arrays[] = {w->wrong ? NULL : every_call_data};
    return jr_group_reduce_host(w->group, &every_call_spec, arrays, EVERY_CALL_COUNT, &o->value);
}

CALL(jr_group_reduce_host_segments, EVERY_DRIVES) {
    const void *arrays[] = {w->wrong ? NULL : every_call_data};
    const jr_segments rows = JR_INIT(jr_segments, .count = EVERY_CALL_COUNT / EVERY_CALL_ROW);
    return jr_group_reduce_host_segments(w->group, &every_call_spec, &every_call_rows, arrays, &rows, o->numbers);
}

CALL(jr_group_scan_host, EVERY_DRIVES | EVERY_COPIES_BACK) {
    const void *arrays[] = {every_call_data};
    const jr_scan_kind kind = w->wrong ? (jr_scan_kind)7 : JR_SCAN_INCLUSIVE;
    return jr_group_scan_host(w->group, &every_call_spec, kind, arrays, EVERY_CALL_COUNT, o->numbers);
}

CALL(jr_group_scan_host_segments, EVERY_DRIVES | EVERY_COPIES_BACK) {
    const void *arrays[] = {every_call_data};
    const jr_scan_kind kind = w->wrong ? (jr_scan_kind)7 : JR_SCAN_INCLUSIVE;
    const jr_segments rows =
        JR_INIT(jr_segments, .count = EVERY_CALL_COUNT / EVERY_CALL_ROW, .layout = &every_call_rows);
    return jr_group_scan_host_segments(w->group, &every_call_spec, kind, arrays, &rows, o->numbers);
}

CALL(jr_allreduce_create, EVERY_DRIVES) {
    jr_allreduce *made = o->pointer;
    RETURN_MADE(made, jr_allreduce_create(w->group, every_call_spec_of(w), NULL, &made), jr_allreduce_destroy(made));
}

CALL(jr_allreduce_segment_create, EVERY_DRIVES) {
    jr_allreduce *made = o->pointer;
    RETURN_MADE(made, jr_allreduce_segment_create(w->group, every_call_spec_of(w), group_rows, NULL, &made),
                jr_allreduce_destroy(made));
}

CALL(jr_allreduce_run, EVERY_DRIVES) {
    const void *arrays[] = {w->d_in};
    const void *const *d_in[] = {arrays, arrays};
    const uint64_t counts[] = {EVERY_CALL_COUNT, 7};
    void *const d_out[] = {w->d_out, w->wrong ? NULL : w->d_out};
    return jr_allreduce_run(w->allreduce, &JR_INIT(jr_group_parts, .d_in = d_in, .counts = counts), d_out);
}

CALL(jr_allreduce_wait, EVERY_DRIVES) {
    return jr_allreduce_wait(w->wrong ? NULL : w->allreduce);
}

CALL(jr_group_plan_parameter_set, 0) {
    const jr_value scale = {.type = w->wrong ? JR_F64 : JR_I32, .as.i32 = w->wrong ? 0 : EVERY_CALL_SCALE};
    return jr_group_plan_parameter_set(w->group_scaled, "scale", &scale);
}

CALL(jr_group_stats, 0) {
    return jr_group_stats(w->group, w->wrong ? NULL : &o->stats);
}
