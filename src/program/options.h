/* The options of a program: which ones a caller may pass on to NVRTC. */
#ifndef JR_PROGRAM_OPTIONS_H
#define JR_PROGRAM_OPTIONS_H

#include <stdbool.h>

#include "jitreduce/kernel.h"

/* Refuses options that read or write files or choose what the library chooses: the result would not be decided by text
 * and key. The array must be there. Errors: JR_ERROR_INVALID_ARGUMENT, naming the option. */
jr_status jr_options_check(const jr_program *program);

enum { JR_STANDARD_DEFAULT = 17 };

/* Does an option say whether the PTX has lines of the source? */
bool jr_options_decide_lines(const jr_program *program);

/* The C++ standard that a program's options choose, as 20; 0: they choose none. Of several the last one holds. */
int jr_options_standard(const jr_program *program);

#endif
