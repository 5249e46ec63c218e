/* Takes advice from stored tunings. */
#include "advice.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/log.h"
#include "reduce/estimate.h"
#include "reduce/stream.h"
#include "wisdom_file.h"
#include "work.h"

/* What a context keeps. Guarded by the context's lock. */
typedef struct advice {
    jr_advice_state state;
    jr_machine machine;
    jr_wisdom wisdom; /* empty when refused */
} advice;

static void advice_free(void *kept) {
    advice *freed = kept;
    jr_wisdom_free(&freed->wisdom);
    free(freed);
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

void jr_advice_look_at(const jr_place *place, const jr_machine *machine, jr_advice_state *state) {
    jr_wisdom wisdom = {0};
    jr_error_saved *saved = jr_error_save();
    if (read_place(place, &wisdom, state)) count_entries(&wisdom, machine, state);
    jr_wisdom_free(&wisdom);
    jr_error_restore(saved);
}

/* Fills what a context keeps. The machine is only looked at when there is a file: that may open NVRTC. */
static void advice_load(jr_context *context, advice *loaded) {
    jr_place place;
    jr_wisdom_place_of(context->wisdom_wish, &place);
    if (!read_place(&place, &loaded->wisdom, &loaded->state)) return;
    if (jr_machine_of(context, &loaded->machine) == JR_OK)
        count_entries(&loaded->wisdom, &loaded->machine, &loaded->state);
    else
        snprintf(loaded->state.refused, sizeof loaded->state.refused, "%.511s", jr_last_error()->message);
}

/* The context's lock is held. NULL: out of memory. */
static advice *advice_get(jr_context *context) {
    if (context->advice != NULL) return context->advice;
    advice *made = calloc(1, sizeof *made);
    if (made == NULL) return NULL;
    jr_error_saved *saved = jr_error_save();
    advice_load(context, made);
    jr_error_restore(saved);
    if (made->state.refused[0] != '\0') {
        jr_log(JR_LOG_WARNING, "stored tunings are not used: %s", made->state.refused);
        jr_wisdom_free(&made->wisdom);
    }
    context->advice = made;
    context->advice_free = advice_free;
    return made;
}

jr_status jr_advice_look(jr_context *context, jr_advice_state *state) {
    pthread_mutex_lock(&context->lock);
    const advice *kept = advice_get(context);
    if (kept != NULL) *state = kept->state;
    pthread_mutex_unlock(&context->lock);
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
static finding find_entry(const advice *kept, const char *work, const jr_spec *spec) {
    const jr_wisdom_part *own = jr_wisdom_part_find(&kept->wisdom, &kept->machine);
    finding found = {own != NULL ? jr_wisdom_nearest(own, work, spec) : NULL, &kept->machine};
    if (found.entry != NULL) return found;
    for (size_t p = 0; p < kept->wisdom.count; p++) {
        const jr_wisdom_part *part = &kept->wisdom.parts[p];
        if (jr_machine_misfit(&part->machine, &kept->machine) != JR_MACHINE_FIELD_COUNT) continue;
        const jr_wisdom_entry *entry = jr_wisdom_nearest(part, work, spec);
        if (entry == NULL) continue;
        if (found.entry == NULL || octaves_off(entry, spec->capacity) < octaves_off(found.entry, spec->capacity))
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

static void follow(const finding *found, const jr_machine *here, jr_advised *advised) {
    char count[24];
    const bool same = jr_machine_compare(found->machine, here) == 0;
    const jr_wisdom_entry *entry = found->entry;
    advised->followed = entry->algorithm != JR_ALGORITHM_AUTO;
    snprintf(advised->tuned_by, sizeof advised->tuned_by, "%swisdom of %s%s%s",
             advised->followed ? "" : "estimate, by ", print_count(entry->count, count), same ? "" : " on ",
             same ? "" : found->machine->values[JR_MACHINE_DEVICE]);
    if (!advised->followed) return;
    advised->spec.algorithm = entry->algorithm;
    advised->spec.unroll = entry->unroll;
    advised->spec.block = entry->block;
    advised->spec.blocks_per_multiprocessor = entry->blocks_per_multiprocessor;
}

/* Does the filled-in spec suit this device? */
static bool is_applicable(const jr_context *context, const jr_spec *spec, const jr_reduction *reduction) {
    const jr_device_info *device = &context->device.info;
    const jr_algorithm_row *row;
    jr_tuning tuning = {0};
    jr_error_saved *saved = jr_error_save();
    const bool good = jr_algorithm_choose(spec, reduction, device, false, &row) == JR_OK &&
                      jr_estimate_tuning(spec, reduction, row, device, &tuning) == JR_OK;
    jr_error_restore(saved);
    return good;
}

static void leave(const jr_spec *spec, jr_advised *advised) {
    advised->spec = *spec;
    advised->followed = false;
    advised->tuned_by[0] = '\0';
}

/* The context's lock is held. host: of data in host memory, which may go through the device in parts. */
static void take(const jr_context *context, const advice *kept, bool host, jr_advised *advised) {
    const jr_spec spec = advised->spec;
    jr_reduction *reduction = NULL;
    char work[JR_WORK_BYTES];
    jr_error_saved *saved = jr_error_save();
    const bool good = jr_reduction_create(&spec, &reduction) == JR_OK;
    jr_error_restore(saved);
    if (good && !(host && jr_stream_fits(&spec, reduction, spec.capacity))) {
        jr_work_of(reduction, work);
        const finding found = find_entry(kept, work, &spec);
        if (found.entry != NULL) follow(&found, &kept->machine, advised);
        if (advised->followed && !is_applicable(context, &advised->spec, reduction)) leave(&spec, advised);
    }
    jr_reduction_destroy(reduction);
}

static void advise(jr_context *context, bool host, jr_advised *advised) {
    const jr_spec *spec = &advised->spec;
    if (spec->grid > 0 || spec->max_launch_ms > 0 || spec->capacity == 0) return;
    if (spec->algorithm != JR_ALGORITHM_AUTO && spec->unroll > 0 && spec->block > 0) return;
    pthread_mutex_lock(&context->lock);
    const advice *kept = advice_get(context);
    if (kept != NULL && kept->state.refused[0] != '\0')
        snprintf(advised->tuned_by, sizeof advised->tuned_by, "estimate; wisdom is refused: %.224s",
                 kept->state.refused);
    else if (kept != NULL && kept->wisdom.count > 0)
        take(context, kept, host, advised);
    pthread_mutex_unlock(&context->lock);
}

void jr_advice_take(jr_context *context, const jr_spec *spec, jr_advised *advised) {
    leave(spec, advised);
    advise(context, false, advised);
}

void jr_advice_take_host(jr_context *context, const jr_spec *spec, uint64_t count, jr_advised *advised) {
    leave(spec, advised);
    advised->spec.capacity = count;
    advise(context, true, advised);
}

bool jr_advice_drop(jr_status status, const jr_spec *spec, jr_advised *advised) {
    if (!advised->followed || (status != JR_ERROR_NOT_APPLICABLE && status != JR_ERROR_LAUNCH_RESOURCES)) return false;
    leave(spec, advised);
    return true;
}

/* ---- storing ---- */

/* The place and the machine of a context, which must have both. */
static jr_status find_target(jr_context *context, jr_place *place, jr_machine *machine) {
    pthread_mutex_lock(&context->lock);
    const advice *kept = advice_get(context);
    if (kept != NULL) *place = kept->state.place;
    pthread_mutex_unlock(&context->lock);
    if (kept == NULL) return jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory for stored tunings");
    if (place->path[0] == '\0')
        return jr_fail(JR_ERROR_WISDOM, "there is no file for tunings (%s: %s)", place->origin, place->reason);
    return jr_machine_of(context, machine);
}

/* Reads the file again: it may have been refused before, and others may have added to it. */
static void reload(jr_context *context) {
    pthread_mutex_lock(&context->lock);
    if (context->advice != NULL) context->advice_free(context->advice);
    context->advice = NULL;
    advice_get(context);
    pthread_mutex_unlock(&context->lock);
}

jr_status jr_advice_add(jr_context *context, const jr_wisdom_entry *entry) {
    jr_wisdom added = {0};
    jr_place place;
    jr_machine machine;
    jr_status status = find_target(context, &place, &machine);
    if (status == JR_OK) status = jr_wisdom_add(&added, &machine, entry);
    if (status == JR_OK) status = jr_wisdom_write(place.path, &added);
    if (status == JR_OK) reload(context);
    jr_wisdom_free(&added);
    return status;
}
