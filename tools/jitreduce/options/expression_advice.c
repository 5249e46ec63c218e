/* Completes errors of expressions. */
#include "expression_advice.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static const char letters[] = "xyzw";

static void append(char *message, size_t bytes, const char *advice) {
    const size_t used = strlen(message);
    snprintf(message + used, bytes - used, "%s", advice);
}

/* The index of a word among the names of --column; -1: it is not one of them. */
static int find_column(const cli_table_form *table, const char *word, size_t length) {
    for (int i = 0; i < table->column_count; i++)
        if (table->columns[i].number == 0 && table->columns[i].length == length &&
            memcmp(table->columns[i].name, word, length) == 0)
            return i;
    return -1;
}

/* What the library calls its member, the command line gives by options; or the letter of an input that is not there is
 * the name of a column, which has another letter. */
static void name_options(const cli_options *options, char *message, size_t bytes) {
    static const char member[] = " (input_count)";
    static const char columns[] = "K,L,M,N";
    char *at = strstr(message, member), *named = strstr(message, " is the ");
    if (at == NULL || at[sizeof member - 1] != '\0' || named == NULL || named == message) return;
    const char *letter = strchr(letters, named[-1]);
    const int column = find_column(&options->table, named - 1, 1);
    const int width = letter != NULL ? 2 * (int)(letter - letters) + 1 : 0;
    if (column >= 0)
        snprintf(at, bytes - (size_t)(at - message), "; column '%c' is %c here, by its place in --column", named[-1],
                 letters[column]);
    else
        snprintf(at, bytes - (size_t)(at - message), ": --column %.*s or -%c FILE", width, columns, named[-1]);
}

static void append_column(const cli_table_form *table, const char *word, size_t length, char *advice, size_t bytes) {
    static const char *const ordinals[] = {"first", "second", "third", "fourth"};
    const int column = find_column(table, word, length), count = table->column_count;
    if (column >= 0)
        snprintf(advice, bytes, "; %.*s is %c here, the %s name of --column", (int)length, word, letters[column],
                 ordinals[column]);
    else if (count > 0 && count < JR_INPUTS_MAX)
        snprintf(advice, bytes, "; if %.*s is a column, add it to --column, and it is %c", (int)length, word,
                 letters[count]);
    else
        snprintf(advice, bytes, "; if %.*s is a column, --column %.*s makes it x", (int)length, word, (int)length,
                 word);
}

/* Extends the message about an unknown name by the letter of a column, if the name may mean one. */
static void explain_name(const cli_options *options, char *message, size_t bytes) {
    static const char has[] = " has '";
    const char *word = strstr(message, has), *unknown;
    char advice[200] = "";
    if (word == NULL) return;
    word += sizeof has - 1;
    const size_t length = strcspn(word, "'");
    unknown = strstr(word, ": this name is unknown");
    if (unknown == NULL || length > 40) return;
    const bool guessed = strstr(unknown, ": there are ") == NULL;
    if (options->format != CLI_FORMAT_NPY && options->format != CLI_FORMAT_RAW &&
        (!guessed || find_column(&options->table, word, length) >= 0))
        append_column(&options->table, word, length, advice, sizeof advice);
    append(message, bytes, advice);
    if (!guessed) append(message, bytes, "; see 'jitreduce help expressions'");
}

/* city == "Berlin": expressions have numbers alone. */
static bool explain_text(const cli_options *options, char *message, size_t bytes) {
    const jr_spec *spec = &options->spec;
    const char *const texts[] = {spec->map, spec->where, spec->combine, spec->finish};
    const char *begin = strchr(message, '\'') != NULL ? strstr(message, " has '") : NULL,
               *unknown = strstr(message, ": ");
    bool quoted = false;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        quoted |= texts[i] != NULL && strpbrk(texts[i], "\"'") != NULL;
    if (!quoted || begin == NULL || unknown == NULL) return false;
    snprintf(message + (unknown - message), bytes - (size_t)(unknown - message),
             ": expressions compute with numbers, and compare no texts: --group-by with a column of texts gives one "
             "result per "
             "text, and grep or awk selects lines before they are read");
    return true;
}

static bool is_of_word(char c) {
    return isalnum((unsigned char)c) || c == '_';
}

/* Whether an expression has the name of a column that could be no variable: 'unit price', 'a-b'. */
static bool has_name(const char *text, const cli_column_name *name) {
    char word[64];
    size_t of_word = 0;
    while (of_word < name->length && is_of_word(name->name[of_word])) of_word++;
    if (text == NULL || name->number != 0 || of_word == name->length || name->length >= sizeof word) return false;
    snprintf(word, sizeof word, "%.*s", (int)name->length, name->name);
    return strstr(text, word) != NULL;
}

/* "unit price" * 2: columns have letters in expressions. */
static bool explain_phrase(const cli_options *options, char *message, size_t bytes) {
    const jr_spec *spec = &options->spec;
    char *tail = strstr(message, ": ");
    for (int i = 0; tail != NULL && i < options->table.column_count; i++) {
        const cli_column_name *name = &options->table.columns[i];
        if (!has_name(spec->map, name) && !has_name(spec->where, name)) continue;
        snprintf(tail, bytes - (size_t)(tail - message),
                 ": in expressions columns have the letters of their places in --column: '%.*s' is %c",
                 (int)name->length, name->name, letters[i]);
        return true;
    }
    return false;
}

void cli_expression_advise(const cli_options *options, char *message, size_t bytes) {
    if (explain_phrase(options, message, bytes)) return;
    if (explain_text(options, message, bytes)) return;
    name_options(options, message, bytes);
    explain_name(options, message, bytes);
}
