/* The heap of a context's kernels: made when the first of them that may allocate is launched, gone with the context. */
#ifndef JRS_DRIVER_LIMIT_H
#define JRS_DRIVER_LIMIT_H

#include "sim/exec/memory/heap.h"
#include "sim_driver.h"

/* Bytes, as an H100 has them: until they are set, at least, and their unit. */
enum { JRS_HEAP_DEFAULT = 8 << 20, JRS_HEAP_MIN = 4 << 20, JRS_HEAP_UNIT = 64 << 10 };

void jrs_limits_begin(jrs_context *context); /* its life begins */
/* Tells what was never freed, unless a kernel of the context faulted. The context's memory was released, and nobody
 * runs. */
void jrs_limits_end(jrs_driver *driver, jrs_context *context);
/* Makes the heap unless there is one. Lock held. Returns a CUresult number: 0, 2. */
int jrs_limits_heap(const jrs_driver *driver, jrs_context *context);

#endif
