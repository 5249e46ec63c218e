/* The search for the headers of a program, while it is under way, and the include folders in which it looks. */
#ifndef JR_HEADERS_HEADER_SEARCH_H
#define JR_HEADERS_HEADER_SEARCH_H

#include "base/digest.h"
#include "header_files.h"
#include "jitreduce/kernel.h"
#include "jitreduce/status.h"
#include "macros.h"
#include "program/directives.h"
#include "program/program.h"
#include "standard_headers.h"

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

/* Adds what decides, besides its text, which files a program's includes find: its own headers, its options (some define
 * macros), the folders. */
void jr_folders_digest(const jr_folders *folders, const jr_program *program, jr_digest *digest);

/* One search: the texts found so far, and which folders they come from. */
typedef struct jr_header_search {
    const jr_program *program;
    const jr_folders *folders;
    jr_header_files *files;
    jr_header_file *first, *last; /* files that have a name: their texts are followed, too */
    char **aliases;
    size_t alias_count;
    jr_macros macros;
    jr_status failed;                       /* while a macro was expanded */
    bool computes;                          /* the text that is walked through includes a macro, or asks for one */
    bool has_absolute;                      /* some macro's body may be an absolute path */
    bool knows_macros;                      /* those of that text are kept already */
    bool standard[JR_STANDARD_HEADERS_MAX]; /* those that the texts name, by their index */
    bool standard_searched[JR_STANDARD_HEADERS_MAX];
    const char *virtual_includer; /* name of the virtual header that is being followed; NULL: it is not a virtual
                                   * header */
    bool writes;                  /* all files are found; now texts are rewritten */
} jr_header_search;

/* Has the program a virtual header of this name? */
bool jr_header_is_own(const jr_header_search *search, const char *name);

/* The virtual header that a name means though it is not called so: by its path relative to a virtual includer (its
 * name; NULL: none), or when "." and ".." are taken out; NULL: none. */
const char *jr_header_own_by_path(const jr_header_search *search, const char *name, const char *includer);

/* Looks for a name in the folders from `from` on; *folder: the one that has it. */
jr_status jr_header_find(jr_header_search *search, const char *name, size_t from, jr_header_file **file,
                         size_t *folder);

/* Finds a header of the standard library, unless one of the program's own folders has it, and marks it. False: it is
 * not a standard header, or the toolkit lacks the header that it would forward to. */
jr_status jr_header_standard(jr_header_search *search, const char *name, bool *found);

/* The text of a standard header, malloc'd; NULL: no memory. */
char *jr_header_standard_text(size_t index);

/* Names a file that was found for the first time: by its path in its folder, if an include of that path finds it; else
 * by its folder's number, too. */
jr_status jr_header_name(jr_header_search *search, jr_header_file *file, size_t folder, const char *path);

/* Finds the file that a name means in a text. includer: NULL: the program's own text. */
jr_status jr_header_resolve(jr_header_search *search, const jr_directive_name *wanted, const char *name,
                            const jr_header_file *includer, jr_header_file **file);

/* Follows all include names of a text; *made: the text with its includes renamed, malloc'd. */
jr_status jr_header_follow(jr_header_search *search, const char *text, const jr_header_file *includer, char **made);

/* Fails for want of memory. */
jr_status jr_header_no_memory(const jr_header_search *search);

#endif
