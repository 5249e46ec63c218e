/* PTX text as statements of its module scope: what linking must know of them. All else is the driver's to judge.
 *
 * Source of the grammar: PTX ISA, "Directives" and "Linking Directives". */
#ifndef JR_LINK_PTX_MODULE_TEXT_H
#define JR_LINK_PTX_MODULE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "link_part.h"

/* A piece of text; at NULL: none. */
typedef struct jr_ptx_span {
    const char *at;
    size_t bytes;
} jr_ptx_span;

typedef enum jr_ptx_linkage { JR_PTX_LOCAL, JR_PTX_EXTERN, JR_PTX_WEAK, JR_PTX_VISIBLE } jr_ptx_linkage;

typedef struct jr_ptx_statement {
    jr_ptx_span text;      /* from the word after the linkage to its end */
    jr_ptx_span name;      /* of what it declares or defines; NULL: of nothing, as .pragma */
    jr_ptx_span prototype; /* of a function's definition: without its body; else NULL */
    jr_ptx_linkage linkage;
    bool is_function, is_kernel;
    bool is_shared;  /* .extern .shared: its size comes with the launch */
    bool is_defined; /* a function with a body, or a variable that is not .extern */
} jr_ptx_statement;

typedef struct jr_ptx_module_text {
    const char *name;
    int version[2]; /* 9, 0 */
    int target;     /* 90 */
    jr_ptx_statement *statements;
    size_t count;
} jr_ptx_module_text;

/* The next word of PTX (a name, a number, a directive, or one other character), past white space, comments and
 * strings; moves *at past it. */
jr_ptx_span jr_ptx_word(const char **at, const char *end);
bool jr_ptx_is(jr_ptx_span word, const char *text);
bool jr_ptx_same(jr_ptx_span a, jr_ptx_span b);

/* Reads a part's statements, whose spans point into its text. Debugging sections and file names are dropped.
 * Errors: JR_ERROR_INVALID_ARGUMENT (no .version or .target, 32-bit addresses, a brace that is left open),
 * JR_ERROR_OUT_OF_MEMORY. */
jr_status jr_ptx_module_text_read(const jr_link_part *part, jr_ptx_module_text *module);
void jr_ptx_module_text_free(jr_ptx_module_text *module);

#endif
