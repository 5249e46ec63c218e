/* The macros of all texts of a program that could become names of files. */
#ifndef JR_HEADERS_MACROS_H
#define JR_HEADERS_MACROS_H

#include <stdbool.h>
#include <stddef.h>

/* A set of definitions. Begin with {0}. Which of several holds is not known: all of them may. */
typedef struct jr_macros {
    void *by_name; /* a tree of tsearch(3) */
    size_t count;
} jr_macros;

/* Adds a definition; body NULL: one of which no more is known. False: no memory. */
bool jr_macros_add(jr_macros *macros, const char *name, size_t name_length, const char *body, size_t body_length);
void jr_macros_free(jr_macros *macros);

/* Is a macro of this name defined somewhere? */
bool jr_macros_have(const jr_macros *macros, const char *name, size_t length);

/* Calls visit with every file name (with its delimiters) that an #include of a macro may expand to, at most 1024.
 * False: the macro may also expand to something else (not a file name, or an absolute path), for which visit is not
 * called. */
bool jr_macros_expand(const jr_macros *macros, const char *name, size_t length,
                      bool (*visit)(void *user, const char *file), void *user);

#endif
