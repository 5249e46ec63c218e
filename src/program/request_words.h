/* Request words: what a built-in program was compiled for, in the words of its caller ("unroll factor 4", "map 'x*x'"),
 * for a report that compares two compiles. */
#ifndef JR_PROGRAM_REQUEST_WORDS_H
#define JR_PROGRAM_REQUEST_WORDS_H

#include <stdbool.h>

#include "jitreduce/kernel.h"

/* One line of the request. */
typedef struct jr_request_line {
    const char *words; /* "unroll factor" */
    const char *value; /* "4", "f32", "'x*x'"; "none" */
    bool follows;      /* it changes only because another line does; it is reported only if no other line shows the
                        * change */
} jr_request_line;

#define JR_REQUEST_OPERATOR "operator" /* the words of the line with the operators' names */

/* Receives each line; the line lives until it returns. */
typedef void jr_request_visit(void *user, const jr_request_line *line);

/* True for a program of the library's own kernels, whose constants have words; false for a caller's program. */
bool jr_request_words_known(const jr_program *program);

/* Visits all lines of a built-in program, always the same ones in the same order. A line is missing only if there is no
 * memory for its value. */
void jr_request_words_each(const jr_program *program, jr_request_visit *visit, void *user);

/* Finds the words of a constant that the library defines (constants.h); NULL: it has none. */
const char *jr_request_words_find(const char *constant);

#endif
