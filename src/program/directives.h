/* The names of files in a text's preprocessor directives, of all branches, whether they are compiled or not. */
#ifndef JR_PROGRAM_DIRECTIVES_H
#define JR_PROGRAM_DIRECTIVES_H

#include <stdbool.h>
#include <stddef.h>

typedef enum jr_directive {
    JR_DIRECTIVE_INCLUDE,  /* #include, #import, #embed, __has_include, __has_embed: with a name */
    JR_DIRECTIVE_NEXT,     /* #include_next, __has_include_next */
    JR_DIRECTIVE_COMPUTED, /* #include of a macro; the name is what stands there */
    JR_DIRECTIVE_DEFINE,   /* of a macro without parameters; the name is the macro's */
    JR_DIRECTIVE_MENTION   /* <name> or "name" in another directive: a macro may become an include of it */
} jr_directive;

/* One name; it points into the text. */
typedef struct jr_directive_name {
    jr_directive kind;
    bool quoted;      /* "name", else <name> */
    const char *text; /* without its delimiters; not terminated */
    size_t length;
    const char *begin, *end; /* with them; of a DEFINE both where its body begins */
    int line;                /* from 1 */
} jr_directive_name;

/* One walk through a text. Begin with {text, 1}. */
typedef struct jr_directives {
    const char *at;
    int line;
    const char *mentions_end; /* of the directive whose mentions are being told; NULL: of none */
} jr_directives;

/* Finds the next name; false at the end. Comments and literals are searched like everything else: what is found too
 * much costs a look at the file system, and what is missed is not found by the compiler either. */
bool jr_directives_next(jr_directives *walk, jr_directive_name *name);

#endif
