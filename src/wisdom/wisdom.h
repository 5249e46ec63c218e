/* Wisdom: tunings that were measured, by machine, work and count.
 *
 * Invariant: parts are in the order of their machines, entries of a part in that of work and count; none twice. */
#ifndef JR_WISDOM_WISDOM_H
#define JR_WISDOM_WISDOM_H

#include "jitreduce/tunable.h"
#include "machine.h"
#include "plan/job.h"

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
