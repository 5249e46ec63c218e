/* The real files of a program: its include folders, and what its includes find there. */
#ifndef JR_IMAGE_PROGRAM_FILES_H
#define JR_IMAGE_PROGRAM_FILES_H

#include "compiler.h"
#include "program/headers.h"

/* Finds the headers of a program that has folders: their digest from a manifest, or by reading them all, which also
 * brings their texts. read_all: only the latter. Errors: those of jr_folders_list and jr_headers_find; JR_ERROR_FILE:
 * the toolkit's headers are asked for and nowhere. */
jr_status jr_program_files_find(jr_compiler *compiler, const char *cache_folder, const jr_program_text *text,
                                bool read_all, jr_headers **headers);

#endif
