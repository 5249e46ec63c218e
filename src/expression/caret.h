/* The caret: shows a place in an expression on two lines. */
#ifndef JR_EXPRESSION_CARET_H
#define JR_EXPRESSION_CARET_H

#include "base/text.h"

/* Appends the first length bytes of an expression as a line, and below it a line with a caret under the byte `column`
 * (from 0, at most length), both indented by two blanks. Bytes that are not printable ASCII are shown as '?', so that
 * columns stay columns and a terminal stays itself. */
void jr_caret_append(jr_text *out, const char *expression, size_t length, size_t column);

#endif
