/* Whether headers can use the constants of a program, which follow them where they are precompiled. */
#ifndef JR_PCH_PCH_NAMES_H
#define JR_PCH_PCH_NAMES_H

#include "headers/headers.h"

/* True if a header, or the prefix of the source, has the name of a constant as a word, be it in a comment, or three
 * words at most of which ## can make it; also if there is no memory to find out. */
bool jr_pch_names_used(const jr_program *program, const jr_headers *headers, const char *prefix, size_t prefix_bytes);

#endif
