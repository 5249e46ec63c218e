/* Writes the pack of all kernels that a context used, when it is closed, if JITREDUCE_PACK_RECORD asks for one. */
#ifndef JR_KERNEL_PACK_RECORD_H
#define JR_KERNEL_PACK_RECORD_H

#include "context.h"

/* Adds what a context used to the pack that was asked for, if there is one and it has not all of it. NVRTC is needed
 * only for images that are neither there nor in the disk cache. A failure is logged, and the error record does not
 * change. No thread may be making a kernel of the context. context: NULL is fine. */
void jr_pack_record_write(jr_context *context);

#endif
