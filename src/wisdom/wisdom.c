/* Keeps tunings in order and finds the nearest; writes down and compares machines. */
#include "wisdom.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

/* ---- machines ---- */

static const char *const names[] = {
#define FIELD_NAME(id, name) name,
    JR_MACHINE_FIELDS(FIELD_NAME)
#undef FIELD_NAME
};

const char *jr_machine_field_name(jr_machine_field field) {
    return names[field];
}

void jr_machine_make(const jr_device_info *device, const char *nvrtc_build, jr_machine *machine) {
    const size_t bytes = JR_MACHINE_VALUE_BYTES;
    *machine = (jr_machine){0};
    snprintf(machine->values[JR_MACHINE_DEVICE], bytes, "%s", device->name);
    snprintf(machine->values[JR_MACHINE_CAPABILITY], bytes, "%d.%d", device->capability_major,
             device->capability_minor);
    snprintf(machine->values[JR_MACHINE_MULTIPROCESSORS], bytes, "%d", device->multiprocessor_count);
    snprintf(machine->values[JR_MACHINE_DRIVER], bytes, "%d.%d", device->driver_version / 1000,
             device->driver_version % 1000 / 10);
    snprintf(machine->values[JR_MACHINE_NVRTC], bytes, "%s", nvrtc_build);
    snprintf(machine->values[JR_MACHINE_LIBRARY], bytes, "%s", jr_version());
    for (int field = 0; field < JR_MACHINE_FIELD_COUNT; field++)
        for (char *at = machine->values[field]; *at != '\0'; at++)
            if ((unsigned char)*at < ' ' || *at == '\x7f') *at = '?';
}

jr_status jr_machine_of(jr_context *context, jr_machine *machine) {
    const jr_nvrtc_about *record;
    const jr_status status = jr_compiler_describe(context->compiler, &record);
    if (status == JR_OK) jr_machine_make(&context->device.info, record->build, machine);
    return status;
}

int jr_machine_compare(const jr_machine *one, const jr_machine *other) {
    int order = 0;
    for (int field = 0; order == 0 && field < JR_MACHINE_FIELD_COUNT; field++)
        order = strcmp(one->values[field], other->values[field]);
    return order;
}

jr_machine_field jr_machine_misfit(const jr_machine *made, const jr_machine *here) {
    for (int field = 0; field < JR_MACHINE_FIELD_COUNT; field++)
        if (field != JR_MACHINE_DEVICE && field != JR_MACHINE_MULTIPROCESSORS &&
            strcmp(made->values[field], here->values[field]) != 0)
            return (jr_machine_field)field;
    return JR_MACHINE_FIELD_COUNT;
}

/* ---- wisdom ---- */

int jr_wisdom_compare(const jr_wisdom_entry *one, const jr_wisdom_entry *other) {
    const int order = strcmp(one->work, other->work);
    return order != 0 ? order : (one->count > other->count) - (one->count < other->count);
}

/* Where a machine's part stands, or would stand. */
static size_t part_place(const jr_wisdom *wisdom, const jr_machine *machine) {
    size_t place = 0;
    while (place < wisdom->count && jr_machine_compare(&wisdom->parts[place].machine, machine) < 0) place++;
    return place;
}

/* The index of an entry, or where it would be inserted. Usually that is after the last one, since a file is in
 * order. */
static size_t entry_place(const jr_wisdom_part *part, const jr_wisdom_entry *entry) {
    size_t low = 0, high = part->count;
    if (high > 0 && jr_wisdom_compare(&part->entries[high - 1], entry) < 0) return high;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (jr_wisdom_compare(&part->entries[middle], entry) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static jr_wisdom_part *part_get(jr_wisdom *wisdom, const jr_machine *machine) {
    const size_t place = part_place(wisdom, machine);
    if (place < wisdom->count && jr_machine_compare(&wisdom->parts[place].machine, machine) == 0)
        return &wisdom->parts[place];
    jr_wisdom_part *parts = realloc(wisdom->parts, (wisdom->count + 1) * sizeof *parts);
    if (parts == NULL) return NULL;
    memmove(parts + place + 1, parts + place, (wisdom->count - place) * sizeof *parts);
    parts[place] = (jr_wisdom_part){.machine = *machine};
    wisdom->parts = parts;
    wisdom->count++;
    return &parts[place];
}

static bool part_grow(jr_wisdom_part *part) {
    enum { FIRST = 16 };
    if (part->count < part->capacity) return true;
    const size_t capacity = part->capacity > 0 ? 2 * part->capacity : FIRST;
    jr_wisdom_entry *entries = realloc(part->entries, capacity * sizeof *entries);
    if (entries == NULL) return false;
    part->entries = entries;
    part->capacity = capacity;
    return true;
}

/* Puts an entry in its place, over one of the same work and count. */
static bool part_put(jr_wisdom_part *part, const jr_wisdom_entry *entry) {
    const size_t place = entry_place(part, entry);
    if (place == part->count || jr_wisdom_compare(&part->entries[place], entry) != 0) {
        if (!part_grow(part)) return false;
        memmove(part->entries + place + 1, part->entries + place, (part->count - place) * sizeof *entry);
        part->count++;
    }
    part->entries[place] = *entry;
    return true;
}

jr_status jr_wisdom_add(jr_wisdom *wisdom, const jr_machine *machine, const jr_wisdom_entry *entry) {
    jr_wisdom_part *part = part_get(wisdom, machine);
    if (part == NULL || !part_put(part, entry)) return jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory for stored tunings");
    return JR_OK;
}

jr_status jr_wisdom_merge(jr_wisdom *wisdom, const jr_wisdom *added) {
    jr_status status = JR_OK;
    for (size_t p = 0; p < added->count; p++)
        for (size_t i = 0; status == JR_OK && i < added->parts[p].count; i++)
            status = jr_wisdom_add(wisdom, &added->parts[p].machine, &added->parts[p].entries[i]);
    return status;
}

static bool is_open_or(int asked, int stored) {
    return asked == 0 || asked == stored;
}

/* True if an entry sets only what the request leaves open. */
static bool fits(const jr_wisdom_entry *entry, const jr_requested_tuning *requested) {
    if (entry->algorithm == JR_ALGORITHM_AUTO) return true;
    return is_open_or((int)requested->algorithm, (int)entry->algorithm) &&
           is_open_or(requested->unroll, entry->unroll) && is_open_or(requested->block, entry->block) &&
           requested->grid == 0 && requested->shared != JR_SHARED_DYNAMIC &&
           is_open_or(requested->blocks_per_multiprocessor, entry->blocks_per_multiprocessor);
}

const jr_wisdom_entry *jr_wisdom_nearest(const jr_wisdom_part *part, const char *work,
                                         const jr_requested_tuning *requested) {
    const jr_wisdom_entry *nearest = NULL;
    jr_wisdom_entry first = {.count = 0};
    double least = JR_WISDOM_OCTAVES;
    const size_t length = strlen(work);
    if (length >= sizeof first.work || requested->capacity == 0) return NULL;
    memcpy(first.work, work, length + 1);
    for (size_t i = entry_place(part, &first); i < part->count && strcmp(part->entries[i].work, work) == 0; i++) {
        const jr_wisdom_entry *entry = &part->entries[i];
        const double octaves = fabs(log2((double)entry->count) - log2((double)requested->capacity));
        if (octaves > least || (nearest != NULL && octaves >= least) || !fits(entry, requested)) continue;
        least = octaves;
        nearest = entry;
    }
    return nearest;
}

void jr_wisdom_free(jr_wisdom *wisdom) {
    for (size_t p = 0; p < wisdom->count; p++) free(wisdom->parts[p].entries);
    free(wisdom->parts);
    *wisdom = (jr_wisdom){0};
}
