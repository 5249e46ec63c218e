/* The choice: which algorithm carries a job out, by which tuning, and why. Nothing else decides that. */
#ifndef JR_PLAN_CHOICE_H
#define JR_PLAN_CHOICE_H

#include "algorithm.h"

/* Chooses what a job leaves open: as its adviser says where that suits the device, else by the estimate. Written on
 * success. Errors: JR_ERROR_INVALID_ARGUMENT (no such algorithm), JR_ERROR_NOT_APPLICABLE (with what the algorithm
 * needs), JR_ERROR_LAUNCH_RESOURCES (the block asked for needs more shared memory than the device has). */
jr_status jr_choice_make(const jr_job *job, jr_choice *choice);

/* The same without asking the adviser. */
jr_status jr_choice_make_estimate(const jr_job *job, jr_choice *choice);

#endif
