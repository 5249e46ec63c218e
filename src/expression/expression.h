/* The expression: C text from a user who is not trusted, checked before any compiler sees it. */
#ifndef JR_EXPRESSION_EXPRESSION_H
#define JR_EXPRESSION_EXPRESSION_H

#include "jitreduce/status.h"
#include "names.h"

enum {
    JR_EXPRESSION_BYTES = 4096,  /* longest text */
    JR_EXPRESSION_TOKENS = 1024, /* most words, numbers and signs */
    JR_EXPRESSION_DEPTH = 128,   /* deepest nesting: of brackets, signs and casts before an operand, and ?: */
    JR_EXPRESSION_WEIGHT = 8000  /* of all expressions of a spec; bounds the time of a compile. An operator weighs 1, a
                                  * comparison 4, ?: 8, a quotient, remainder, && or || 32, a call what functions.h
                                  * says; a macro of the caller's struct makes what is in its brackets weigh 8 times as
                                  * much */
};

/* Checks that a text is one expression of values: no statement, declaration, assignment, directive, comment, string,
 * pointer type, address, index or dereference, no name but those of `names`, functions only called, brackets that
 * match; none of the limits above exceeded. What passes fits between brackets on one line of a program.
 *
 * Tokens are all it looks at: whether types are right is the compiler's to say. A program that holds the expression
 * must keep its own names out of reach: they begin with jr_.
 *
 * text: NULL is as "". *weight: grows by that of the expression.
 * Errors: JR_ERROR_INVALID_EXPRESSION; the message names the place and the reason, the log shows it with a caret. */
jr_status jr_expression_check(const jr_names *names, const char *text, size_t *weight);

/* Records what is wrong with a token of an expression that has passed; what names the expression. */
jr_status jr_expression_refuse(const char *what, const char *text, jr_token token, const char *reason);

#endif
