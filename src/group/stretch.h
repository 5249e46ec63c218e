/* Stretches: the host memory of a rank, dealt out to its devices, a thread for each. */
#ifndef JR_GROUP_STRETCH_H
#define JR_GROUP_STRETCH_H

#include "base/error.h"
#include "group_plan.h"
#include "host/host.h"

/* One device's elements. */
typedef struct jr_stretch {
    jr_context *context;
    const jr_spec *spec;
    const void *arrays[JR_INPUTS_MAX];
    jr_host_part part;
    unsigned char *state; /* among the states that this rank sends to the others */
    void *out;            /* of a scan: where the results go */
    const void *carry;    /* and see jr_scan_asked */
    bool exclusive;
    const void *share; /* of segments: which */
    jr_stats stats;    /* of its last work */
    jr_status status;
    jr_error_saved *error;
} jr_stretch;

/* Cuts count elements into a stretch for each device of this rank, and notes their counts in the plan. arrays: of the
 * plan's inputs. Errors: JR_ERROR_INVALID_ARGUMENT: an array is NULL, misaligned or too large. */
jr_status jr_stretch_cut(jr_group_plan *plan, const jr_spec *spec, const void *const *arrays, uint64_t count,
                         jr_stretch *stretches);

/* Does some work for all stretches at the same time; of several failures it returns the first device's. The group keeps
 * the cost. */
jr_status jr_stretch_work(jr_group *group, jr_stretch *stretches, jr_status (*work)(const jr_stretch *own));

/* Folds a stretch to its state: such a work. */
jr_status jr_stretch_fold(const jr_stretch *own);

#endif
