/* The log: lines for whoever called jr_log_set; nothing when nobody did. */
#ifndef JR_BASE_LOG_H
#define JR_BASE_LOG_H

#include "jitreduce/status.h"

void jr_log(jr_log_level level, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
