/* The names of files in a text's preprocessor directives, in all branches, whether they are compiled or not. Comments
 * and literals are skipped. */
#ifndef JR_PROGRAM_DIRECTIVES_H
#define JR_PROGRAM_DIRECTIVES_H

#include <stdbool.h>
#include <stddef.h>

#include "lexemes.h"

typedef enum jr_directive {
    JR_DIRECTIVE_INCLUDE,  /* #include, #import, #embed, __has_include, __has_embed: with a name */
    JR_DIRECTIVE_NEXT,     /* #include_next, __has_include_next */
    JR_DIRECTIVE_COMPUTED, /* #include of a macro; the name is what stands there */
    JR_DIRECTIVE_ASKED,    /* __has_include of a macro, or of a macro's parameter; the name is what stands there */
    JR_DIRECTIVE_DEFINE,   /* of a macro without parameters; the name is the macro's */
    JR_DIRECTIVE_MENTION,  /* <name> or "name" in #define: a macro may become an include of it */
    JR_DIRECTIVE_CONDITION /* the same in #if and #elif, which have no other use for it than to ask for a file */
} jr_directive;

/* One name; it points into the text, of a DEFINE into the walk. */
typedef struct jr_directive_name {
    jr_directive kind;
    bool quoted;      /* "name", else <name> */
    const char *text; /* without its delimiters; not terminated */
    size_t length;
    const char *begin, *end; /* with them; of a DEFINE both where its body begins */
} jr_directive_name;

/* One way to read a text. */
typedef struct jr_directive_reading {
    const char *at;
    jr_lexing lexing;
    bool in_line; /* something stands before `at` on its line, so no directive begins there */
    bool in_directive, in_define, in_condition;
    char word[JR_LEXEME_WORD_BYTES]; /* the name of the last macro */
} jr_directive_reading;

/* One walk through a text. NVRTC takes 1'0 for a number, but in a skipped group for a 1 and a literal that begins at
 * the quote: a text with such a number is read in both ways, and the names of both readings are visited, in the order
 * of the text. */
typedef struct jr_directives {
    jr_directive_reading readings[2];
    jr_directive_name names[2];   /* the next name of each reading */
    bool has_name[2], visited[2]; /* visited: names[] was visited, or nothing was read yet */
    int count;
    const char *past; /* the end of the last name visited; names that begin before it are skipped */
} jr_directives;

/* Begins at a text's first byte. standard: of C++, as 17. */
void jr_directives_begin(jr_directives *walk, const char *text, int standard);

/* Finds the next name; false at the end. */
bool jr_directives_next(jr_directives *walk, jr_directive_name *name);

#endif
