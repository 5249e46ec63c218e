/* The include folders of a program, as absolute paths in the order of searching. */
#ifndef JR_HEADERS_INCLUDE_FOLDERS_H
#define JR_HEADERS_INCLUDE_FOLDERS_H

#include "jitreduce/kernel.h"
#include "jitreduce/status.h"

enum { JR_FOLDERS_MAX = 64 };

typedef struct jr_folders {
    char *paths[JR_FOLDERS_MAX];
    size_t count, own_count; /* the first own_count are the program's own; those after them are the toolkit's */
} jr_folders;

/* Lists the folders that a program names (relative ones: below the current working directory), followed by `further`
 * ones (the toolkit's). Errors: JR_ERROR_FILE (no such folder), JR_ERROR_INVALID_ARGUMENT (too many, NULL, ""),
 * JR_ERROR_OUT_OF_MEMORY. */
jr_status jr_folders_list(const jr_program *program, char *const *further, size_t further_count, jr_folders *folders);
void jr_folders_free(jr_folders *folders);

#endif
