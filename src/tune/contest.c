/* Runs settings in turns. */
#include "contest.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "device/launch.h"
#include "device/memory.h"
#include "kernel/kernel.h"
#include "kernel/loaded.h"

/* A setting that is run. */
typedef struct contender {
    const jr_contest *contest;
    jr_kernel *kernel;
    jr_launch launch;
} contender;

static jr_status run_contender(void *user, uint64_t run, jr_stream stream) {
    contender *one = user;
    (void)run;
    one->launch.stream = stream;
    return jr_launch_run(one->kernel->device, one->kernel->module.function, &one->launch, one->contest->problem->args);
}

/* Writes the outputs as they were before the contest. */
static jr_status restore(const jr_contest *contest) {
    const jr_device *device = &contest->context->device;
    jr_status status = JR_OK;
    for (size_t i = 0; status == JR_OK && i < contest->problem->output_count; i++) {
        const jr_tunable_output *output = &contest->problem->outputs[i];
        if (output->bytes > 0)
            status = jr_memory_upload(device, jr_cu_address(output->address), contest->outputs[i].before, output->bytes,
                                      NULL);
    }
    return status;
}

/* One run on outputs as they were. */
static jr_status run_once(contender *one, double *ms) {
    const jr_device *device = &one->contest->context->device;
    jr_status status = restore(one->contest);
    if (status == JR_OK) status = jr_memory_wait(device, NULL);
    const double begin = jr_clock_ms();
    if (status == JR_OK) status = run_contender(one, 0, NULL);
    if (status == JR_OK) status = jr_memory_wait(device, NULL);
    *ms = jr_clock_ms() - begin;
    return status;
}

/* Reads an output. */
static jr_status fetch(const jr_contest *contest, size_t index, unsigned char *to) {
    const jr_tunable_output *output = &contest->problem->outputs[index];
    if (output->bytes == 0) return JR_OK;
    return jr_memory_download(&contest->context->device, to, jr_cu_address(output->address), output->bytes, NULL);
}

static double element_of(const unsigned char *array, jr_type type, uint64_t index) {
    float single;
    double value;
    if (type == JR_F32) {
        memcpy(&single, array + index * sizeof single, sizeof single);
        return (double)single;
    }
    memcpy(&value, array + index * sizeof value, sizeof value);
    return value;
}

/* Infinities are near themselves alone. */
static bool is_near(const jr_tunable_output *output, double expected, double got) {
    if (isnan(expected) || isnan(got)) return isnan(expected) && isnan(got);
    if (isinf(expected) || isinf(got)) return expected == got;
    return fabs(got - expected) <= output->absolute + output->relative * fabs(expected);
}

/* Compares one output, as its type and tolerances say; why: stays "" where nothing is wrong, else names the first
 * element that differs. expected, got: host memory, at any alignment. */
static void compare_output(const jr_tunable_output *output, size_t index, const unsigned char *expected,
                           const unsigned char *got, char why[JR_REASON_BYTES]) {
    if (memcmp(expected, got, output->bytes) == 0) return;
    if (output->type == JR_TYPE_NONE) {
        uint64_t at = 0;
        while (expected[at] == got[at]) at++;
        snprintf(why, JR_REASON_BYTES, "output %zu: byte %llu is 0x%02x, and 0x%02x is expected", index,
                 (unsigned long long)at, got[at], expected[at]);
        return;
    }
    const uint64_t count = output->bytes / (output->type == JR_F32 ? sizeof(float) : sizeof(double));
    for (uint64_t i = 0; i < count; i++) {
        const double wanted = element_of(expected, output->type, i), found = element_of(got, output->type, i);
        if (is_near(output, wanted, found)) continue;
        snprintf(why, JR_REASON_BYTES, "output %zu: element %llu is %.17g, and %.17g is expected", index,
                 (unsigned long long)i, found, wanted);
        return;
    }
}

/* why: "" where all outputs are as expected. */
static jr_status verify(const jr_contest *contest, char why[JR_REASON_BYTES]) {
    jr_status status = JR_OK;
    why[0] = '\0';
    for (size_t i = 0; status == JR_OK && why[0] == '\0' && i < contest->problem->output_count; i++) {
        status = fetch(contest, i, contest->now);
        if (status == JR_OK)
            compare_output(&contest->problem->outputs[i], i, contest->outputs[i].expected, contest->now, why);
    }
    return status;
}

/* Is this a failure of the setting alone? */
static bool is_own(jr_status status) {
    return status == JR_ERROR_INVALID_ARGUMENT || status == JR_ERROR_LAUNCH_RESOURCES || status == JR_ERROR_COMPILE ||
           status == JR_ERROR_LOAD;
}

static jr_status load(const jr_contest *contest, const int64_t values[], contender *one) {
    jr_kernel_cost cost;
    const jr_program program = jr_setting_program(contest->space, values, contest->constants);
    one->contest = contest;
    JR_TRY(jr_setting_launch(contest->space, values, &one->launch));
    return jr_kernel_of_caller(contest->context, &program, &one->kernel, &cost);
}

/* Measuring it would take long, and it cannot win. */
static bool is_too_slow(const jr_contest *contest, double ms) {
    enum { TOO_SLOW = 8, WORTH_MS = 200 };
    return ms > WORTH_MS && ms > TOO_SLOW * contest->preferred_ms;
}

/* Setting -> kernel, run once and verified. */
static jr_status prepare(jr_contest *contest, jr_tunable_setting *setting, contender *one) {
    double ms = 0;
    jr_setting_print(contest->space, setting->values, setting->text);
    jr_error_saved *saved = jr_error_save();
    jr_status status = load(contest, setting->values, one);
    if (status == JR_OK) status = run_once(one, &ms);
    if (status == JR_OK) status = verify(contest, setting->failure);
    if (status == JR_OK && setting->failure[0] == '\0' && is_too_slow(contest, ms)) /* or was the host busy? */
        status = run_once(one, &ms);
    if (is_own(status)) snprintf(setting->failure, sizeof setting->failure, "%.511s", jr_last_error()->message);
    if (status != JR_OK && !is_own(status)) {
        jr_error_discard(saved);
        return jr_fail_prefix("%s: ", setting->text);
    }
    jr_error_restore(saved);
    if (setting->failure[0] == '\0' && is_too_slow(contest, ms))
        snprintf(setting->failure, sizeof setting->failure, "a run takes %.0f ms, and the preferred setting's %.0f ms",
                 ms, contest->preferred_ms);
    return JR_OK;
}

/* ---- opening and closing ---- */

static jr_status allocate(jr_contest *contest) {
    const jr_tunable_problem *problem = contest->problem;
    const size_t constants = contest->space->tunable->program->constant_count + JR_TUNABLE_PARAMETERS_MAX;
    uint64_t most = 0;
    contest->outputs = calloc(problem->output_count + 1, sizeof *contest->outputs);
    contest->constants = calloc(constants, sizeof *contest->constants);
    bool memory = contest->outputs != NULL && contest->constants != NULL;
    for (size_t i = 0; memory && i < problem->output_count; i++) {
        const uint64_t bytes = problem->outputs[i].bytes;
        contest->outputs[i].before = malloc(bytes + 1);
        contest->outputs[i].expected = malloc(bytes + 1);
        memory = contest->outputs[i].before != NULL && contest->outputs[i].expected != NULL;
        if (bytes > most) most = bytes;
    }
    contest->now = memory ? malloc(most + 1) : NULL;
    return contest->now != NULL ? JR_OK : jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory for what the outputs are to be");
}

/* Runs the preferred setting; what it leaves is expected where the caller expects nothing. */
static jr_status run_preferred(jr_contest *contest) {
    contender one = {0};
    const jr_tunable_problem *problem = contest->problem;
    jr_tunable_setting *preferred = &contest->preferred;
    jr_setting_print(contest->space, preferred->values, preferred->text);
    jr_status status = load(contest, preferred->values, &one);
    if (status == JR_OK) status = run_once(&one, &contest->preferred_ms);
    if (status == JR_OK) status = run_once(&one, &contest->preferred_ms);
    for (size_t i = 0; status == JR_OK && i < problem->output_count; i++) {
        if (problem->outputs[i].expected != NULL)
            memcpy(contest->outputs[i].expected, problem->outputs[i].expected, problem->outputs[i].bytes);
        else
            status = fetch(contest, i, contest->outputs[i].expected);
    }
    if (status == JR_OK) status = verify(contest, preferred->failure);
    if (status == JR_OK && preferred->failure[0] != '\0')
        status = jr_fail(JR_ERROR_INVALID_ARGUMENT, "what is expected is not what this setting gives: %s",
                         preferred->failure);
    return status == JR_OK ? JR_OK : jr_fail_prefix("the preferred setting %s: ", preferred->text);
}

jr_status jr_contest_open(jr_context *context, const jr_space *space, const jr_tunable_problem *problem,
                          jr_contest *contest) {
    jr_contest made = {.context = context, .space = space, .problem = problem};
    jr_status status = jr_setting_preferred(space, made.preferred.values);
    if (status == JR_OK) status = allocate(&made);
    for (size_t i = 0; status == JR_OK && i < problem->output_count; i++)
        status = fetch(&made, i, made.outputs[i].before);
    made.kept = status == JR_OK;
    if (status == JR_OK) status = run_preferred(&made);
    *contest = made;
    if (status != JR_OK) jr_contest_close(contest);
    return status;
}

void jr_contest_close(jr_contest *contest) {
    if (contest->context == NULL) return;
    JR_KEEP_ERROR;
    if (contest->kept && restore(contest) == JR_OK) (void)jr_memory_wait(&contest->context->device, NULL);
    for (size_t i = 0; contest->outputs != NULL && i < contest->problem->output_count; i++) {
        free(contest->outputs[i].before);
        free(contest->outputs[i].expected);
    }
    free(contest->outputs);
    free(contest->constants);
    free(contest->now);
    *contest = (jr_contest){0};
}

/* ---- measuring ---- */

/* What is measured together: the preferred setting, and those of a group that have not failed. */
typedef struct contest_group {
    contender contenders[JR_CONTEST_GROUP + 1];
    jr_tunable_setting *alive[JR_CONTEST_GROUP];
    jr_quartiles found[JR_CONTEST_GROUP + 1];
    int count;
} contest_group;

static jr_status measure(jr_contest *contest, const jr_measure_options *options, contest_group *group, int *rounds) {
    jr_measured items[JR_CONTEST_GROUP + 1];
    const int count = group->count + 1;
    double *samples = calloc((size_t)count * (size_t)options->rounds, sizeof *samples);
    if (samples == NULL) return jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory for samples");
    for (int i = 0; i < count; i++) items[i] = (jr_measured){run_contender, &group->contenders[i]};
    jr_status status = jr_measure_run(&contest->context->device, options, items, count, samples, rounds);
    for (int i = 0; status == JR_OK && i < count; i++)
        group->found[i] = jr_quartiles_of(samples + i * options->rounds, *rounds);
    for (int i = 0; status == JR_OK && i < group->count; i++) {
        group->alive[i]->us = group->found[i + 1].median;
        group->alive[i]->gain = group->alive[i]->us > 0 ? group->found[0].median / group->alive[i]->us : 0;
    }
    if (status == JR_OK) contest->preferred.us = group->found[0].median;
    free(samples);
    return status;
}

jr_status jr_contest_measure(jr_contest *contest, jr_tunable_setting *const *settings, int count,
                             const jr_measure_options *options, jr_quartiles *spreads, int *rounds) {
    contest_group group = {.count = 0};
    jr_status status = load(contest, contest->preferred.values, &group.contenders[0]);
    for (int i = 0; status == JR_OK && i < count; i++) {
        contender *one = &group.contenders[group.count + 1];
        if (contest->begins != NULL) contest->begins(contest->user, settings[i]);
        status = prepare(contest, settings[i], one);
        if (status == JR_OK && settings[i]->failure[0] == '\0') group.alive[group.count++] = settings[i];
    }
    if (status == JR_OK) status = measure(contest, options, &group, rounds);
    if (status != JR_OK || spreads == NULL) return status;
    spreads[0] = group.found[0];
    for (int i = 0, next = 0; i < count; i++) {
        const bool measured = next < group.count && group.alive[next] == settings[i];
        spreads[i + 1] = measured ? group.found[1 + next++] : (jr_quartiles){0};
    }
    return JR_OK;
}
