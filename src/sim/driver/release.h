/* Releasing a block of memory in the queue's order. */
#ifndef JRS_DRIVER_RELEASE_H
#define JRS_DRIVER_RELEASE_H

#include "call.h"

/* Waits for all work so far and frees the live block of this kind that begins at address; false when there is none.
 * Lock held, let go meanwhile. */
bool jrs_release(jrs_call *call, jrs_memory_kind kind, uint64_t address);

#endif
