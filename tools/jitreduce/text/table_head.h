/* What the first two lines of a table show about it. */
#ifndef CLI_TABLE_HEAD_H
#define CLI_TABLE_HEAD_H

#include "base/suggest.h"
#include "cli_text.h"

/* The first line, and the one below it, which is empty if the text has only one line. */
typedef struct cli_lines_pair {
    const char *first, *first_end, *second, *second_end;
} cli_lines_pair;

/* Whether a line is blank, or a comment of the form. */
bool cli_line_skipped(const cli_table_form *form, const char *at, const char *end);

/* Takes a first line "sep=;", which Excel reads for the delimiter; false: this is no such line. */
bool cli_take_sep(cli_text *text, const char *at, const char *end);

/* Finds the first line, which begins at `at`, and the next one that is not skipped; the end of that is the first
 * newline, inside quotes, too. False: they are not whole yet, and a block follows. */
bool cli_first_lines(const cli_table_form *form, const char *at, const char *end, bool last, cli_lines_pair *lines);

/* What parts the fields: what the command line says; else the first of comma, semicolon and tab that the first line has
 * outside quotes, else white space; but where only another of them gives both lines the same number of fields, that.
 * Commas in fields that tabs part are no separators, nor are those of numbers with a decimal comma, unless quoted. */
char cli_separator_find(const cli_table_form *form, const cli_lines_pair *lines);

/* The fields of a line of names; white space at its end begins none. */
uint64_t cli_count_names(const char *at, const char *end, char separator);

/* Fails where a line has more fields than the first line has names, but for empty ones at its end. number: of the field
 * that ends at `at`. */
cli_exit cli_check_rest(const cli_text *text, const char *line, const char *at, const char *end, uint64_t number,
                        cli_error *error);

/* True if the first line names the columns, by comparison with the second: a name stands above a number, or numbers are
 * names. */
bool cli_is_header(const cli_table_form *form, const cli_lines_pair *lines, char separator);

/* Whether a field is neither a number nor missing. */
bool cli_field_is_word(const cli_table_form *form, const cli_field *field);

/* What to do about --delimiter, where the line at `at` does not have it but another separator: "; ...", else "". */
const char *cli_delimiter_advice(const cli_table_form *form, const char *at, const char *end,
                                 char advice[CLI_HINT_BYTES]);

/* " (...)": what a name of keys that no column has is as a file's name, or "". */
const char *cli_key_file_advice(const char *name, char advice[CLI_HINT_BYTES]);

/* What to do about a column named "2-3" or "-1", which is not there: "; ...", else "". */
const char *cli_range_advice(const cli_column_name *name);

/* Lists the names in the first line at `at`, "city, price", as far as there is room; false if that line does not look
 * like names above the next line. */
bool cli_name_columns(const cli_table_form *form, const char *at, const char *end, char *names, size_t room);

/* One name of several words, alone in its line, is that of the only column. */
bool cli_is_only_name(const cli_text *text, const char *at, const char *end);

#endif
