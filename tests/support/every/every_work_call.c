/* Calls of every public function that carries out works. */
#include "every_call.h"

CALLS(every_work_call)

static jr_work work_of(const every_world *w) {
    return (jr_work){.size = sizeof(jr_work), .spec = every_call_spec_of(w)};
}

CALL(jr_work_run_host, EVERY_DRIVES) {
    const void *arrays[] = {every_call_data};
    const jr_work work = work_of(w);
    return jr_work_run_host(w->context, &work, DATA(.in = arrays, .count = EVERY_CALL_COUNT, .values = &o->value));
}

CALL(jr_work_plan_create, EVERY_DRIVES) {
    jr_plan *made = o->pointer;
    const jr_work work = work_of(w);
    RETURN_MADE(made, jr_work_plan_create(w->context, &work, &made), jr_plan_destroy(made));
}

CALL(jr_work_plan_run, EVERY_DRIVES) {
    const void *arrays[] = {w->d_in};
    return jr_work_plan_run(
        w->rows,
        DATA(.in = arrays, .segments = EVERY_CALL_COUNT / EVERY_CALL_ROW, .out = (char *)w->d_out + (w->wrong ? 1 : 0)),
        NULL, NULL);
}

CALL(jr_work_group_host, EVERY_DRIVES | EVERY_COPIES_BACK) {
    const void *arrays[] = {w->wrong ? NULL : every_call_data};
    const jr_work work = JR_INIT(jr_work, .spec = &every_call_spec, .kind = JR_WORK_SCAN_EXCLUSIVE);
    return jr_work_group_host(w->group, &work, DATA(.in = arrays, .count = EVERY_CALL_COUNT, .out = o->numbers));
}

CALL(jr_work_group_plan_create, EVERY_DRIVES) {
    jr_group_plan *made = o->pointer;
    const jr_work work = work_of(w);
    RETURN_MADE(made, jr_work_group_plan_create(w->group, &work, &made), jr_group_plan_destroy(made));
}

CALL(jr_work_group_plan_run, EVERY_DRIVES) {
    const void *arrays[] = {w->d_in};
    const void *const *d_in[] = {arrays, w->wrong ? NULL : arrays};
    const uint64_t counts[] = {EVERY_CALL_COUNT, 7};
    return jr_work_group_plan_run(w->group_plan,
                                  &JR_INIT(jr_group_parts, .d_in = d_in, .counts = counts, .values = &o->value));
}

CALL(jr_work_allreduce_create, EVERY_DRIVES) {
    jr_allreduce *made = o->pointer;
    const jr_work work = work_of(w);
    RETURN_MADE(made, jr_work_allreduce_create(w->group, &work, NULL, &made), jr_allreduce_destroy(made));
}

CALL(jr_work_pack_add, 0) {
    const jr_work work = work_of(w);
    return jr_work_pack_add(w->pack, &work);
}

static int stop(void *user, const jr_tune_progress *progress) {
    (void)user, (void)progress;
    return 1;
}

CALL(jr_work_tune, EVERY_DRIVES) {
    const jr_work work = work_of(w);
    return jr_work_tune(w->context, &work, EVERY_CALL_COUNT, &JR_INIT(jr_tune_options, .progress = stop), &o->tuned);
}

CALL(jr_work_tuned_store, 0) {
    const jr_work work = JR_INIT(jr_work, .spec = &every_call_spec);
    const jr_tuned tuned = JR_INIT(jr_tuned, .count = EVERY_CALL_COUNT, .complete = !w->wrong);
    return jr_work_tuned_store(w->context, &work, &tuned);
}
