/* What is needed: the programs that jobs of a spec may run on a device that need not be there. */
#ifndef JR_PLAN_NEEDED_H
#define JR_PLAN_NEEDED_H

#include "programs.h"

/* What programs are wanted of. */
typedef struct jr_needed {
    const jr_spec *spec; /* its capacity 0: of any count */
    jr_job job;          /* what jr_job_make needs, without a context */
} jr_needed;

/* Visits every program that the estimate may choose on devices of a compute capability (90 for 9.0), some of them more
 * than once. Errors: those of checking the spec and of the choice, and those of visits. */
jr_status jr_needed_each(const jr_needed *needed, int capability, jr_program_visit *visit, void *user);

#endif
