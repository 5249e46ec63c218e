/* A kernel whose file is watched: a thread compiles it again when the file, or a header that it includes, changes. */
#ifndef JR_KERNEL_KERNEL_WATCH_H
#define JR_KERNEL_KERNEL_WATCH_H

#include "context.h"

/* Does what the public jr_kernel_watch does, with arguments that were checked. */
jr_status jr_watch_open(jr_context *context, const jr_program *program, const char *path, jr_watch **watch);
void jr_watch_close(jr_watch *watch); /* NULL is fine */

/* Writes the newest kernel; where that is *kernel, waits for another one, wait_ms at most. Errors:
 * JR_ERROR_INVALID_ARGUMENT (wait_ms). */
jr_status jr_watch_wait(jr_watch *watch, double wait_ms, jr_kernel **kernel);

#endif
