/* Wisdom: tunings that were measured, by machine (what they hold for, every field as text), work and count.
 *
 * Invariant: parts are in the order of their machines, entries of a part in that of work and count; none twice. */
#ifndef JR_WISDOM_WISDOM_H
#define JR_WISDOM_WISDOM_H

#include "jitreduce/tunable.h"
#include "kernel/context.h"
#include "plan/job.h"

/* id, name in a wisdom file. Tunings of another device of the same compute capability may be used; every other field
 * must be the same. */
#define JR_MACHINE_FIELDS(XX)                                                                                          \
    XX(DEVICE, "device")                                                                                               \
    XX(CAPABILITY, "capability")                                                                                       \
    XX(MULTIPROCESSORS, "multiprocessors")                                                                             \
    XX(DRIVER, "driver")                                                                                               \
    XX(NVRTC, "nvrtc")                                                                                                 \
    XX(LIBRARY, "library")

typedef enum jr_machine_field {
#define JR_MACHINE_FIELD_ENUM(id, name) JR_MACHINE_##id,
    JR_MACHINE_FIELDS(JR_MACHINE_FIELD_ENUM)
#undef JR_MACHINE_FIELD_ENUM
        JR_MACHINE_FIELD_COUNT
} jr_machine_field;

enum { JR_MACHINE_VALUE_BYTES = 128 };

/* Each value is printable ASCII or UTF-8, without control characters. */
typedef struct jr_machine {
    char values[JR_MACHINE_FIELD_COUNT][JR_MACHINE_VALUE_BYTES];
} jr_machine;

/* "driver" */
const char *jr_machine_field_name(jr_machine_field field);

/* Writes down a device of that driver with an NVRTC and this library. */
void jr_machine_make(const jr_device_info *device, const char *nvrtc_build, jr_machine *machine);

/* The machine of a context. Errors: those of finding NVRTC. */
jr_status jr_machine_of(jr_context *context, jr_machine *machine);

/* The order of machines, as strcmp. */
int jr_machine_compare(const jr_machine *one, const jr_machine *other);

/* The first field that keeps tunings of one machine from being used here; JR_MACHINE_FIELD_COUNT: none does. */
jr_machine_field jr_machine_misfit(const jr_machine *made, const jr_machine *here);

enum {
    JR_WORK_BYTES = 232,
    JR_WISDOM_OCTAVES = 2 /* how far, in powers of two, a measured count may be from the one asked for */
};

/* What was found best for one work (tune_work.h) and count. */
typedef struct jr_wisdom_entry {
    char work[JR_WORK_BYTES];
    uint64_t count;                               /* elements, 1 or more */
    jr_algorithm algorithm;                       /* JR_ALGORITHM_AUTO: what the estimate says; then the next are 0 */
    int unroll, block, blocks_per_multiprocessor; /* the last 0: what the estimate says */
    uint64_t time_ns, estimate_ns;                /* of a run with it, and with the estimate's tuning */
    char setting[JR_SETTING_BYTES]; /* of a tunable's work (jr_work_of_tunable), whose count is 1 and whose estimate is
                                     * the preferred setting: "BLOCK=256"; else "" */
} jr_wisdom_entry;

typedef struct jr_wisdom_part {
    jr_machine machine;
    jr_wisdom_entry *entries;
    size_t count, capacity;
} jr_wisdom_part;

/* Zero it to begin with. */
typedef struct jr_wisdom {
    jr_wisdom_part *parts;
    size_t count;
} jr_wisdom;

/* Adds a copy, in place of what was there for the same machine, work and count. Errors: JR_ERROR_OUT_OF_MEMORY. */
jr_status jr_wisdom_add(jr_wisdom *wisdom, const jr_machine *machine, const jr_wisdom_entry *entry);

/* Adds all that another one has. */
jr_status jr_wisdom_merge(jr_wisdom *wisdom, const jr_wisdom *added);

/* The order of entries: by work, then by count. */
int jr_wisdom_compare(const jr_wisdom_entry *one, const jr_wisdom_entry *other);

/* Finds the entry of a work that sets only what the request leaves open, and whose count is nearest in powers of two to
 * their capacity, and no farther than JR_WISDOM_OCTAVES; of two as near the smaller. NULL: none. */
const jr_wisdom_entry *jr_wisdom_nearest(const jr_wisdom_part *part, const char *work,
                                         const jr_requested_tuning *requested);

void jr_wisdom_free(jr_wisdom *wisdom); /* leaves it empty */

#endif
