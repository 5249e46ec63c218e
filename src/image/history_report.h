/* The report of a history: what differs between two records of one program. */
#ifndef JR_IMAGE_HISTORY_REPORT_H
#define JR_IMAGE_HISTORY_REPORT_H

#include <stdbool.h>

#include "jitreduce/context.h"

/* Writes what differs between the lines of an earlier compile, perhaps the last one, and those of this one. Returns how
 * many differences there are; of 0 nothing is written. */
int jr_history_compare(const char *before, const char *now, bool last, char reason[JR_COMPILED_BECAUSE_BYTES]);

#endif
