/* The entries of a program or an image: the name of a kernel, or several, separated by ';'. */
#ifndef JR_PROGRAM_ENTRIES_H
#define JR_PROGRAM_ENTRIES_H

#include <stdbool.h>
#include <stddef.h>

#include "jitreduce/status.h"

/* A name in a list, without the blanks around it. */
typedef struct jr_entry {
    const char *at;
    size_t length;
} jr_entry;

/* Takes the next name of a list and moves *list past it. An empty name counts: "a;" has two. False: the list has
 * ended, and *list is NULL. */
bool jr_entries_next(const char **list, jr_entry *entry);

/* May it name more than one kernel? "*" names all that the compiler emits. list: NULL: no. */
bool jr_entries_several(const char *list);
bool jr_entries_all(const char *list); /* is it "*"? */

/* The arguments of "program %s%s%s%s does not compile" after the program's name: nothing where all kernels are meant.
 */
#define JR_ENTRY_WORDS(list, end)                                                                                      \
    jr_entries_all(list) ? "" : ", entry ", jr_entries_all(list) ? "" : (list), jr_entries_all(list) ? "" : (end)

/* Joins names to a list "a; b", malloc'd. Errors: JR_ERROR_INVALID_ARGUMENT (one is NULL, empty, "*", or has a ';' or
 * an end of a line), JR_ERROR_OUT_OF_MEMORY. */
jr_status jr_entries_join(const char *const *names, size_t count, char **list);

/* A list in the form that jr_entries_join gives it, malloc'd. Errors: JR_ERROR_INVALID_ARGUMENT (an empty name, one
 * that stands twice), JR_ERROR_OUT_OF_MEMORY. */
jr_status jr_entries_normalise(const char *list, char **normal);

#endif
