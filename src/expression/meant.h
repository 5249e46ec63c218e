/* What was meant by a name that an expression does not know. */
#ifndef JR_EXPRESSION_MEANT_H
#define JR_EXPRESSION_MEANT_H

#include "names.h"

/* Writes why an unknown name is refused: where it has a meaning, what C calls it, or which known name is near. */
void jr_meant(const jr_names *names, jr_token word, char *reason, size_t bytes);

/* Writes why an input is refused of which there is no array. Returns false if a word is not one. */
bool jr_meant_input(const jr_names *names, jr_token word, char *reason, size_t bytes);

/* pair{0, 0}, {0, 0} and (pair){0, 0}, where there is a struct: says what an expression writes instead. */
bool jr_meant_brace(const jr_names *names, jr_token token, char *reason, size_t bytes);

#endif
