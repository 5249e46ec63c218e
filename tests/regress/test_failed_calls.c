/* A failed call changes nothing: for every public function that can fail, neither wrong arguments nor a failing driver
 * call at any place leave a trace in its out-parameters, in the context's statistics, in device memory, among the
 * stored tunings or among the things that are alive; and the same call works afterwards. */
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/every/every_call.h"
#include "support/fakes/sim_faults.h"

/* What a call must not change, around what it may write. */
typedef struct surroundings {
    jr_stats stats;
    uint64_t tunings;
    int32_t in[EVERY_CALL_COUNT];
    int64_t out[EVERY_CALL_COUNT];
} surroundings;

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
    o->found.size = sizeof o->found;
    o->choice.size = sizeof o->choice;
    o->state.size = sizeof o->state;
    o->exact.size = sizeof o->exact;
    o->pack.size = sizeof o->pack;
    o->replay.size = sizeof o->replay;
}

static surroundings surroundings_of(const every_world *w) {
    surroundings found = {.stats = JR_INIT(jr_stats, .grid = 0)};
    jr_wisdom_info wisdom = JR_INIT(jr_wisdom_info);
    works(jr_context_stats(w->context, &found.stats));
    works(jr_wisdom_info_get(w->context, &wisdom));
    found.tunings = wisdom.own_count;
    device_read(w->device, found.in, w->d_in, sizeof found.in);
    device_read(w->device, found.out, w->d_out, sizeof found.out);
    return found;
}

/* Byte for byte: what has been shaded or copied whole. */
static bool same(const void *one, const void *other, size_t bytes) {
    return memcmp(one, other, bytes) == 0;
}

/* A driver call may fail when the kernel that writes the results runs already. */
static void compare(const every_world *w, const surroundings *before, const char *name) {
    const surroundings now = surroundings_of(w);
    if (!same(&before->stats, &now.stats, sizeof now.stats)) fail_msg("a failing %s changes the statistics", name);
    if (before->tunings != now.tunings) fail_msg("a failing %s stores a tuning", name);
    if (!same(before->in, now.in, sizeof now.in)) fail_msg("a failing %s changes its input", name);
    if (w->wrong && !same(before->out, now.out, sizeof now.out)) fail_msg("a failing %s writes results", name);
}

/* Makes a call that may fail; true when it did, and then has left no trace. */
static bool leaves_no_trace(every_world *w, const every_call *call, const sim_faults *faults, const char *rule) {
    static every_outs before, after;
    const sim_alive alive = sim_faults_alive(faults);
    const surroundings around = surroundings_of(w);
    shade(&before);
    shade(&after);
    assert_int_equal(faults->refuse(rule), 0);
    const jr_status status = call->make(w, &after);
    faults->refuse(NULL);
    if (status == JR_OK) return false;
    if ((call->flags & EVERY_COPIES_BACK) && !w->wrong) memcpy(after.numbers, before.numbers, sizeof before.numbers);
    if (!same(&before, &after, sizeof before)) fail_msg("a failing %s writes something", call->name);
    compare(w, &around, call->name);
    sim_faults_compare(faults, &alive, call->name);
    return true;
}

static void works_again(every_world *w, const every_call *call) {
    static every_outs outs;
    w->wrong = false;
    shade(&outs);
    const jr_status status = call->make(w, &outs);
    if (status != JR_OK) fail_msg("%s: %s", call->name, jr_last_error()->message);
}

TEST(wrong_arguments_leave_no_trace) {
    every_world *w = *state;
    const sim_faults faults = sim_faults_of(w->device->driver.library);
    for (size_t i = 0; every_call_at(i) != NULL; i++) {
        w->wrong = true;
        if (!leaves_no_trace(w, every_call_at(i), &faults, NULL))
            fail_msg("%s takes the wrong argument", every_call_at(i)->name);
        works_again(w, every_call_at(i));
    }
}

/* The first call makes what is kept: kernels, a place for values. A sample ends where so many places in a row make no
 * call fail: the call has no more of them. */
static void fail_at_every_place(every_world *w, const every_call *call, const sim_faults *faults) {
    enum { PLACES = 40, QUIET = 6 };
    int failed = 0, quiet = 0;
    works_again(w, call);
    for (int place = 1; place <= PLACES && (quiet < QUIET || tests_are_whole()); place++) {
        char rule[16];
        snprintf(rule, sizeof rule, "*:%d", place);
        const bool fails = leaves_no_trace(w, call, faults, rule);
        failed += fails;
        quiet = fails ? 0 : quiet + 1;
    }
    if (failed == 0) fail_msg("no failing driver call makes %s fail", call->name);
    works_again(w, call);
}

TEST(a_failing_driver_call_at_any_place_leaves_no_trace) {
    every_world *w = *state;
    const sim_faults faults = sim_faults_of(w->device->driver.library);
    for (size_t i = 0; every_call_at(i) != NULL; i++)
        if (every_call_at(i)->flags & EVERY_DRIVES) fail_at_every_place(w, every_call_at(i), &faults);
}

/* ---- no function is missing ---- */

static bool is_called(const char *name) {
    for (size_t i = 0; every_call_at(i) != NULL; i++)
        if (strcmp(every_call_at(i)->name, name) == 0) return true;
    return false;
}

/* A header declares a function that can fail on a line that begins so. */
static int count_declared(const char *path) {
    char line[256], name[64];
    int count = 0;
    FILE *header = fopen(path, "r");
    assert_non_null(header);
    while (fgets(line, sizeof line, header) != NULL) {
        if (sscanf(line, "JR_API jr_status %63[a-z_0-9](", name) != 1) continue;
        if (!is_called(name)) fail_msg("%s is not among the calls of tests/support/every/every_*_call.c", name);
        count++;
    }
    fclose(header);
    return count;
}

TEST(every_public_function_that_can_fail_is_called) {
    char pattern[1024];
    const char *source = getenv("JR_TEST_SOURCE");
    glob_t headers;
    size_t called = 0, declared = 0;
    snprintf(pattern, sizeof pattern, "%s/include/jitreduce/*.h", source != NULL ? source : ".");
    assert_int_equal(glob(pattern, 0, NULL, &headers), 0);
    for (size_t i = 0; i < headers.gl_pathc; i++) declared += (size_t)count_declared(headers.gl_pathv[i]);
    globfree(&headers);
    for (size_t i = 0; every_call_at(i) != NULL; i++) called += every_call_at(i)->flags & EVERY_AGAIN ? 0 : 1;
    assert_int_equal(called, declared);
}

static int build(void **state) {
    static every_world made;
    char path[SCRATCH_BYTES + 16];
    scratch_make(made.folder);
    snprintf(path, sizeof path, "%s/wisdom", made.folder);
    setenv("JITREDUCE_WISDOM", path, 1);
    const int failed = open_context(state);
    if (failed != 0) return failed;
    made.device = *state;
    made.context = made.device->context;
    every_world_make(&made);
    *state = &made;
    return 0;
}

static int tear_down(void **state) {
    every_world *w = *state;
    void *device = (void *)(uintptr_t)w->device;
    every_world_end(w);
    scratch_remove(w->folder);
    return close_context(&device);
}

int main(void) {
    setenv("JITREDUCE_DEVICE", "sim", 1);
    return check_run(build, tear_down);
}
