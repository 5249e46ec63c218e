/* The public host reduction (reduce.h). */
#include "jitreduce/reduce.h"

#include "base/error.h"
#include "reduce/host.h"

jr_status jr_reduce_host(jr_context *context, const jr_spec *spec, const void *data, uint64_t count, jr_value *value) {
    if (context == NULL || spec == NULL || value == NULL)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "context, spec or value is NULL");
    return jr_host_reduce(context, spec, data, count, value);
}
