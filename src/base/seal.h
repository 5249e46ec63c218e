/* The seal: a last line that holds the SHA-256 of all lines before it. */
#ifndef JR_BASE_SEAL_H
#define JR_BASE_SEAL_H

#include "text.h"

/* Appends the seal to a text that ends with a newline. */
void jr_seal_append(jr_text *text);

/* Cuts the seal off a text of count bytes, which a NUL follows; false when it is not there or does not fit, or when
 * there is a NUL among the bytes. */
bool jr_seal_cut(char *text, size_t count);

#endif
