/* Words of a text as its form writes them: missing values, decimal commas, groups of digits. */
#ifndef CLI_NUMBER_FORM_H
#define CLI_NUMBER_FORM_H

#include "base/number.h"
#include "base/table_form.h"

/* Whether [begin, end) is a word for a missing value. */
bool cli_text_misses(const cli_table_form *form, const char *begin, const char *end);

/* Whether other programs write [begin, end) for a missing value. */
bool cli_looks_missing(const char *begin, const char *end);

/* Writes [begin, end) as cli_number_parse takes it: with a point where the form has a comma, without what parts groups
 * of digits. Returns its end, in room or `end` itself, and where it begins. NULL: it is no number as the form writes
 * them, or longer than CLI_TOKEN_BYTES. */
const char *cli_text_number(const cli_table_form *form, const char **begin, const char *end,
                            char room[CLI_TOKEN_BYTES]);

#endif
