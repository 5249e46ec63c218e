/* Calls of every public function that carries out works. */
#include "every_call.h"

static jr_work work_of(const every_world *w) {
    return (jr_work){.size = sizeof(jr_work), .spec = every_call_spec_of(w)};
}

static jr_status run_host(every_world *w, every_outs *o) {
    const void *arrays[] = {every_call_data};
    const jr_work work = work_of(w);
    return jr_work_run_host(w->context, &work, DATA(.in = arrays, .count = EVERY_CALL_COUNT, .values = &o->value));
}

static jr_status make_plan(every_world *w, every_outs *o) {
    jr_plan *made = o->pointer;
    const jr_work work = work_of(w);
    const jr_status status = jr_work_plan_create(w->context, &work, &made);
    return every_call_made(status, made, o);
}

static jr_status run_plan(every_world *w, every_outs *o) {
    const void *arrays[] = {w->d_in};
    (void)o;
    return jr_work_plan_run(
        w->rows,
        DATA(.in = arrays, .segments = EVERY_CALL_COUNT / EVERY_CALL_ROW, .out = (char *)w->d_out + (w->wrong ? 1 : 0)),
        NULL, NULL);
}

static jr_status run_group(every_world *w, every_outs *o) {
    const void *arrays[] = {w->wrong ? NULL : every_call_data};
    const jr_work work = JR_INIT(jr_work, .spec = &every_call_spec, .kind = JR_WORK_SCAN_EXCLUSIVE);
    return jr_work_group_host(w->group, &work, DATA(.in = arrays, .count = EVERY_CALL_COUNT, .out = o->numbers));
}

static jr_status make_group_plan(every_world *w, every_outs *o) {
    jr_group_plan *made = o->pointer;
    const jr_work work = work_of(w);
    const jr_status status = jr_work_group_plan_create(w->group, &work, &made);
    if (status == JR_OK)
        jr_group_plan_destroy(made);
    else
        o->pointer = made;
    return status;
}

static jr_status run_group_plan(every_world *w, every_outs *o) {
    const void *arrays[] = {w->d_in};
    const void *const *d_in[] = {arrays, w->wrong ? NULL : arrays};
    const uint64_t counts[] = {EVERY_CALL_COUNT, 7};
    return jr_work_group_plan_run(w->group_plan,
                                  &JR_INIT(jr_group_parts, .d_in = d_in, .counts = counts, .values = &o->value));
}

static jr_status make_allreduce(every_world *w, every_outs *o) {
    jr_allreduce *made = o->pointer;
    const jr_work work = work_of(w);
    const jr_status status = jr_work_allreduce_create(w->group, &work, NULL, &made);
    if (status == JR_OK)
        jr_allreduce_destroy(made);
    else
        o->pointer = made;
    return status;
}

static jr_status add_to_pack(every_world *w, every_outs *o) {
    const jr_work work = work_of(w);
    (void)o;
    return jr_work_pack_add(w->pack, &work);
}

static int stop(void *user, const jr_tune_progress *progress) {
    (void)user, (void)progress;
    return 1;
}

static jr_status tune(every_world *w, every_outs *o) {
    const jr_work work = work_of(w);
    return jr_work_tune(w->context, &work, EVERY_CALL_COUNT, &JR_INIT(jr_tune_options, .progress = stop), &o->tuned);
}

static jr_status store(every_world *w, every_outs *o) {
    const jr_work work = JR_INIT(jr_work, .spec = &every_call_spec);
    const jr_tuned tuned = JR_INIT(jr_tuned, .count = EVERY_CALL_COUNT, .complete = !w->wrong);
    (void)o;
    return jr_work_tuned_store(w->context, &work, &tuned);
}

const every_call every_work_call[] = {
    {.name = "jr_work_run_host", .make = run_host, .drives = true},
    {.name = "jr_work_plan_create", .make = make_plan, .drives = true},
    {.name = "jr_work_plan_run", .make = run_plan, .drives = true},
    {.name = "jr_work_group_host", .make = run_group, .drives = true, .copies_back = true},
    {.name = "jr_work_group_plan_create", .make = make_group_plan, .drives = true},
    {.name = "jr_work_group_plan_run", .make = run_group_plan, .drives = true},
    {.name = "jr_work_allreduce_create", .make = make_allreduce, .drives = true},
    {.name = "jr_work_pack_add", .make = add_to_pack},
    {.name = "jr_work_tune", .make = tune, .drives = true},
    {.name = "jr_work_tuned_store", .make = store},
    {.name = NULL}};
