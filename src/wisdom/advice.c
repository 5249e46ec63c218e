/* Takes advice from stored tunings. */
#include "advice.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/log.h"
#include "base/text.h"
#include "tune_work.h"
#include "wisdom_file.h"

/* The file, read. */
typedef struct shelf {
    jr_advice_state state;
    jr_machine machine;
    jr_wisdom wisdom; /* empty when refused */
} shelf;

/* What a context keeps. */
typedef struct keeper {
    char *wish; /* NULL: the usual file */
    pthread_mutex_t lock;
    shelf *shelf; /* guarded by it; NULL: not read yet */
} keeper;

static void shelf_free(shelf *freed) {
    if (freed != NULL) jr_wisdom_free(&freed->wisdom);
    free(freed);
}

static void keeper_free(void *guest) {
    keeper *freed = guest;
    shelf_free(freed->shelf);
    pthread_mutex_destroy(&freed->lock);
    free(freed->wish);
    free(freed);
}

static keeper *keeper_of(const jr_context *context) {
    return context->guest;
}

static void lock(keeper *locked) {
    jr_log_hold();
    pthread_mutex_lock(&locked->lock);
}

static void unlock(keeper *locked) {
    pthread_mutex_unlock(&locked->lock);
    jr_log_release();
}

jr_status jr_advice_open(jr_context *context, const char *wish) {
    keeper *made = calloc(1, sizeof *made);
    char *copy = wish != NULL ? jr_string_copy(wish) : NULL;
    if (made == NULL || (wish != NULL && copy == NULL)) {
        free(made);
        free(copy);
        return jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory for the path of stored tunings");
    }
    made->wish = copy;
    pthread_mutex_init(&made->lock, NULL);
    context->guest = made;
    context->guest_free = keeper_free;
    return JR_OK;
}

/* ---- what there is ---- */

/* "made with driver 12.8, and here it is 13.0", of the part that comes closest. */
static void explain_misfit(const jr_wisdom *wisdom, const jr_machine *here, const char *path, jr_advice_state *state) {
    jr_machine_field field = JR_MACHINE_DEVICE;
    const jr_machine *closest = NULL;
    for (size_t p = 0; p < wisdom->count; p++) {
        const jr_machine_field misfit = jr_machine_misfit(&wisdom->parts[p].machine, here);
        if (closest != NULL && misfit <= field) continue;
        closest = &wisdom->parts[p].machine;
        field = misfit;
    }
    if (closest == NULL) return;
    snprintf(state->refused, sizeof state->refused, "%.256s: made with %s %s, and here it is %s", path,
             jr_machine_field_name(field), closest->values[field], here->values[field]);
}

static void count_entries(const jr_wisdom *wisdom, const jr_machine *here, jr_advice_state *state) {
    for (size_t p = 0; p < wisdom->count; p++) {
        const jr_wisdom_part *part = &wisdom->parts[p];
        if (here != NULL && jr_machine_compare(&part->machine, here) == 0)
            state->here += part->count;
        else if (here != NULL && jr_machine_misfit(&part->machine, here) == JR_MACHINE_FIELD_COUNT)
            state->elsewhere += part->count;
        else
            state->other += part->count;
    }
    if (here != NULL && state->here + state->elsewhere == 0) explain_misfit(wisdom, here, state->place.path, state);
}

/* Reads the file of a place; false when it cannot be used, with the reason in the state. */
static bool read_place(const jr_place *place, jr_wisdom *wisdom, jr_advice_state *state) {
    bool missing = true;
    *state = (jr_advice_state){.place = *place};
    if (place->path[0] == '\0') return false;
    const jr_status status = jr_wisdom_read(place->path, wisdom, &missing);
    state->found = status != JR_OK || !missing;
    if (status != JR_OK) snprintf(state->refused, sizeof state->refused, "%.511s", jr_last_error()->message);
    return status == JR_OK && !missing;
}

void jr_advice_inspect_at(const jr_place *place, const jr_machine *machine, jr_advice_state *state) {
    jr_wisdom wisdom = {0};
    JR_KEEP_ERROR;
    if (read_place(place, &wisdom, state)) count_entries(&wisdom, machine, state);
    jr_wisdom_free(&wisdom);
}

/* The machine is only looked at when there is a file: that may open NVRTC. */
static void shelf_fill(jr_context *context, shelf *filled) {
    jr_place place;
    jr_wisdom_place_of(keeper_of(context)->wish, &place);
    if (!read_place(&place, &filled->wisdom, &filled->state)) return;
    if (jr_machine_of(context, &filled->machine) == JR_OK)
        count_entries(&filled->wisdom, &filled->machine, &filled->state);
    else
        snprintf(filled->state.refused, sizeof filled->state.refused, "%.511s", jr_last_error()->message);
}

/* The keeper's lock is held. NULL: out of memory. */
static shelf *shelf_get(jr_context *context) {
    keeper *held = keeper_of(context);
    if (held->shelf != NULL) return held->shelf;
    shelf *made = calloc(1, sizeof *made);
    if (made == NULL) return NULL;
    JR_KEEP_ERROR;
    shelf_fill(context, made);
    if (made->state.refused[0] != '\0') {
        jr_log(JR_LOG_WARNING, "stored tunings are not used: %s", made->state.refused);
        jr_wisdom_free(&made->wisdom);
    } else if (made->state.found) {
        jr_log(JR_LOG_INFO, "stored tunings: %s (%s): %llu of this machine, %llu of similar ones",
               made->state.place.path, made->state.place.origin, (unsigned long long)made->state.here,
               (unsigned long long)made->state.elsewhere);
    }
    held->shelf = made;
    return made;
}

jr_status jr_advice_inspect(jr_context *context, jr_advice_state *state) {
    lock(keeper_of(context));
    const shelf *kept = shelf_get(context);
    if (kept != NULL) *state = kept->state;
    unlock(keeper_of(context));
    return kept != NULL ? JR_OK : jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory for stored tunings");
}

/* ---- taking it ---- */

/* An entry, and the machine that it is of. */
typedef struct finding {
    const jr_wisdom_entry *entry;
    const jr_machine *machine;
} finding;

static double octaves_off(const jr_wisdom_entry *entry, uint64_t count) {
    return fabs(log2((double)entry->count) - log2((double)count));
}

/* This machine's, else the nearest of other devices that fit. */
static finding find_entry(const shelf *kept, const char *work, const jr_requested_tuning *requested) {
    finding found = {NULL, NULL};
    for (size_t p = 0; p < kept->wisdom.count; p++) {
        const jr_wisdom_part *part = &kept->wisdom.parts[p];
        if (jr_machine_misfit(&part->machine, &kept->machine) != JR_MACHINE_FIELD_COUNT) continue;
        const jr_wisdom_entry *entry = jr_wisdom_nearest(part, work, requested);
        if (entry == NULL) continue;
        if (jr_machine_compare(&part->machine, &kept->machine) == 0) return (finding){entry, &part->machine};
        if (found.entry == NULL ||
            octaves_off(entry, requested->capacity) < octaves_off(found.entry, requested->capacity))
            found = (finding){entry, &part->machine};
    }
    return found;
}

/* "2^20", or all digits of what is no power of two. */
static const char *print_count(uint64_t count, char text[24]) {
    int power = 0;
    while (count >> power > 1) power++;
    if (count == UINT64_C(1) << power)
        snprintf(text, 24, "2^%d", power);
    else
        snprintf(text, 24, "%llu", (unsigned long long)count);
    return text;
}

static void follow(const finding *found, const jr_machine *here, jr_advice *advice) {
    char count[24];
    const bool same = jr_machine_compare(found->machine, here) == 0;
    const jr_wisdom_entry *entry = found->entry;
    advice->algorithm = entry->algorithm;
    advice->unroll = entry->unroll;
    advice->block = entry->block;
    advice->blocks_per_multiprocessor = entry->blocks_per_multiprocessor;
    snprintf(advice->why, sizeof advice->why, "%swisdom of %s%s%s",
             entry->algorithm != JR_ALGORITHM_AUTO ? "" : "estimate, by ", print_count(entry->count, count),
             same ? "" : " on ", same ? "" : found->machine->values[JR_MACHINE_DEVICE]);
}

/* The adviser's function. Only what is done over all elements at once is tuned. */
static void ask(void *self, const jr_job *job, jr_advice *advice) {
    jr_context *context = self;
    char work[JR_WORK_BYTES];
    if ((job->kind != JR_JOB_FLAT && job->kind != JR_JOB_SCAN) || job->layout.kind != 0) return;
    jr_work_of(job, work);
    lock(keeper_of(context));
    const shelf *kept = shelf_get(context);
    const finding none = {NULL, NULL};
    const finding found = kept != NULL && kept->wisdom.count > 0 ? find_entry(kept, work, &job->requested) : none;
    if (found.entry != NULL)
        follow(&found, &kept->machine, advice);
    else if (kept != NULL && kept->state.refused[0] != '\0')
        snprintf(advice->why, sizeof advice->why, "estimate; wisdom is refused: %.224s", kept->state.refused);
    unlock(keeper_of(context));
}

jr_adviser jr_advice_adviser(jr_context *context) {
    return (jr_adviser){.ask = ask, .self = context};
}

jr_status jr_advice_show(jr_context *context, const char *begin, jr_advice_shown *show, void *user) {
    lock(keeper_of(context));
    const shelf *kept = shelf_get(context);
    for (size_t p = 0; kept != NULL && p < kept->wisdom.count; p++) {
        const jr_wisdom_part *part = &kept->wisdom.parts[p];
        if (jr_machine_misfit(&part->machine, &kept->machine) != JR_MACHINE_FIELD_COUNT) continue;
        const bool same = jr_machine_compare(&part->machine, &kept->machine) == 0;
        for (size_t i = 0; i < part->count; i++)
            if (strncmp(part->entries[i].work, begin, strlen(begin)) == 0)
                show(user, &part->entries[i], same ? NULL : part->machine.values[JR_MACHINE_DEVICE]);
    }
    unlock(keeper_of(context));
    return kept != NULL ? JR_OK : jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory for stored tunings");
}

/* ---- storing ---- */

/* Reads the file again: it may have been refused before, and others may have added to it. */
static void reload(jr_context *context) {
    keeper *held = keeper_of(context);
    lock(held);
    shelf_free(held->shelf);
    held->shelf = NULL;
    shelf_get(context);
    unlock(held);
}

jr_status jr_advice_add(jr_context *context, const jr_wisdom_entry *entry) {
    jr_wisdom added = {0};
    jr_advice_state state;
    jr_machine machine;
    jr_status status = jr_advice_inspect(context, &state);
    const jr_place *place = &state.place;
    if (status == JR_OK && place->path[0] == '\0')
        status = jr_fail(JR_ERROR_WISDOM, "there is no file for tunings (%s: %s)", place->origin, place->reason);
    if (status == JR_OK) status = jr_machine_of(context, &machine);
    if (status == JR_OK) status = jr_wisdom_add(&added, &machine, entry);
    if (status == JR_OK) status = jr_wisdom_write(place->path, &added);
    if (status == JR_OK) reload(context);
    jr_wisdom_free(&added);
    return status;
}
