/* What to do about a word of a text that is no number. */
#ifndef CLI_WORD_ADVICE_H
#define CLI_WORD_ADVICE_H

#include "number_form.h"

enum { CLI_ADVICE_BYTES = 320 };

/* "; ..." for a word that was refused for `reason`: which option reads it, or what has to be changed in the text; ""
 * where nothing is known. Written into advice where it depends on the word. */
const char *cli_word_advice(const cli_table_form *form, const char *begin, const char *end, cli_number_status reason,
                            char advice[CLI_ADVICE_BYTES]);

#endif
