/* The log: lines for whoever called jr_log_set; nothing when nobody did. */
#ifndef JR_BASE_LOG_H
#define JR_BASE_LOG_H

#include "jitreduce/status.h"

void jr_log(jr_log_level level, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Between hold and release the calling thread's log lines are kept; the last release logs them, since the caller's
 * callback must not run while a lock is held. Code that may log under a lock takes and leaves the lock with these. */
void jr_log_hold(void);
void jr_log_release(void);

/* Tells of a public call that failed, once: it has left the error record another than before (jr_error_mark), which a
 * call that succeeds never does. call: __func__. */
void jr_log_failure(const char *call, unsigned mark);

#endif
