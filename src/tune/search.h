/* The search: from every algorithm's own tuning over a coarse grid to the neighbours of the best, and a last
 * measurement that decides. */
#ifndef JR_TUNE_SEARCH_H
#define JR_TUNE_SEARCH_H

#include "trial.h"

/* Does what the public jr_tune does for the capacity of a job, with arguments that were checked. */
jr_status jr_search_run(const jr_job *job, const jr_tune_options *options, jr_tuned *tuned);

#endif
