/* Instruction text as messages show it. */
#ifndef JRS_PTX_TEXT_H
#define JRS_PTX_TEXT_H

#include <stddef.h>

enum { JRS_TEXT_BYTES = 160 };

/* Copies text with runs of white space made one blank, cut with "..." when too long. */
void jrs_text_collapse(char out[JRS_TEXT_BYTES], const char *text, size_t bytes);

#endif
