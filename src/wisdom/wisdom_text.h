/* Wisdom as text: sorted lines that a person can read, under a seal. */
#ifndef JR_WISDOM_WISDOM_TEXT_H
#define JR_WISDOM_WISDOM_TEXT_H

#include "base/text.h"
#include "wisdom.h"

/* How a wisdom file of any format begins. */
#define JR_WISDOM_MAGIC "jitreduce wisdom "

/* The formats that are known. The first has no scans, the second no settings of tunables; a text without them is still
 * of these, for older libraries, which leave a file of another format alone. */
enum { JR_WISDOM_FORMAT_FIRST = 1, JR_WISDOM_FORMAT_SCANS = 2, JR_WISDOM_FORMAT = 3 };

/* Appends the whole text; a text that failed has no memory. */
void jr_wisdom_print(const jr_wisdom *wisdom, jr_text *text);

/* Reads a text of count bytes, which a NUL follows and which is changed. wisdom: written on success only.
 * Errors: JR_ERROR_WISDOM (another format, a seal that does not fit, a line that is not as it is printed, stands twice
 * or out of order), JR_ERROR_OUT_OF_MEMORY. */
jr_status jr_wisdom_parse(char *text, size_t count, jr_wisdom *wisdom);

/* Whether a text that a NUL follows begins as a wisdom file of a format that is known, whatever comes then. */
bool jr_wisdom_is_known(const char *text);

#endif
