/* Searches a space. */
#include "search.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "device/memory.h"
#include "measure.h"

/* Rounds of one look and of the last measurement, which decides nothing if it has fewer than the least. */
enum { ROUNDS = 5, LAST_ROUNDS = 21, LEAST_ROUNDS = 5 };

/* The least gain that is worth a stored tuning, and the share of the time limit that is left for the last measurement.
 */
static const double WORTH = 1.01, LAST_SHARE = 0.2;

/* ---- the time ---- */

bool jr_search_is_over(jr_search *search) {
    const double limit_ms = search->limit_ms * (1 - LAST_SHARE);
    search->late = search->late || (limit_ms > 0 && jr_clock_ms() - search->begin_ms >= limit_ms);
    return search->late || search->stopped;
}

/* Milliseconds until the limit, at least 1; 0: there is no limit. */
static double left_ms(const jr_search *search, bool last) {
    if (search->limit_ms <= 0) return 0;
    const double left = search->limit_ms * (last ? 1 : 1 - LAST_SHARE) - (jr_clock_ms() - search->begin_ms);
    return left > 1 ? left : 1;
}

/* ---- what is known ---- */

int jr_search_best(const jr_search *search, jr_tunable_setting *best[JR_SEARCH_BEST]) {
    int found = 0;
    for (uint64_t i = 0; i < search->done; i++) {
        jr_tunable_setting *setting = &search->items[i];
        int place = found;
        if (setting->failure[0] != '\0' || setting->us <= 0) continue;
        while (place > 0 && setting->gain > best[place - 1]->gain) place--;
        if (place == JR_SEARCH_BEST) continue;
        if (found < JR_SEARCH_BEST) found++;
        for (int k = found - 1; k > place; k--) best[k] = best[k - 1];
        best[place] = setting;
    }
    return found;
}

const jr_tunable_setting *jr_search_leader(const jr_search *search) {
    jr_tunable_setting *best[JR_SEARCH_BEST];
    return jr_search_best(search, best) > 0 && best[0]->gain > 1 ? best[0] : NULL;
}

static bool is_known(const jr_search *search, const int64_t values[]) {
    const size_t bytes = search->value_count * sizeof *values;
    for (uint64_t i = 0; i < search->count; i++)
        if (memcmp(search->items[i].values, values, bytes) == 0) return true;
    return memcmp(search->first.values, values, bytes) == 0;
}

jr_tunable_setting *jr_search_add(jr_search *search, const int64_t values[]) {
    if (search->count == search->most || is_known(search, values)) return NULL;
    jr_tunable_setting *added = &search->items[search->count++];
    memcpy(added->values, values, search->value_count * sizeof *values);
    return added;
}

static void tell(jr_search *search, const jr_tunable_setting *setting, bool begins) {
    if (search->kind->tell(search, setting, begins) != 0) search->stopped = true;
}

/* ---- one setting ---- */

/* One run that can be verified, and its time on the host's clock. */
static jr_status run_once(const jr_search *search, int place, double *ms) {
    const jr_device *device = &search->context->device;
    jr_status status = search->kind->reset(search->self);
    if (status == JR_OK) status = jr_memory_wait(device, NULL);
    const double begin = jr_clock_ms();
    if (status == JR_OK) status = search->kind->run(search->self, place, 0, NULL);
    if (status == JR_OK) status = jr_memory_wait(device, NULL);
    *ms = jr_clock_ms() - begin;
    return status;
}

/* The first run of a program also loads its code. */
static jr_status try_first(jr_search *search) {
    const jr_search_kind *kind = search->kind;
    jr_status status = kind->make(search->self, 0, &search->first);
    for (int i = 0; status == JR_OK && i < 2; i++) status = run_once(search, 0, &search->first_ms);
    if (status == JR_OK) status = kind->expect(search->self);
    if (status == JR_OK || search->first.text[0] == '\0') return status;
    return jr_fail_prefix("%s %s: ", kind->first_name, search->first.text);
}

/* Is this a failure of a setting alone? */
static bool is_own(jr_status status) {
    return status == JR_ERROR_INVALID_ARGUMENT || status == JR_ERROR_NOT_APPLICABLE ||
           status == JR_ERROR_LAUNCH_RESOURCES || status == JR_ERROR_COMPILE || status == JR_ERROR_LOAD ||
           status == JR_ERROR_DEVICE_OUT_OF_MEMORY;
}

/* Measuring it would take long, and it cannot win. */
static bool is_too_slow(const jr_search *search, double ms) {
    enum { TOO_SLOW = 8, WORTH_MS = 200 };
    return ms > WORTH_MS && ms > TOO_SLOW * search->first_ms;
}

/* Runs a setting once, or twice: the host may have been busy. */
static jr_status look(const jr_search *search, int place, jr_tunable_setting *setting) {
    double ms = 0;
    JR_TRY(run_once(search, place, &ms));
    JR_TRY(search->kind->verify(search->self, place, setting->failure));
    if (setting->failure[0] == '\0' && is_too_slow(search, ms)) JR_TRY(run_once(search, place, &ms));
    if (setting->failure[0] == '\0' && is_too_slow(search, ms))
        snprintf(setting->failure, sizeof setting->failure, "a run takes %.0f ms, and %s's %.0f ms", ms,
                 search->kind->first_name, search->first_ms);
    return JR_OK;
}

/* Gets a setting ready to be measured in a place, which is free again where it has failed. */
static jr_status prepare(const jr_search *search, int place, jr_tunable_setting *setting) {
    jr_error_saved *saved = jr_error_save();
    jr_status status = search->kind->make(search->self, place, setting);
    if (status == JR_OK) status = look(search, place, setting);
    if (is_own(status)) {
        snprintf(setting->failure, sizeof setting->failure, "%.511s", jr_last_error()->message);
        status = JR_OK;
    }
    if (status == JR_OK)
        jr_error_restore(saved);
    else
        jr_error_discard(saved);
    if (status != JR_OK || setting->failure[0] != '\0') search->kind->release(search->self, place);
    return status == JR_OK || setting->text[0] == '\0' ? status : jr_fail_prefix("%s: ", setting->text);
}

/* ---- a group ---- */

/* The first setting, and those of a group that have not failed, in their order. */
typedef struct group {
    const jr_search *search;
    jr_tunable_setting *settings[JR_SEARCH_GROUP + 1];
    jr_quartiles us[JR_SEARCH_GROUP + 1];
    int count, rounds; /* rounds: that were made */
} group;

/* One of a group, in turns. */
typedef struct turn {
    const jr_search *search;
    int place;
} turn;

static jr_status run_turn(void *user, uint64_t number, jr_stream stream) {
    const turn *self = user;
    const uint64_t first = (uint64_t)self->place * self->search->apart;
    return self->search->kind->run(self->search->self, self->place, first + number, stream);
}

static jr_status measure(group *self, const jr_measure_options *options) {
    jr_measured items[JR_SEARCH_GROUP + 1];
    turn turns[JR_SEARCH_GROUP + 1];
    double *samples = calloc((size_t)self->count * (size_t)options->rounds, sizeof *samples);
    if (samples == NULL) return jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory for samples");
    for (int i = 0; i < self->count; i++) {
        turns[i] = (turn){self->search, i};
        items[i] = (jr_measured){run_turn, &turns[i]};
    }
    const jr_status status =
        jr_measure_run(&self->search->context->device, options, items, self->count, samples, &self->rounds);
    for (int i = 0; status == JR_OK && i < self->count; i++) {
        self->us[i] = jr_quartiles_of(samples + i * options->rounds, self->rounds);
        self->settings[i]->us = self->us[i].median;
        self->settings[i]->gain = self->us[i].median > 0 ? self->us[0].median / self->us[i].median : 0;
    }
    free(samples);
    return status;
}

/* Tries settings, and measures those that do not fail: each gets its us and gain, or its failure. */
static jr_status try_group(jr_search *search, jr_tunable_setting *const *settings, int count, bool last, group *self) {
    const jr_measure_options how = {.rounds = last ? LAST_ROUNDS : ROUNDS, .limit_ms = left_ms(search, last)};
    jr_status status = JR_OK;
    *self = (group){.search = search, .settings = {&search->first}, .count = 1};
    for (int i = 0; status == JR_OK && i < count; i++) {
        tell(search, settings[i], true);
        status = prepare(search, self->count, settings[i]);
        if (status == JR_OK && settings[i]->failure[0] == '\0') self->settings[self->count++] = settings[i];
    }
    if (status == JR_OK) status = measure(self, &how);
    for (int i = 1; i < self->count; i++) search->kind->release(search->self, i);
    return status;
}

/* Tries all settings that have not been tried, some at a time; those that have failed before are passed over. */
static jr_status try_all(jr_search *search) {
    jr_status status = JR_OK;
    while (status == JR_OK && search->done < search->count && !jr_search_is_over(search)) {
        jr_tunable_setting *settings[JR_SEARCH_GROUP];
        group tried;
        uint64_t end = search->done;
        int count = 0;
        for (; count < JR_SEARCH_GROUP && end < search->count; end++)
            if (search->items[end].failure[0] == '\0') settings[count++] = &search->items[end];
        if (count > 0) status = try_group(search, settings, count, false, &tried);
        while (status == JR_OK && search->done < end) {
            search->done++;
            tell(search, &search->items[search->done - 1], false);
        }
    }
    return status;
}

/* ---- the search ---- */

/* Measures the best few once more, and takes the one that is surely better: by 1 % or more, with quartiles that do not
 * overlap. */
static jr_status decide(jr_search *search) {
    jr_tunable_setting *best[JR_SEARCH_BEST];
    group last;
    JR_TRY(try_group(search, best, jr_search_best(search, best), true, &last));
    search->first.gain = 1;
    search->best = search->first;
    search->complete = search->complete && last.rounds >= LEAST_ROUNDS;
    for (int i = 1; last.rounds >= LEAST_ROUNDS && i < last.count; i++) {
        const double gain = last.settings[i]->gain;
        if (gain <= search->best.gain || gain < WORTH || last.us[i].upper >= last.us[0].lower) continue;
        search->best = *last.settings[i];
        search->better = true;
    }
    return JR_OK;
}

static jr_status run_stages(jr_search *search) {
    jr_status status = try_first(search);
    bool last = false;
    for (int stage = 0; status == JR_OK && !last && (stage == 0 || !jr_search_is_over(search)); stage++) {
        status = search->kind->add(search, stage, &last);
        if (status == JR_OK) status = try_all(search);
    }
    return status;
}

jr_status jr_search_run(jr_search *search) {
    search->items = calloc(search->most, sizeof *search->items);
    if (search->items == NULL)
        return jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory for %llu settings", (unsigned long long)search->most);
    jr_status status = run_stages(search);
    for (uint64_t i = 0; i < search->done; i++) {
        search->measured += search->items[i].failure[0] == '\0';
        search->failed += search->items[i].failure[0] != '\0';
    }
    search->complete = !search->stopped && !search->late;
    search->first.gain = 1;
    search->best = search->first;
    if (status == JR_OK && !search->stopped) status = decide(search);
    free(search->items);
    search->items = NULL;
    return status;
}
