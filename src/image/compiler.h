/* The compiler: NVRTC located early, opened only when something must be compiled, used by a few threads at a time. */
#ifndef JR_IMAGE_COMPILER_H
#define JR_IMAGE_COMPILER_H

#include "cache.h"
#include "compiler_record.h"
#include "pch/pch.h"

typedef struct jr_compiler jr_compiler;

/* Makes a compiler; looks for nothing yet. nvrtc_path: from options, may be NULL. record_folder: cache folder for the
 * compiler record, "" for none; both copied. Errors: JR_ERROR_OUT_OF_MEMORY. */
jr_status jr_compiler_open(const char *nvrtc_path, const char *record_folder, jr_compiler **compiler);
void jr_compiler_close(jr_compiler *compiler); /* NULL is fine */

/* What the key needs: located once, read from its record, or from NVRTC itself, which is then opened.
 * *record is borrowed. Errors: JR_ERROR_NVRTC_NOT_FOUND, JR_ERROR_MISSING_FUNCTION. */
jr_status jr_compiler_describe(jr_compiler *compiler, const jr_nvrtc_about **record);

/* The same where that opens nothing: NULL when NVRTC is not found, or nothing is on record of it. Looks once; failures
 * of jr_compiler_describe are not remembered. */
const jr_nvrtc_about *jr_compiler_recall(jr_compiler *compiler);

/* Takes one of the places for concurrent compiles, waiting for one if need be, and opens NVRTC when it is not open.
 * On success *nvrtc is borrowed until jr_compiler_release. Errors: as jr_compiler_describe. */
jr_status jr_compiler_acquire(jr_compiler *compiler, const jr_nvrtc **nvrtc);
void jr_compiler_release(jr_compiler *compiler);

/* Others compile in the record's folder, too: they made what this process was about to make. */
void jr_compiler_note_others(jr_compiler *compiler);

/* How long a kernel is left to others, who have NVRTC open, on a busy machine: not at all unless there are others, and
 * this process would have to open it first, which takes as long as a small compile. Where cores are free it compiles,
 * since NVRTC compiles little at the same time in one process. */
double jr_compiler_yield_ms(jr_compiler *compiler);

/* Its precompiled headers, borrowed; NULL: they are off. */
jr_pch *jr_compiler_pch(const jr_compiler *compiler);

#endif
