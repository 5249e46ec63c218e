/* The search for the best tuning of a reduction or scan. */
#ifndef JR_TUNE_TUNE_PLANS_H
#define JR_TUNE_TUNE_PLANS_H

#include "jitreduce/tune.h"
#include "plan/job.h"

/* Does what the public jr_work_tune does for the capacity of a job, with arguments that were checked. */
jr_status jr_plans_search(const jr_job *job, const jr_tune_options *options, jr_tuned *tuned);

#endif
