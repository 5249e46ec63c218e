/* The report of a history: what differs between two records of one program. */
#ifndef JR_IMAGE_HISTORY_REPORT_H
#define JR_IMAGE_HISTORY_REPORT_H

#include <stdbool.h>

#include "jitreduce/context.h"

/* Writes what differs between the lines of the last compile and those of this one; false, and nothing is written, if
 * nothing does. */
bool jr_history_compare(const char *before, const char *now, char reason[JR_COMPILED_BECAUSE_BYTES]);

#endif
