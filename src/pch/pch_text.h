/* A program's text in the order that a precompiled header needs: the directives up to the last include that comes
 * before all code, a mark that the header ends, the constants, then the rest under its own line numbers. */
#ifndef JR_PCH_PCH_TEXT_H
#define JR_PCH_PCH_TEXT_H

#include "headers/headers.h"

typedef struct jr_pch_text {
    char *text;          /* malloc'd */
    size_t prefix_bytes; /* how much of it precedes the mark */
} jr_pch_text;

/* Makes that text. False: the program gets no precompiled header. Its headers are too small for one to pay, no include
 * precedes its code, its options define macros (each value would get a file of its own), or what is compiled might
 * differ: a header can use one of its constants, or asks for the name of the program's file. */
bool jr_pch_text_make(const jr_program_text *text, const jr_headers *headers, jr_pch_text *made);

#endif
