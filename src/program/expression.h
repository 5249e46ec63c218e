/* The expression: C text from a user who is not trusted, checked before any compiler sees it. */
#ifndef JR_PROGRAM_EXPRESSION_H
#define JR_PROGRAM_EXPRESSION_H

#include "jitreduce/status.h"

enum { JR_EXPRESSION_BYTES = 4096, JR_EXPRESSION_DEPTH = 64 }; /* longest text, deepest nesting of brackets */

/* Checks that a text is one expression of values: no statement, declaration, assignment, directive, comment, string,
 * pointer type, address, index or dereference, no function that prints, stops, waits or handles memory, no name of the
 * compiler or the library, brackets that match. What passes fits between brackets on one line of a program.
 *
 * Tokens are all it looks at: whether names and types are right is the compiler's to say. A program that holds the
 * expression must keep its own names out of reach, functions above all: they begin with jr_.
 *
 * what: names the expression in the message, "combine". text: NULL is as "".
 * Errors: JR_ERROR_INVALID_EXPRESSION; the message names the place and the reason, the log shows it with a caret. */
jr_status jr_expression_check(const char *what, const char *text);

#endif
