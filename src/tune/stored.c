/* Stores settings, and finds the nearest again. */
#include "stored.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "kernel/kernel.h"
#include "setting.h"
#include "wisdom/advice.h"
#include "wisdom/tune_work.h"

jr_status jr_stored_add(jr_context *context, const jr_space *space, const int64_t *sizes,
                        const jr_tunable_found *found) {
    jr_wisdom_entry entry = {
        .count = 1, .time_ns = (uint64_t)(found->best.us * 1e3), .estimate_ns = (uint64_t)(found->preferred.us * 1e3)};
    int64_t values[JR_TUNABLE_PARAMETERS_MAX];
    if (!found->better && !found->complete)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "nothing was found: the search was not complete");
    jr_setting_print(space, found->best.values, entry.setting);
    JR_TRY(jr_setting_read(space, entry.setting, values)); /* is it one of this tunable? */
    JR_TRY(jr_work_of_tunable(space->tunable, entry.work));
    JR_TRY(jr_work_add_sizes(space->tunable, sizes, entry.work));
    return jr_advice_add(context, &entry);
}

/* The nearest setting that is possible. */
typedef struct nearest {
    const jr_space *space;
    const int64_t *sizes;
    size_t begin; /* of a work's sizes */
    bool found, here;
    double distance;
    jr_tunable_choice *choice;
} nearest;

static double distance_of(const nearest *self, const int64_t stored[]) {
    double distance = 0;
    for (size_t i = 0; i < self->space->tunable->size_count; i++)
        distance += fabs(log2((double)stored[i]) - log2((double)self->sizes[i]));
    return distance;
}

static void consider(void *user, const jr_wisdom_entry *entry, const char *machine) {
    nearest *self = user;
    int64_t stored[JR_TUNABLE_SIZES_MAX], values[JR_TUNABLE_PARAMETERS_MAX];
    bool allowed = false;
    const char *sizes = entry->work + self->begin;
    if (!jr_work_read_sizes(self->space->tunable, sizes, stored)) return;
    const double distance = distance_of(self, stored);
    const bool here = machine == NULL;
    if (self->found && (self->here != here ? self->here : self->distance <= distance)) return;
    JR_KEEP_ERROR;
    if (jr_setting_read(self->space, entry->setting, values) != JR_OK ||
        jr_setting_allowed(self->space, values, &allowed) != JR_OK)
        allowed = false;
    if (!allowed) return;
    self->found = true;
    self->here = here;
    self->distance = distance;
    jr_tunable_choice *choice = self->choice;
    memcpy(choice->setting.values, values, sizeof values);
    choice->setting.us = (double)entry->time_ns / 1e3;
    choice->setting.gain = entry->time_ns > 0 ? (double)entry->estimate_ns / (double)entry->time_ns : 0;
    snprintf(choice->why, sizeof choice->why, "wisdom%s%.200s%s%.127s", *sizes == ' ' ? " of" : "", sizes,
             here ? "" : " on ", here ? "" : machine);
}

static jr_status choose(jr_context *context, const jr_space *space, const int64_t *sizes, jr_tunable_choice *choice) {
    char work[JR_WORK_BYTES];
    nearest search = {.space = space, .sizes = sizes, .choice = choice};
    JR_TRY(jr_work_of_tunable(space->tunable, work));
    search.begin = strlen(work);
    const jr_status status = jr_advice_show(context, work, consider, &search);
    if (status != JR_OK || search.found) return status;
    snprintf(choice->why, sizeof choice->why, "preferred");
    return jr_setting_preferred(space, choice->setting.values);
}

static jr_status load(jr_context *context, const jr_space *space, jr_tunable_choice *choice) {
    const size_t room = space->tunable->program->constant_count + JR_TUNABLE_PARAMETERS_MAX;
    const int64_t *values = choice->setting.values;
    jr_kernel_cost cost;
    jr_named_text *constants = calloc(room, sizeof *constants);
    if (constants == NULL) return jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory for %zu constants", room);
    const jr_program program = jr_setting_program(space, values, constants);
    jr_setting_print(space, values, choice->setting.text);
    jr_status status = jr_setting_launch(space, values, &choice->launch);
    if (status == JR_OK) status = jr_kernel_of_caller(context, &program, &choice->kernel, &cost);
    free(constants);
    return status;
}

jr_status jr_stored_choose(jr_context *context, const jr_space *space, const int64_t *sizes,
                           jr_tunable_choice *choice) {
    JR_TRY(choose(context, space, sizes, choice));
    return load(context, space, choice);
}
