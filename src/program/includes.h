/* The includes of a program: only its own virtual headers and NVRTC's built-in ones. */
#ifndef JR_PROGRAM_INCLUDES_H
#define JR_PROGRAM_INCLUDES_H

#include "jitreduce/kernel.h"

/* Refuses texts that could read a real file: NVRTC opens absolute paths whatever its options are, and what such a file
 * holds is not in the key. So an #include (or __has_include) must name a plain path without a leading '/' and without
 * "..", not a macro; and splices and trigraphs, behind which one could hide, are refused on such lines.
 * Errors: JR_ERROR_INVALID_ARGUMENT, naming the text and its line. */
jr_status jr_includes_check(const jr_program *program);

#endif
