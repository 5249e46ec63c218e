/* The user's log: the compiler's messages about a program, translated to the expressions that the user wrote. */
#ifndef JR_EXPRESSION_EXPRESSION_LOG_H
#define JR_EXPRESSION_EXPRESSION_LOG_H

#include <stddef.h>

#include "jitreduce/status.h"

/* One expression of a program, checked. In the program's text it is on one line, possibly with other text of the
 * program around it, after a line `#line 1 "<what>"`; no other text of the program is numbered under that name. */
typedef struct jr_expression {
    const char *what; /* "combine" */
    const char *text;
} jr_expression;

/* Makes the user's log of NVRTC's: for each error and warning about an expression the compiler's sentence, the
 * expression alone and a caret below the place. Notes, backtraces and messages about other places are dropped. A log
 * without an error about an expression is given back as it is, for then its other messages are the reason. Returns a
 * malloc'd string, NULL when out of memory. */
char *jr_expression_log(const char *log, const jr_expression *expressions, size_t count);

/* Turns the recorded failure of a compile into that of the expression to which its log points: status
 * JR_ERROR_INVALID_EXPRESSION, the compiler's first sentence in the message, and the user's log.
 * Other failures, and logs that blame no expression, stay as they are. status: the one recorded. Returns the one
 * recorded now, JR_ERROR_OUT_OF_MEMORY perhaps. */
jr_status jr_expression_explain(jr_status status, const jr_expression *expressions, size_t count);

#endif
