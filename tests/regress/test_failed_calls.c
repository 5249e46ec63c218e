/* A failed call changes nothing: for every public function with something to write, neither wrong arguments nor a
 * failing driver call at any place leave a trace in its out-parameters, in the context's statistics or among the things
 * that are alive; and the same call works afterwards. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/every_call.h"
#include "support/sim_faults.h"

/* Shaded, and each struct with its size. */
static void shade(every_outs *o) {
    memset(o, 0x5c, sizeof *o);
    o->device.size = sizeof o->device;
    o->stats.size = sizeof o->stats;
    o->counters.size = sizeof o->counters;
    o->launch.size = sizeof o->launch;
    o->kernel.size = sizeof o->kernel;
    o->cost.size = sizeof o->cost;
    o->segments.size = sizeof o->segments;
    o->layout.size = sizeof o->layout;
    o->wisdom.size = sizeof o->wisdom;
    o->tuned.size = sizeof o->tuned;
}

static jr_stats stats_of(const every_world *w) {
    jr_stats stats = JR_INIT(jr_stats, .grid = 0);
    works(jr_context_stats(w->context, &stats));
    return stats;
}

/* Byte for byte: what has been shaded or copied whole. */
static bool same(const void *one, const void *other, size_t bytes) {
    return memcmp(one, other, bytes) == 0;
}

/* Makes a call that may fail; true when it did, and then has left no trace. */
static bool leaves_no_trace(every_world *w, size_t call, const sim_faults *faults) {
    static every_outs before, after;
    const sim_alive alive = sim_faults_alive(faults);
    const jr_stats stats = stats_of(w);
    shade(&before);
    shade(&after);
    const jr_status status = every_calls[call].make(w, &after);
    faults->refuse(NULL);
    if (status == JR_OK) return false;
    if (every_calls[call].copies_back && !w->wrong) memcpy(after.numbers, before.numbers, sizeof before.numbers);
    if (!same(&before, &after, sizeof before)) fail_msg("a failing %s writes something", every_calls[call].name);
    const jr_stats now = stats_of(w);
    if (!same(&stats, &now, sizeof stats)) fail_msg("a failing %s changes the statistics", every_calls[call].name);
    sim_faults_compare(faults, &alive, every_calls[call].name);
    return true;
}

static void wrong_arguments_leave_no_trace(void **state) {
    every_world *w = *state;
    const sim_faults faults = sim_faults_of(w->device->driver.library);
    for (size_t call = 0; call < every_call_count; call++) {
        w->wrong = true;
        if (!leaves_no_trace(w, call, &faults)) fail_msg("%s takes the wrong argument", every_calls[call].name);
        w->wrong = false;
    }
}

/* The first call makes what is kept: kernels, a place for values. */
static void a_failing_driver_call_at_any_place_leaves_no_trace(void **state) {
    enum { PLACES = 40 };
    every_world *w = *state;
    static every_outs first;
    const sim_faults faults = sim_faults_of(w->device->driver.library);
    for (size_t call = 0; call < every_call_count; call++) {
        int failed = 0;
        if (!every_calls[call].drives) continue;
        shade(&first);
        w->wrong = false;
        works(every_calls[call].make(w, &first));
        for (int place = 1; place <= PLACES; place++) {
            char rule[16];
            snprintf(rule, sizeof rule, "*:%d", place);
            assert_int_equal(faults.refuse(rule), 0);
            failed += leaves_no_trace(w, call, &faults);
        }
        if (failed == 0) fail_msg("no failing driver call makes %s fail", every_calls[call].name);
        works(every_calls[call].make(w, &first));
    }
}

static int build(void **state) {
    static every_world made;
    const int failed = open_context(state);
    if (failed != 0) return failed;
    made = (every_world){.device = *state};
    made.context = made.device->context;
    for (int i = 0; i < EVERY_CALL_COUNT; i++) every_call_data[i] = i;
    made.d_in = device_new(made.device, sizeof every_call_data);
    made.d_out = device_new(made.device, sizeof(int64_t));
    device_write(made.device, made.d_in, every_call_data, sizeof every_call_data);
    works(jr_plan_create(made.context, &every_call_spec, &made.plan));
    works(jr_plan_kernel(made.plan, 0, &made.kernel));
    *state = &made;
    return 0;
}

static int tear_down(void **state) {
    every_world *w = *state;
    void *device = (void *)(uintptr_t)w->device;
    jr_plan_destroy(w->plan);
    device_free(w->device, w->d_in);
    device_free(w->device, w->d_out);
    return close_context(&device);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_arguments_leave_no_trace),
        cmocka_unit_test(a_failing_driver_call_at_any_place_leaves_no_trace),
    };
    setenv("JITREDUCE_DEVICE", "sim", 1);
    return cmocka_run_group_tests(tests, build, tear_down);
}
