/* The host reduction: host memory in, a value out. */
#ifndef JR_REDUCE_HOST_H
#define JR_REDUCE_HOST_H

#include "plan.h"

/* Does what the public jr_reduce_host_arrays does; the arguments have been checked for NULL. tuned_by: for the
 * statistics; "": what the plan says. */
jr_status jr_host_reduce(jr_context *context, const jr_spec *spec, const void *const *data, uint64_t count,
                         const char *tuned_by, jr_value *values);

#endif
