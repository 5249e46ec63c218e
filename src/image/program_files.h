/* The real files of a program: its include folders, and what its includes find there. */
#ifndef JR_IMAGE_PROGRAM_FILES_H
#define JR_IMAGE_PROGRAM_FILES_H

#include "compiler.h"
#include "headers/headers.h"

/* Finds the headers of a program that has folders: their digest comes from a manifest, or from reading all of them,
 * which also yields their texts. read_all: always read them. If the program asks for the toolkit's headers and no
 * toolkit is found, headers->lacks_toolkit becomes true; it is an error only if the compile then misses a header.
 * Errors: those of jr_folders_list and jr_headers_find. */
jr_status jr_program_files_find(jr_compiler *compiler, const char *cache_folder, const jr_program_text *text,
                                bool read_all, jr_headers **headers);

/* Rewrites the texts of a caller's program without folders so that compiling them opens no file; *headers stays NULL
 * for a program of the library's own. The result depends on the texts alone. Errors: those of jr_headers_find. */
jr_status jr_program_files_none(const jr_program_text *text, jr_headers **headers);

#endif
