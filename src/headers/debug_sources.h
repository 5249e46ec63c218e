/* The sources of a program as files, for debuggers and profilers: what NVRTC is given lies in a folder of the disk
 * cache, SOURCES/DIGEST/NAME, and the line numbers in the kernel are of those files. */
#ifndef JR_HEADERS_DEBUG_SOURCES_H
#define JR_HEADERS_DEBUG_SOURCES_H

#include "headers.h"

#define JR_DEBUG_SOURCES_FOLDER "sources"

/* What debug information is asked for: the program's, or JITREDUCE_DEBUG's if that is more. Errors:
 * JR_ERROR_INVALID_ARGUMENT (a value of the setting that is not allowed). */
jr_status jr_debug_asked(const jr_program *program, jr_debug *debug);

/* Writes the files, and makes texts that name them: what NVRTC is given instead of the program's. cache_folder: the
 * disk cache's. headers: what was found in include folders; NULL: the program's own. *made is freed with
 * jr_headers_free, and borrows names of both. A file that cannot be written is logged: its lines are still those of the
 * text. Errors: JR_ERROR_OUT_OF_MEMORY. */
jr_status jr_debug_sources_make(const char *cache_folder, const jr_program_text *text, const jr_headers *headers,
                                jr_headers **made);

#endif
