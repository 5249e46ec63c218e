/* Searches a tunable's space: settings in an order of chance, then the neighbours of the best. Its kernels run on the
 * caller's memory, which is put back before each run that is verified and when the search ends. */
#include "tune_settings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/random.h"
#include "device/launch.h"
#include "kernel/kernel.h"
#include "kernel/loaded.h"
#include "search.h"
#include "tune_outputs.h"

/* LOOKED_AT: settings whose restrictions are asked: tens of milliseconds. */
enum { PASSES = 4, SETTINGS_MAX = 1024, LOOKED_AT = 1 << 16 };

/* A setting that is run. */
typedef struct contender {
    jr_kernel *kernel;
    jr_launch launch;
} contender;

typedef struct settings_search {
    jr_search search;
    const jr_space *space;
    const jr_tunable_problem *problem;
    const jr_tunable_options *options;
    uint64_t possible;
    jr_outputs outputs;
    jr_named_text *constants; /* of a setting's program */
    contender contenders[JR_SEARCH_GROUP + 1];
} settings_search;

/* ---- running ---- */

static jr_status reset(void *user) {
    const settings_search *self = user;
    return jr_outputs_reset(&self->outputs);
}

static jr_status expect(void *user) {
    const settings_search *self = user;
    return jr_outputs_expect(&self->outputs);
}

static jr_status verify(void *user, int place, char why[JR_REASON_BYTES]) {
    const settings_search *self = user;
    (void)place;
    return jr_outputs_verify(&self->outputs, why);
}

static jr_status make(void *user, int place, jr_tunable_setting *setting) {
    settings_search *self = user;
    contender *one = &self->contenders[place];
    jr_kernel_cost cost;
    const jr_program program = jr_setting_program(self->space, setting->values, self->constants);
    JR_TRY(jr_setting_launch(self->space, setting->values, &one->launch));
    return jr_kernel_of_caller(self->search.context, &program, &one->kernel, &cost);
}

/* Kernels stay the context's. */
static void release(void *user, int place) {
    (void)user;
    (void)place;
}

static jr_status run(void *user, int place, uint64_t number, jr_stream stream) {
    settings_search *self = user;
    contender *one = &self->contenders[place];
    (void)number;
    one->launch.stream = stream;
    return jr_launch_run(one->kernel->device, one->kernel->module.function, &one->launch, self->problem->args);
}

static int tell(const jr_search *search, const jr_tunable_setting *setting, bool begins) {
    const jr_tunable_options *options = ((const settings_search *)search->self)->options;
    if (options->progress == NULL || search->stopped) return 0;
    const jr_tunable_progress progress = {.size = sizeof progress,
                                          .done = search->done,
                                          .planned = search->count,
                                          .begins = begins,
                                          .setting = setting,
                                          .best = jr_search_leader(search)};
    return options->progress(options->user, &progress);
}

/* ---- which settings ---- */

/* Adds a setting; one that is excluded has failed already. */
static bool add(settings_search *self, const int64_t values[]) {
    jr_tunable_setting *setting = jr_search_add(&self->search, values);
    if (setting == NULL) return false;
    jr_setting_print(self->space, values, setting->text);
    for (size_t i = 0; i < self->options->excluded_count; i++) {
        const jr_tunable_setting *excluded = &self->options->excluded[i];
        if (memcmp(excluded->values, values, self->search.value_count * sizeof *values) == 0)
            snprintf(setting->failure, sizeof setting->failure, "%.511s",
                     excluded->failure[0] != '\0' ? excluded->failure : "excluded by the caller");
    }
    return true;
}

/* Numbers of settings in an order of chance, the same in every run; of a space that is too large some, maybe twice. */
static uint64_t *draw_numbers(const jr_space *space, uint64_t count) {
    uint64_t drawn = 0, *numbers = malloc(count * sizeof *numbers);
    const bool whole = count == space->points;
    if (numbers == NULL) return NULL;
    for (uint64_t i = 0; i < count; i++) numbers[i] = whole ? i : jr_random_bits(drawn++) % space->points;
    for (uint64_t i = count; whole && i > 1; i--) {
        const uint64_t k = jr_random_bits(drawn++) % i, moved = numbers[i - 1];
        numbers[i - 1] = numbers[k];
        numbers[k] = moved;
    }
    return numbers;
}

static jr_status add_by_chance(settings_search *self) {
    const uint64_t points = self->space->points, count = points < LOOKED_AT ? points : LOOKED_AT;
    int64_t values[JR_TUNABLE_PARAMETERS_MAX];
    jr_status status = JR_OK;
    uint64_t *numbers = draw_numbers(self->space, count);
    if (numbers == NULL) return jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory for an order of settings");
    for (uint64_t i = 0; status == JR_OK && i < count && !jr_search_is_over(&self->search); i++) {
        bool allowed = false;
        jr_setting_at(self->space, numbers[i], values);
        status = jr_setting_allowed(self->space, values, &allowed);
        if (status != JR_OK || !allowed) continue;
        self->possible++;
        add(self, values);
    }
    free(numbers);
    return status;
}

/* Adds a setting with another value of a parameter, if its restrictions allow it. */
static jr_status add_with(settings_search *self, const jr_tunable_setting *setting, size_t parameter, int64_t value,
                          bool *any) {
    int64_t values[JR_TUNABLE_PARAMETERS_MAX];
    bool allowed = false;
    memcpy(values, setting->values, sizeof values);
    values[parameter] = value;
    JR_TRY(jr_setting_allowed(self->space, values, &allowed));
    if (allowed && add(self, values)) *any = true;
    return JR_OK;
}

/* Adds the neighbours of the best so far: with one parameter changed to the next smaller or larger value of its
 * list. */
static jr_status add_neighbours(settings_search *self, bool *any) {
    jr_tunable_setting *best[JR_SEARCH_BEST];
    const int found = jr_search_best(&self->search, best);
    jr_status status = JR_OK;
    for (int b = 0; b < found; b++)
        for (size_t p = 0; p < self->search.value_count; p++)
            for (uint64_t v = 0; status == JR_OK && v < self->space->counts[p]; v++) {
                const int64_t *list = self->space->values[p], own = best[b]->values[p];
                const bool below = v + 1 < self->space->counts[p] && list[v + 1] == own;
                if (below || (v > 0 && list[v - 1] == own)) status = add_with(self, best[b], p, list[v], any);
            }
    return status;
}

/* Half of what may be tried is left for neighbours, where that is not enough for all. */
static jr_status add_stage(jr_search *search, int stage, bool *last) {
    settings_search *self = search->self;
    const uint64_t most = search->most;
    bool any = false;
    *last = stage == PASSES;
    if (stage == 0) {
        search->most = self->space->points <= most ? most : most / 2 + 1;
        const jr_status status = add_by_chance(self);
        search->most = most;
        return status;
    }
    const jr_status status = add_neighbours(self, &any);
    *last = *last || !any;
    return status;
}

/* ---- the search ---- */

static const jr_search_kind kind = {.first_name = "the preferred setting",
                                    .add = add_stage,
                                    .make = make,
                                    .release = release,
                                    .reset = reset,
                                    .run = run,
                                    .expect = expect,
                                    .verify = verify,
                                    .tell = tell};

static jr_status search_all(settings_search *self) {
    jr_tunable_setting *first = &self->search.first;
    const size_t constants = self->space->tunable->program->constant_count + JR_TUNABLE_PARAMETERS_MAX;
    JR_TRY(jr_setting_preferred(self->space, first->values));
    jr_setting_print(self->space, first->values, first->text);
    self->constants = calloc(constants, sizeof *self->constants);
    if (self->constants == NULL) return jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory for %zu constants", constants);
    JR_TRY(jr_outputs_keep(&self->search.context->device, self->problem, &self->outputs));
    return jr_search_run(&self->search);
}

jr_status jr_settings_search(jr_context *context, const jr_space *space, const jr_tunable_problem *problem,
                             const jr_tunable_options *options, jr_tunable_found *found) {
    settings_search self = {.search = {.kind = &kind,
                                       .context = context,
                                       .value_count = space->tunable->parameter_count,
                                       .most = options->settings_most > 0 ? options->settings_most : SETTINGS_MAX,
                                       .limit_ms = options->limit_ms,
                                       .begin_ms = jr_clock_ms()},
                            .space = space,
                            .problem = problem,
                            .options = options};
    const jr_search *search = &self.search;
    self.search.self = &self;
    JR_INSIDE inside = jr_inside_to_wait(&context->device, NULL);
    JR_TRY(inside.status);
    const jr_status status = search_all(&self);
    if (status == JR_OK)
        *found = (jr_tunable_found){.size = sizeof *found,
                                    .preferred = search->first,
                                    .best = search->best,
                                    .better = search->better,
                                    .complete = search->complete,
                                    .measured = search->measured,
                                    .failed = search->failed,
                                    .possible = self.possible};
    jr_outputs_give_back(&self.outputs);
    free(self.constants);
    return status;
}
