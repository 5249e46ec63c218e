/* Calls of every public function of groups. */
#include "every_call.h"

static jr_status open_group(every_world *w, every_outs *o) {
    jr_context *const contexts[] = {w->context, w->context};
    jr_group *made = o->pointer;
    const jr_status status =
        jr_group_open(&JR_INIT(jr_group_options, .contexts = contexts, .context_count = w->wrong ? 0 : 2), &made);
    if (status == JR_OK)
        jr_group_close(made);
    else
        o->pointer = made;
    return status;
}

/* With contexts of its own. */
static jr_status open_devices(every_world *w, every_outs *o) {
    jr_group *made = o->pointer;
    const jr_status status =
        jr_group_open(&JR_INIT(jr_group_options, .devices = w->wrong ? "sim:0,,0" : "sim:0,0"), &made);
    if (status == JR_OK)
        jr_group_close(made);
    else
        o->pointer = made;
    return status;
}

static jr_status make_plan(every_world *w, every_outs *o) {
    jr_group_plan *made = o->pointer;
    const jr_status status = jr_group_plan_create(w->group, every_call_spec_of(w), &made);
    if (status == JR_OK)
        jr_group_plan_destroy(made);
    else
        o->pointer = made;
    return status;
}

static const jr_segment_layout group_rows[] = {
    {.size = sizeof(jr_segment_layout), .kind = JR_SEGMENTS_EQUAL, .length = EVERY_CALL_ROW},
    {.size = sizeof(jr_segment_layout), .kind = JR_SEGMENTS_EQUAL, .length = EVERY_CALL_ROW}};

static jr_status make_segment_plan(every_world *w, every_outs *o) {
    jr_group_plan *made = o->pointer;
    const jr_status status = jr_group_segment_plan_create(w->group, every_call_spec_of(w), group_rows, &made);
    if (status == JR_OK)
        jr_group_plan_destroy(made);
    else
        o->pointer = made;
    return status;
}

static jr_status run_segments(every_world *w, every_outs *o) {
    const void *arrays[] = {w->d_in};
    const void *const *d_in[] = {arrays, w->wrong ? NULL : arrays};
    const uint64_t counts[] = {EVERY_CALL_COUNT / EVERY_CALL_ROW, EVERY_CALL_COUNT / EVERY_CALL_ROW};
    return jr_group_segment_plan_run(w->group_rows, &JR_INIT(jr_group_parts, .d_in = d_in, .counts = counts),
                                     o->numbers);
}

static jr_status wait_for_value(every_world *w, every_outs *o) {
    const void *arrays[] = {w->d_in};
    const void *const *d_in[] = {arrays, w->wrong ? NULL : arrays};
    const uint64_t counts[] = {EVERY_CALL_COUNT, 7};
    return jr_group_plan_value(w->group_plan, &JR_INIT(jr_group_parts, .d_in = d_in, .counts = counts), &o->value);
}

static jr_status make_scan_plan(every_world *w, every_outs *o) {
    jr_group_plan *made = o->pointer;
    const jr_status status = jr_group_scan_plan_create(w->group, every_call_spec_of(w), JR_SCAN_EXCLUSIVE, &made);
    if (status == JR_OK)
        jr_group_plan_destroy(made);
    else
        o->pointer = made;
    return status;
}

static jr_status run_scan(every_world *w, every_outs *o) {
    const void *arrays[] = {w->d_in};
    const void *const *d_in[] = {arrays, w->wrong ? NULL : arrays};
    const uint64_t counts[] = {EVERY_CALL_COUNT - 7, 7};
    void *const d_out[] = {w->d_out, (int64_t *)w->d_out + EVERY_CALL_COUNT - 7};
    (void)o;
    return jr_group_scan_plan_run(w->group_scan, &JR_INIT(jr_group_parts, .d_in = d_in, .counts = counts), d_out);
}

static jr_status reduce_host(every_world *w, every_outs *o) {
    const void *arrays[] = {w->wrong ? NULL : every_call_data};
    return jr_group_reduce_host(w->group, &every_call_spec, arrays, EVERY_CALL_COUNT, &o->value);
}

static jr_status reduce_host_segments(every_world *w, every_outs *o) {
    const void *arrays[] = {w->wrong ? NULL : every_call_data};
    const jr_segments rows = JR_INIT(jr_segments, .count = EVERY_CALL_COUNT / EVERY_CALL_ROW);
    return jr_group_reduce_host_segments(w->group, &every_call_spec, &every_call_rows, arrays, &rows, o->numbers);
}

static jr_status scan_host(every_world *w, every_outs *o) {
    const void *arrays[] = {every_call_data};
    const jr_scan_kind kind = w->wrong ? (jr_scan_kind)7 : JR_SCAN_INCLUSIVE;
    return jr_group_scan_host(w->group, &every_call_spec, kind, arrays, EVERY_CALL_COUNT, o->numbers);
}

static jr_status scan_host_segments(every_world *w, every_outs *o) {
    const void *arrays[] = {every_call_data};
    const jr_scan_kind kind = w->wrong ? (jr_scan_kind)7 : JR_SCAN_INCLUSIVE;
    const jr_segments rows =
        JR_INIT(jr_segments, .count = EVERY_CALL_COUNT / EVERY_CALL_ROW, .layout = &every_call_rows);
    return jr_group_scan_host_segments(w->group, &every_call_spec, kind, arrays, &rows, o->numbers);
}

static jr_status make_allreduce(every_world *w, every_outs *o) {
    jr_allreduce *made = o->pointer;
    const jr_status status = jr_allreduce_create(w->group, every_call_spec_of(w), NULL, &made);
    if (status == JR_OK)
        jr_allreduce_destroy(made);
    else
        o->pointer = made;
    return status;
}

static jr_status make_segment_allreduce(every_world *w, every_outs *o) {
    jr_allreduce *made = o->pointer;
    const jr_status status = jr_allreduce_segment_create(w->group, every_call_spec_of(w), group_rows, NULL, &made);
    if (status == JR_OK)
        jr_allreduce_destroy(made);
    else
        o->pointer = made;
    return status;
}

static jr_status run_allreduce(every_world *w, every_outs *o) {
    const void *arrays[] = {w->d_in};
    const void *const *d_in[] = {arrays, arrays};
    const uint64_t counts[] = {EVERY_CALL_COUNT, 7};
    void *const d_out[] = {w->d_out, w->wrong ? NULL : w->d_out};
    (void)o;
    return jr_allreduce_run(w->allreduce, &JR_INIT(jr_group_parts, .d_in = d_in, .counts = counts), d_out);
}

static jr_status wait_for_allreduce(every_world *w, every_outs *o) {
    (void)o;
    return jr_allreduce_wait(w->wrong ? NULL : w->allreduce);
}

static jr_status set_parameter(every_world *w, every_outs *o) {
    const jr_value scale = {.type = w->wrong ? JR_F64 : JR_I32, .as.i32 = w->wrong ? 0 : EVERY_CALL_SCALE};
    (void)o;
    return jr_group_plan_parameter_set(w->group_scaled, "scale", &scale);
}

static jr_status read_stats(every_world *w, every_outs *o) {
    return jr_group_stats(w->group, w->wrong ? NULL : &o->stats);
}

const every_call every_group_call[] = {
    {.name = "jr_group_open", .make = open_group},
    {.name = "jr_group_open", .make = open_devices, .drives = true, .again = true},
    {.name = "jr_group_plan_create", .make = make_plan, .drives = true},
    {.name = "jr_group_plan_value", .make = wait_for_value, .drives = true},
    {.name = "jr_group_reduce_host", .make = reduce_host, .drives = true},
    {.name = "jr_group_reduce_host_segments", .make = reduce_host_segments, .drives = true},
    {.name = "jr_group_scan_host", .make = scan_host, .drives = true, .copies_back = true},
    {.name = "jr_group_scan_host_segments", .make = scan_host_segments, .drives = true, .copies_back = true},
    {.name = "jr_allreduce_create", .make = make_allreduce, .drives = true},
    {.name = "jr_allreduce_segment_create", .make = make_segment_allreduce, .drives = true},
    {.name = "jr_allreduce_run", .make = run_allreduce, .drives = true},
    {.name = "jr_allreduce_wait", .make = wait_for_allreduce, .drives = true},
    {.name = "jr_group_plan_parameter_set", .make = set_parameter},
    {.name = "jr_group_segment_plan_create", .make = make_segment_plan, .drives = true},
    {.name = "jr_group_segment_plan_run", .make = run_segments, .drives = true},
    {.name = "jr_group_scan_plan_create", .make = make_scan_plan, .drives = true},
    {.name = "jr_group_scan_plan_run", .make = run_scan, .drives = true},
    {.name = "jr_group_stats", .make = read_stats},
    {.name = NULL}};
