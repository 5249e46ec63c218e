/* Searches a tunable's space: settings in an order of chance, then the neighbours of the best, and a last measurement
 * that decides. */
#include "tune_settings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/random.h"
#include "contest.h"
#include "pace.h"

/* LOOKED_AT: settings whose restrictions are asked: tens of milliseconds. */
enum { BEST = 3, PASSES = 4, SETTINGS_MAX = 1024, LOOKED_AT = 1 << 16 };

typedef struct settings_search {
    jr_contest contest;
    const jr_space *space;
    const jr_tunable_options *options;
    jr_pace pace;
    jr_tunable_setting *items;
    uint64_t count, done, most; /* settings that are known, that were tried, that may be */
    uint64_t possible;
} settings_search;

/* The best that were measured, the best first. */
static int find_best(const settings_search *self, jr_tunable_setting *best[BEST]) {
    int found = 0;
    for (uint64_t i = 0; i < self->done; i++) {
        jr_tunable_setting *setting = &self->items[i];
        int place = found;
        if (setting->failure[0] != '\0' || setting->us <= 0) continue;
        while (place > 0 && setting->gain > best[place - 1]->gain) place--;
        if (place == BEST) continue;
        if (found < BEST) found++;
        for (int k = found - 1; k > place; k--) best[k] = best[k - 1];
        best[place] = setting;
    }
    return found;
}

static void tell(settings_search *self, const jr_tunable_setting *setting, bool begins) {
    jr_tunable_setting *best[BEST];
    if (self->options->progress == NULL || self->pace.stopped) return;
    const bool better = find_best(self, best) > 0 && best[0]->gain > 1;
    const jr_tunable_progress progress = {.size = sizeof progress,
                                          .done = self->done,
                                          .planned = self->count,
                                          .begins = begins,
                                          .setting = setting,
                                          .best = better ? best[0] : NULL};
    if (self->options->progress(self->options->user, &progress) != 0) self->pace.stopped = true;
}

static void tell_beginning(void *user, const jr_tunable_setting *setting) {
    tell(user, setting, true);
}

/* ---- which settings ---- */

static bool same(const settings_search *self, const int64_t one[], const int64_t other[]) {
    return memcmp(one, other, self->space->tunable->parameter_count * sizeof *one) == 0;
}

static bool is_known(const settings_search *self, const int64_t values[]) {
    for (uint64_t i = 0; i < self->count; i++)
        if (same(self, self->items[i].values, values)) return true;
    return same(self, self->contest.preferred.values, values);
}

/* Adds a setting; one that is excluded has failed already. */
static void add(settings_search *self, const int64_t values[]) {
    jr_tunable_setting *setting = &self->items[self->count++];
    memcpy(setting->values, values, self->space->tunable->parameter_count * sizeof *values);
    jr_setting_print(self->space, values, setting->text);
    for (size_t i = 0; i < self->options->excluded_count; i++) {
        const jr_tunable_setting *excluded = &self->options->excluded[i];
        if (same(self, excluded->values, values))
            snprintf(setting->failure, sizeof setting->failure, "%.511s",
                     excluded->failure[0] != '\0' ? excluded->failure : "excluded by the caller");
    }
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
    for (uint64_t i = 0; status == JR_OK && i < count && !jr_pace_is_over(&self->pace); i++) {
        bool allowed = false;
        jr_setting_at(self->space, numbers[i], values);
        status = jr_setting_allowed(self->space, values, &allowed);
        if (status != JR_OK || !allowed) continue;
        self->possible++;
        if (self->count < self->most && !is_known(self, values)) add(self, values);
    }
    free(numbers);
    return status;
}

/* Adds the neighbours of the best so far: with one parameter changed to the next smaller or larger value of its
 * list. */
static jr_status add_neighbours(settings_search *self, bool *any) {
    jr_tunable_setting *best[BEST];
    const int found = find_best(self, best);
    jr_status status = JR_OK;
    *any = false;
    for (int b = 0; b < found; b++)
        for (size_t p = 0; p < self->space->tunable->parameter_count; p++)
            for (uint64_t v = 0; status == JR_OK && v < self->space->counts[p]; v++) {
                int64_t values[JR_TUNABLE_PARAMETERS_MAX];
                bool allowed = false;
                const int64_t own = best[b]->values[p];
                const bool below = v + 1 < self->space->counts[p] && self->space->values[p][v + 1] == own;
                if (!below && (v == 0 || self->space->values[p][v - 1] != own)) continue;
                memcpy(values, best[b]->values, sizeof values);
                values[p] = self->space->values[p][v];
                if (self->count == self->most || is_known(self, values)) continue;
                status = jr_setting_allowed(self->space, values, &allowed);
                if (!allowed) continue;
                add(self, values);
                *any = true;
            }
    return status;
}

/* ---- the search ---- */

/* Tries all settings that have not been tried, some at a time. */
static jr_status try_all(settings_search *self) {
    jr_status status = JR_OK;
    while (status == JR_OK && self->done < self->count && !jr_pace_is_over(&self->pace)) {
        const jr_measure_options how = {.rounds = JR_PACE_ROUNDS, .limit_ms = jr_pace_left_ms(&self->pace, false)};
        jr_tunable_setting *group[JR_CONTEST_GROUP];
        int count = 0, rounds;
        uint64_t end = self->done;
        for (; count < JR_CONTEST_GROUP && end < self->count; end++) {
            if (self->items[end].failure[0] != '\0') continue; /* excluded */
            group[count++] = &self->items[end];
        }
        if (count > 0) status = jr_contest_measure(&self->contest, group, count, &how, NULL, &rounds);
        while (status == JR_OK && self->done < end) {
            self->done++;
            tell(self, &self->items[self->done - 1], false);
        }
    }
    return status;
}

/* Half of what may be tried is left for neighbours, where that is not enough for all. */
static jr_status try_stages(settings_search *self) {
    const uint64_t most = self->most;
    bool any = true;
    self->most = self->space->points <= most ? most : most / 2 + 1;
    jr_status status = add_by_chance(self);
    if (status == JR_OK) status = try_all(self);
    self->most = most;
    for (int pass = 0; status == JR_OK && any && pass < PASSES && !jr_pace_is_over(&self->pace); pass++) {
        status = add_neighbours(self, &any);
        if (status == JR_OK) status = try_all(self);
    }
    return status;
}

/* Measures the best few once more, and takes the one that is surely better. */
static jr_status decide(settings_search *self, jr_tunable_found *found) {
    const jr_measure_options how = {.rounds = JR_PACE_LAST_ROUNDS, .limit_ms = jr_pace_left_ms(&self->pace, true)};
    jr_tunable_setting *best[BEST];
    jr_quartiles spreads[BEST + 1];
    int rounds = 0;
    const int count = find_best(self, best);
    JR_TRY(jr_contest_measure(&self->contest, best, count, &how, spreads, &rounds));
    self->contest.preferred.gain = 1;
    found->preferred = found->best = self->contest.preferred;
    found->complete = found->complete && rounds >= JR_PACE_LEAST_ROUNDS;
    for (int i = 0; rounds >= JR_PACE_LEAST_ROUNDS && i < count; i++) {
        if (best[i]->failure[0] != '\0' || best[i]->gain <= found->best.gain) continue;
        if (!jr_pace_wins(best[i]->gain, &spreads[i + 1], &spreads[0])) continue;
        found->best = *best[i];
        found->better = 1;
    }
    return JR_OK;
}

static jr_status run(settings_search *self, jr_tunable_found *found) {
    jr_tunable_found made = {.size = sizeof made};
    jr_status status = try_stages(self);
    if (status != JR_OK) return status;
    made.complete = !self->pace.stopped && !self->pace.late;
    made.possible = self->possible;
    for (uint64_t i = 0; i < self->done; i++) {
        made.measured += self->items[i].failure[0] == '\0';
        made.failed += self->items[i].failure[0] != '\0';
    }
    self->contest.preferred.gain = 1;
    made.preferred = made.best = self->contest.preferred;
    if (!self->pace.stopped) status = decide(self, &made);
    if (status == JR_OK) *found = made;
    return status;
}

jr_status jr_settings_search(jr_context *context, const jr_space *space, const jr_tunable_problem *problem,
                             const jr_tunable_options *options, jr_tunable_found *found) {
    settings_search self = {.space = space,
                            .options = options,
                            .pace = jr_pace_begin(options->limit_ms),
                            .most = options->settings_most > 0 ? options->settings_most : SETTINGS_MAX};
    self.items = calloc(self.most, sizeof *self.items);
    if (self.items == NULL)
        return jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory for %llu settings", (unsigned long long)self.most);
    JR_INSIDE inside = jr_inside_to_wait(&context->device, NULL);
    jr_status status = inside.status;
    if (status == JR_OK) {
        status = jr_contest_open(context, space, problem, &self.contest);
        self.contest.begins = tell_beginning;
        self.contest.user = &self;
        if (status == JR_OK) status = run(&self, found);
        jr_contest_close(&self.contest);
    }
    free(self.items);
    return status;
}
