/* The host reduction: host memory in, a value out. */
#ifndef JR_REDUCE_HOST_H
#define JR_REDUCE_HOST_H

#include "plan.h"

/* Does what the public jr_reduce_host_arrays does; the arguments have been checked for NULL. adviser: NULL for none. */
jr_status jr_host_reduce(jr_context *context, const jr_spec *spec, const jr_adviser *adviser, const void *const *data,
                         uint64_t count, jr_value *values);

#endif
