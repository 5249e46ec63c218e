/* Texts as keys, and the forms in which they are printed. */
#ifndef CLI_KEY_TEXT_H
#define CLI_KEY_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* A text of a column, of any bytes, not terminated; borrowed. */
typedef struct cli_key_text {
    const char *begin;
    size_t length;
} cli_key_text;

/* Orders texts by their bytes, a shorter one before what it begins: negative, 0, or positive. */
int cli_key_text_compare(const cli_key_text *a, const cli_key_text *b);

/* Prints a text that stands before `separator`: in double quotes, its own ones doubled (RFC 4180), where it is empty or
 * has a quote, the separator, a line break, or a blank at an end. */
void cli_key_text_print(FILE *out, const cli_key_text *text, char separator);

bool cli_key_text_is_utf8(const cli_key_text *text);

/* Prints it as a JSON string; bytes that are no UTF-8 become U+FFFD. */
void cli_key_text_json(FILE *out, const cli_key_text *text);

#endif
