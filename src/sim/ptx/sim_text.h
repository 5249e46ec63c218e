/* Pieces of PTX text: as messages show them, and numbers. */
#ifndef JRS_PTX_TEXT_H
#define JRS_PTX_TEXT_H

#include <stdbool.h>
#include <stddef.h>

enum { JRS_TEXT_BYTES = 160 };

/* Copies text with runs of white space made one blank, cut with "..." when too long. */
void jrs_text_collapse(char out[JRS_TEXT_BYTES], const char *text, size_t bytes);

/* Reads a decimal number at *text, or `most` when it is larger, and moves *text past it. False: *text does not begin
 * with a digit. */
bool jrs_text_number(const char **text, int most, int *number);

#endif
