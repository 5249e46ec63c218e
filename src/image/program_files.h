/* The real files of a program: its include folders, and what its includes find there. */
#ifndef JR_IMAGE_PROGRAM_FILES_H
#define JR_IMAGE_PROGRAM_FILES_H

#include "compiler.h"
#include "headers/headers.h"

/* Finds the headers of a program that has folders: their digest from a manifest, or by reading them all, which also
 * brings their texts. read_all: only the latter. Where the toolkit's headers are asked for and nowhere, that is no
 * failure until one is missed: headers->lacks_toolkit tells. Errors: those of jr_folders_list and jr_headers_find. */
jr_status jr_program_files_find(jr_compiler *compiler, const char *cache_folder, const jr_program_text *text,
                                bool read_all, jr_headers **headers);

/* Writes the texts of a caller's program without folders anew, so that none reads a file; *headers stays NULL for one
 * of the library's own. What comes of it is decided by the texts alone. Errors: those of jr_headers_find. */
jr_status jr_program_files_none(const jr_program_text *text, jr_headers **headers);

#endif
