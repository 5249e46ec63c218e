/* Calls of every public function of partial states, and of scans of segments. */
#include "every_call.h"

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

const every_call every_part_call[] = {
    {.name = "jr_state_plan_create", .make = make_state_plan, .drives = true},
    {.name = "jr_merge_plan_create", .make = make_merge_plan, .drives = true},
    {.name = "jr_scan_segment_plan_create", .make = make_segment_scan_plan, .drives = true},
    {.name = "jr_state_plan_run", .make = run_state, .drives = true},
    {.name = "jr_merge_plan_run", .make = run_merge, .drives = true},
    {.name = "jr_scan_host_segments", .make = scan_segments, .drives = true, .copies_back = true},
    {.name = "jr_scan_host_axis", .make = scan_axis, .drives = true, .copies_back = true},
    {.name = NULL}};
