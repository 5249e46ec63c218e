/* The program: a kernel string and all that decides what it compiles to, checked and made one text. */
#ifndef JR_PROGRAM_PROGRAM_H
#define JR_PROGRAM_PROGRAM_H

#include <stdbool.h>

#include "block_parts.h"
#include "jitreduce/kernel.h"

/* What NVRTC is given, with an entry in any case. Everything but text is borrowed from the jr_program. */
typedef struct jr_program_text {
    const jr_program *program;
    struct jr_entered_program *entered; /* what program is then: the caller's, which names no entry; NULL: it does */
    jr_block_parts *parts; /* the caller's program together with the library's own headers that it includes; NULL: it
                            * includes none */
    bool lines;            /* its PTX says lines of the source: the simulator's reports name them */
    char *text;            /* the constants as #define lines, then the source, numbered from its own line 1 */
} jr_program_text;

/* Does a program find real files? */
bool jr_program_has_folders(const jr_program *program);

/* Checks a program (name, entry, constants that are identifiers with one-line texts, options that would break the
 * cache's premise that text alone decides) and makes its text.
 * Errors: JR_ERROR_INVALID_ARGUMENT, JR_ERROR_OUT_OF_MEMORY. */
jr_status jr_program_text_make(const jr_program *program, jr_program_text *out);
void jr_program_text_free(jr_program_text *text);

#endif
