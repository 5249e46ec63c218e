/* The program: a kernel string and all that decides what it compiles to, checked and made one text. */
#ifndef JR_PROGRAM_PROGRAM_H
#define JR_PROGRAM_PROGRAM_H

#include <stdbool.h>

#include "block_parts.h"
#include "jitreduce/kernel.h"

/* What NVRTC is given. `program` always has an entry: it is the caller's jr_program, or the copy in parts or entered.
 * The text owns text, entered and parts; the caller's program must live as long. */
typedef struct jr_program_text {
    const jr_program *program;
    struct jr_entered_program *entered; /* a copy of the caller's program with the entry that was found in the source,
                                         * or with its entries in one form; NULL: the caller names one entry */
    jr_block_parts *parts;  /* a copy of the program with the library's own headers added; NULL: it includes none of
                             * them */
    bool lines;             /* its PTX says lines of the source: the simulator's reports name them */
    bool relocatable;       /* it is linked with others */
    jr_debug debug;         /* the debug information asked for, with sources as files */
    const char *debug_root; /* the folder of those files' folders; NULL without debug information */
    char *text;             /* the constants as #define lines, then the source, numbered from its own line 1 */
} jr_program_text;

/* Does a program find real files? */
bool jr_program_has_folders(const jr_program *program);

/* Checks a program (name, entry, constants that are identifiers with one-line texts, options that would break the
 * cache's premise that text alone decides) and makes its text.
 * Errors: JR_ERROR_INVALID_ARGUMENT, JR_ERROR_OUT_OF_MEMORY. */
jr_status jr_program_text_make(const jr_program *program, jr_program_text *out);
void jr_program_text_free(jr_program_text *text);

#endif
