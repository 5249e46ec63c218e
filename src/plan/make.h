/* Makes plans: spec -> reduction -> choice -> kernels and workspace. */
#ifndef JR_PLAN_MAKE_H
#define JR_PLAN_MAKE_H

#include "plan.h"

/* Makes the plan of a job; where what is advised turns out not to suit the device, by the estimate. Written on success;
 * freed by jr_plan_free. Errors: those of the public jr_plan_create. */
jr_status jr_make_plan(const jr_job *job, jr_plan **plan);

/* The same of a spec and a job in which the caller has set what jr_job_make needs; frees the job. */
jr_status jr_make_of_spec(const jr_spec *spec, jr_job *job, jr_plan **plan);

#endif
