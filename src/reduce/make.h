/* Makes plans: spec -> reduction -> choice -> kernels and workspace. */
#ifndef JR_REDUCE_MAKE_H
#define JR_REDUCE_MAKE_H

#include "plan.h"

/* Makes the plan of a job; where what is advised turns out not to suit the device, by the estimate. Written on success;
 * freed by jr_plan_free. Errors: those of the public jr_plan_create. */
jr_status jr_make_plan(const jr_job *job, jr_plan **plan);

/* The same of a spec: the public jr_plan_create, jr_segment_plan_create, jr_scan_plan_create. adviser: NULL for none.
 */
jr_status jr_make_flat(jr_context *context, const jr_spec *spec, const jr_adviser *adviser, jr_plan **plan);
jr_status jr_make_segments(jr_context *context, const jr_spec *spec, const jr_segment_layout *layout, jr_plan **plan);
jr_status jr_make_scan(jr_context *context, const jr_spec *spec, jr_scan_kind scan, jr_plan **plan);

#endif
