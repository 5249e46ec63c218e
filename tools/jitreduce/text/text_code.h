/* Texts of a column as numbers that compare with each other as the texts do with those of an expression. */
#ifndef CLI_TEXT_CODE_H
#define CLI_TEXT_CODE_H

#include "base/table_form.h"
#include "table_fields.h"

/* The number of a field among the texts of its column: 2k + 1 of a field that is text k, 2k of one that stands before
 * text k and after the one before, by their bytes. Text k has 2k + 1 in the expression. */
uint64_t cli_text_code(const cli_literals *texts, const cli_field *field);

#endif
