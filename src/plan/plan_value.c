/* Runs plans and waits for their values: they come through mapped memory, which the host watches. No copy is started,
 * and the driver is asked nothing before that.
 *
 * A single result of 4 or 8 bytes is written by one store: it is there when its place no longer holds what the host put
 * there; so is a state that is such a number. Behind others the last kernel sets a mark, which costs a fence. A result
 * that happens to be what the host put there is found when the stream has ended. Runs by keys leave their results on
 * the device; their number comes so, in the place of the mark. */
#include <sched.h>

#include "base/error.h"
#include "plan.h"
#include "spec/results.h"

/* The mark has a cache line of its own; the results follow. */
enum { MARK_BYTES = 64, SOME_PLACE = 4096 };

static const uint64_t NOTHING_YET = 0x7ff4c0de7fb5eed1; /* as f64, and its low half as f32, a signalling NaN */

enum { NOT_COUNTED = -1 };

static jr_status make_mailbox(jr_plan *plan) {
    const jr_reduction *reduction = plan->reduction;
    const size_t bytes = plan->choice.tuning.to_state ? reduction->accumulator_bytes : reduction->place_bytes;
    if (plan->mailbox.host != NULL) return JR_OK;
    return jr_mapped_create(&plan->context->device, MARK_BYTES + bytes, &plan->mailbox);
}

static unsigned char *results_of(const jr_plan *plan) {
    return (unsigned char *)plan->mailbox.host + MARK_BYTES;
}

static bool counts_runs(const jr_plan *plan) {
    return plan->kind == &jr_plan_runs;
}

static uint64_t count_of_runs(const jr_plan *plan) {
    return __atomic_load_n((const uint64_t *)plan->mailbox.host, __ATOMIC_ACQUIRE);
}

static bool comes_by_one_store(const jr_plan *plan) {
    const size_t bytes = plan->reduction->output_bytes;
    if (plan->choice.tuning.to_state) return plan->reduction->adds_alike && !plan->choice.tuning.from_initial;
    return !plan->choice.tuning.to_state && plan->reduction->output_count == 1 && plan->reduction->kept_offset == 0 &&
           plan->reduction->outputs[0].type != JR_STRUCT && (bytes == 4 || bytes == 8);
}

static jr_cu_deviceptr mark_of(const jr_plan *plan) {
    return comes_by_one_store(plan) ? 0 : plan->mailbox.address;
}

static void empty_mailbox(const jr_plan *plan) {
    if (counts_runs(plan)) {
        __atomic_store_n((uint64_t *)plan->mailbox.host, (uint64_t)NOT_COUNTED, __ATOMIC_RELEASE);
        return;
    }
    __atomic_store_n((uint32_t *)plan->mailbox.host, 0, __ATOMIC_RELAXED);
    if (!comes_by_one_store(plan)) return;
    if (plan->reduction->output_bytes == 4)
        __atomic_store_n((uint32_t *)results_of(plan), (uint32_t)NOTHING_YET, __ATOMIC_RELEASE);
    else
        __atomic_store_n((uint64_t *)results_of(plan), NOTHING_YET, __ATOMIC_RELEASE);
}

static bool is_there(const jr_plan *plan) {
    const void *results = results_of(plan);
    if (counts_runs(plan)) return count_of_runs(plan) != (uint64_t)NOT_COUNTED;
    if (!comes_by_one_store(plan)) return __atomic_load_n((const uint32_t *)plan->mailbox.host, __ATOMIC_ACQUIRE) != 0;
    if (plan->reduction->output_bytes == 4)
        return __atomic_load_n((const uint32_t *)results, __ATOMIC_ACQUIRE) != (uint32_t)NOTHING_YET;
    return __atomic_load_n((const uint64_t *)results, __ATOMIC_ACQUIRE) != NOTHING_YET;
}

bool jr_plan_is_ready(const jr_plan *plan) {
    enum { LOOKS = 2000 };
    for (int i = 0; i < LOOKS; i++) {
        if (is_there(plan)) return true;
#if defined(__x86_64__)
        __builtin_ia32_pause();
#endif
    }
    return false;
}

/* Now and then the driver is asked whether the stream still works; a stream that has ended has written the results. */
static jr_status wait_for_results(const jr_plan *plan, jr_stream stream) {
    const jr_driver *driver = &plan->context->device.driver;
    for (;;) {
        if (jr_plan_is_ready(plan)) return JR_OK;
        const jr_cu_result result = driver->cuStreamQuery(stream);
        if (result == JR_CUDA_SUCCESS) return JR_OK;
        if (result != JR_CUDA_ERROR_NOT_READY) return jr_driver_check(driver, result, "waiting for the value");
        sched_yield();
    }
}

/* What still runs would write into the next run's mailbox. */
static jr_status end_failed(const jr_plan *plan, jr_stream stream, jr_status status) {
    if (status != JR_OK) plan->context->device.driver.cuStreamSynchronize(stream);
    return status;
}

static void write_to_mailbox(const jr_plan *plan, jr_run *run) {
    if (counts_runs(plan)) {
        run->segments.run_count = plan->mailbox.address;
        return;
    }
    run->out = plan->mailbox.address + MARK_BYTES;
    run->counts_kept = true;
    if (!plan->choice.tuning.to_all) run->mark = mark_of(plan);
}

static jr_status begin(jr_plan *plan, const jr_run *given) {
    jr_run run = *given;
    if (!counts_runs(plan)) run.out = SOME_PLACE; /* an aligned address: a run that is refused makes no mailbox */
    JR_TRY(plan->kind->check(plan, &run));
    JR_TRY(make_mailbox(plan));
    empty_mailbox(plan);
    write_to_mailbox(plan, &run);
    return end_failed(plan, run.stream, jr_plan_start(plan, &run));
}

static jr_status end(const jr_plan *plan, jr_stream stream) {
    return end_failed(plan, stream, wait_for_results(plan, stream));
}

jr_status jr_plan_start_and_wait(jr_plan *plan, const jr_run *asked, jr_value *values) {
    JR_IN_DEVICE_TO_WAIT(&plan->context->device, asked->stream);
    JR_TRY(begin(plan, asked));
    JR_TRY(end(plan, asked->stream));
    if (!counts_runs(plan)) return jr_results_read(plan->reduction, results_of(plan), values);
    values[0] = (jr_value){.type = JR_U64, .as.u64 = count_of_runs(plan)};
    return JR_OK;
}

jr_status jr_plan_start_watched(jr_plan *plan, const jr_run *asked) {
    JR_IN_DEVICE_TO_WAIT(&plan->context->device, asked->stream);
    return begin(plan, asked);
}

jr_status jr_plan_wait_watched(const jr_plan *plan, jr_stream stream, const unsigned char **place) {
    *place = results_of(plan);
    if (jr_plan_is_ready(plan)) return JR_OK; /* the context need not be current for that */
    JR_IN_DEVICE(&plan->context->device);
    return end(plan, stream);
}

jr_status jr_plan_find_mark(jr_plan *plan, jr_cu_deviceptr *mark) {
    JR_IN_DEVICE(&plan->context->device);
    const jr_status status = make_mailbox(plan);
    if (status == JR_OK) *mark = mark_of(plan);
    return status;
}

jr_status jr_plan_read_watched(const jr_plan *plan, jr_value *values) {
    return jr_results_read(plan->reduction, results_of(plan), values);
}
