/* Completes errors of expressions. */
#include "expression_advice.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "name_tokens.h"

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

/* The first letter of an input that --map or --where has, which no column is that has no quotes. */
static char first_letter(const cli_options *options) {
    const char *const texts[] = {options->spec.map, options->spec.where};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        if (texts[i] == NULL) continue;
        for (cli_token token = cli_token_next(texts[i]); token.kind != CLI_TOKEN_END;
             token = cli_token_next(token.begin + token.length))
            if (token.kind == CLI_TOKEN_WORD && token.length == 1 && strchr(letters, *token.begin) != NULL)
                return *token.begin;
    }
    return 'x';
}

/* Extends the message about an unknown name in an expression of x. */
static void explain_name(const cli_options *options, char *message, size_t bytes) {
    static const char has[] = " has '";
    const char *word = strstr(message, has), *unknown;
    char advice[200] = "";
    if (word == NULL) return;
    word += sizeof has - 1;
    const size_t length = strcspn(word, "'");
    unknown = strstr(word, ": this name is unknown");
    if (unknown == NULL || length > 40 || strstr(unknown, ": there are ") == NULL) return;
    const char letter = first_letter(options);
    if (options->format != CLI_FORMAT_NPY && options->format != CLI_FORMAT_RAW && !options->random && !options->iota)
        snprintf(advice, sizeof advice,
                 "; if %.*s is a column: a column named %c is written `%c`, and --column K makes K x", (int)length,
                 word, letter, letter);
    append(message, bytes, advice);
    append(message, bytes, "; see 'jitreduce help expressions'");
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
             ": expressions compute with numbers; texts are compared with columns of a table alone");
    return true;
}

/* A word that expressions know is never a column: log, which is a function, or y. */
static void explain_known(const cli_options *options, bool letter, char *message, size_t bytes) {
    const char *word = strstr(message, " has '");
    const bool called = strstr(message, "can only be called") != NULL;
    const bool other = word != NULL && word[7] == '\'' && strstr(message, " is ") != NULL;
    char advice[96];
    if (options->named != NULL && strstr(message, "an operator is missing before it") != NULL) {
        append(message, bytes, "; a name of several words is written `unit price`");
        return;
    }
    if (word == NULL || (!called && !letter && !other)) return;
    word += 6;
    const int length = (int)strcspn(word, "'");
    if (!isalpha((unsigned char)*word) || (options->named == NULL && options->table.column_count == 0)) return;
    snprintf(advice, sizeof advice, "; a column named %.*s is written `%.*s`", length, word, length, word);
    append(message, bytes, advice);
}

void cli_expression_advise(const cli_options *options, char *message, size_t bytes) {
    if (options->named == NULL && explain_text(options, message, bytes)) return;
    const bool letter = strstr(message, "(input_count)") != NULL;
    name_options(options, message, bytes);
    explain_known(options, letter, message, bytes);
    if (options->named == NULL) explain_name(options, message, bytes);
}
