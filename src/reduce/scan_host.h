/* The host scan: host memory in, host memory out. */
#ifndef JR_REDUCE_SCAN_HOST_H
#define JR_REDUCE_SCAN_HOST_H

#include "job.h"

/* Does what the public jr_scan_host_arrays does; the arguments have been checked for NULL. */
jr_status jr_scan_host_run(jr_context *context, const jr_spec *spec, jr_scan_kind kind, const void *const *data,
                           uint64_t count, void *out);

#endif
