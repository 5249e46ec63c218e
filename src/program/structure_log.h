/* Why the program of a spec with a struct does not compile, where NVRTC's words do not lead to the member of the spec.
 */
#ifndef JR_PROGRAM_STRUCTURE_LOG_H
#define JR_PROGRAM_STRUCTURE_LOG_H

#include <stdbool.h>

#include "jitreduce/reduce.h"

/* Reads the log of the failure that is recorded, of a spec that may have a struct. True if it knows the reason: then
 * that is recorded, with the same log, and its status written. */
bool jr_structure_explain(const jr_spec *spec, jr_status *status);

#endif
