/* Names between backticks and texts are found by their quotes. For bare names the library is asked what it does not
 * know: a word that it does not know, and that is not called, is the name of a column. */
#include "column_names_find.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "name_tokens.h"

/* One expression while it is looked through. */
typedef struct finder {
    const cli_options *options;
    cli_named *named;
    int expression;
    const char *text;
    char rest[CLI_NAMED_BYTES + 1]; /* the expression, in which what was found is x */
} finder;

const char *cli_named_option(int expression) {
    static const char *const options[CLI_NAMED_COUNT] = {"map", "where"};
    return options[expression];
}

/* "the map expression has 'price' in column 3: " and why that cannot be. */
static cli_exit fail_token(const finder *find, const cli_token *token, const char *reason, cli_error *error) {
    char quoted[64];
    return cli_fail(error, CLI_USAGE, "the %s expression has %s in column %zu: %s", cli_named_option(find->expression),
                    cli_quote(token->begin, token->begin + token->length, quoted),
                    (size_t)(token->begin - find->text) + 1, reason);
}

static cli_exit fail_room(cli_error *error) {
    return cli_fail(error, CLI_USAGE, "--map, --where: name more than %d columns, or have more than %d texts",
                    CLI_NAMES_MAX, CLI_LITERALS_MAX);
}

/* The index of a column; -1: there is no room. */
static int find_column(finder *find, const cli_token *token, bool compared) {
    cli_named *named = find->named;
    const size_t quote = token->kind == CLI_TOKEN_NAME ? 1 : 0;
    const char *name = token->begin + quote;
    const size_t length = token->length - 2 * quote;
    for (int i = 0; i < named->column_count; i++) {
        const cli_column_name *column = &named->columns[i];
        if (column->number == 0 && !column->doubled && named->compared[i] == compared && column->length == length &&
            memcmp(column->name, name, length) == 0)
            return i;
    }
    if (named->column_count == CLI_NAMES_MAX) return -1;
    named->columns[named->column_count] =
        (cli_column_name){.name = name, .length = length, .option = cli_named_option(find->expression)};
    named->compared[named->column_count] = compared;
    return named->column_count++;
}

/* What stands in the place of a token; the rest of the search sees `as` there. */
static bool add_edit(finder *find, const cli_token *token, int column, int literal, char as) {
    cli_named *named = find->named;
    const size_t begin = (size_t)(token->begin - find->text);
    if (named->edit_count == CLI_EDITS_MAX) return false;
    named->edits[named->edit_count++] = (cli_edit){
        .expression = find->expression, .column = column, .literal = literal, .begin = begin, .length = token->length};
    memset(find->rest + begin, ' ', token->length);
    find->rest[begin] = as;
    return true;
}

/* ---- texts ---- */

/* Copies a text without its quotes and backslashes. False: what follows a backslash cannot. */
static bool take_literal(cli_named *named, const cli_token *token, int column) {
    char *to = named->bytes + named->byte_count;
    cli_literal *literal = &named->literals[named->literal_count];
    *literal = (cli_literal){.begin = to};
    for (const char *at = token->begin + 1; at < token->begin + token->length - 1; at++) {
        char c = *at;
        if (c == '\\') {
            c = *++at;
            if (strchr("\\\"'nt", c) == NULL) return false;
            c = c == 'n' ? '\n' : c == 't' ? '\t' : c;
        }
        *to++ = c;
    }
    literal->length = (size_t)(to - literal->begin);
    named->byte_count += literal->length;
    named->literal_columns[named->literal_count++] = column;
    return true;
}

static bool is_name(const cli_token *token) {
    return token->kind == CLI_TOKEN_WORD || token->kind == CLI_TOKEN_NAME;
}

/* A comparison keeps its meaning only if no neighbour binds more tightly. */
static bool stands_alone(const cli_token *before, const cli_token *after) {
    return (before->kind == CLI_TOKEN_END || cli_token_is_sign(before, "( && || ? : ,")) &&
           (after->kind == CLI_TOKEN_END || cli_token_is_sign(after, ") && || ? : ,"));
}

/* window: three tokens before a text, the text, three after it. */
static cli_exit take_text(finder *find, const cli_token window[7], cli_error *error) {
    static const char comparisons[] = "== != < <= > >=";
    const cli_token *text = &window[3];
    const bool after = cli_token_is_sign(&window[2], comparisons) && is_name(&window[1]);
    const bool before = !after && cli_token_is_sign(&window[4], comparisons) && is_name(&window[5]);
    if (cli_token_is_sign(&window[2], "=") || cli_token_is_sign(&window[4], "="))
        return fail_token(find, text, "= assigns: texts are compared by ==, as city == \"Berlin\"", error);
    if (!after && !before)
        return fail_token(find, text,
                          "a text is compared with a column next to it, as city == \"Berlin\"; a column's name in "
                          "quotes is `unit price`",
                          error);
    if (!stands_alone(after ? &window[0] : &window[2], after ? &window[4] : &window[6]))
        return fail_token(find, text, "write brackets around the comparison: (city == \"Berlin\")", error);
    if (find->named->literal_count == CLI_LITERALS_MAX) return fail_room(error);
    const int literal = find->named->literal_count, column = find_column(find, after ? &window[1] : &window[5], true);
    if (column < 0) return fail_room(error);
    if (!take_literal(find->named, text, column))
        return fail_token(find, text, "a backslash stands before a quote, a backslash, n or t: write \\\\ for one",
                          error);
    const bool room =
        add_edit(find, after ? &window[1] : &window[5], column, -1, 'x') && add_edit(find, text, column, literal, '1');
    find->named->quoted = true;
    return room ? CLI_OK : fail_room(error);
}

static void push(cli_token window[7], cli_token token) {
    memmove(window, window + 1, 6 * sizeof *window);
    window[6] = token;
}

/* Finds texts and what they are compared with. */
static cli_exit find_texts(finder *find, cli_error *error) {
    cli_token window[7] = {{.kind = CLI_TOKEN_END}};
    const char *at = find->text;
    for (int i = 0; i < 7; i++) window[i] = (cli_token){CLI_TOKEN_END, find->text, 0};
    for (int ended = 0; ended < 4;) { /* the last text stands in the middle when three ends have followed it */
        const cli_token token = cli_token_next(at);
        at = token.begin + token.length;
        ended += token.kind == CLI_TOKEN_END;
        push(window, token);
        if (token.kind == CLI_TOKEN_OPEN)
            return fail_token(find, &token, "this quote is not closed: `a name`, \"a text\"", error);
        if (window[3].kind != CLI_TOKEN_TEXT) continue;
        const cli_exit code = take_text(find, window, error);
        if (code != CLI_OK) return code;
    }
    return CLI_OK;
}

/* Finds names between backticks that are not compared with texts. */
static cli_exit find_quoted(finder *find, cli_error *error) {
    cli_token token = cli_token_next(find->text);
    for (; token.kind != CLI_TOKEN_END; token = cli_token_next(token.begin + token.length)) {
        if (token.kind != CLI_TOKEN_NAME) continue;
        if (token.length == 2) return fail_token(find, &token, "no name stands between the backticks", error);
        find->named->quoted = true;
        if (find->rest[token.begin - find->text] != '`') continue;
        const int column = find_column(find, &token, false);
        if (column < 0 || !add_edit(find, &token, column, -1, 'x')) return fail_room(error);
    }
    return CLI_OK;
}

/* ---- bare names ---- */

/* Has the library check the rest; true: the first thing that is wrong is a name that this expression does not know. */
static bool has_unknown(const finder *find, size_t *column) {
    static const char in[] = " in column ";
    const cli_options *options = find->options;
    jr_parameter parameters[JR_PARAMETERS_MAX];
    jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I64, .input_count = cli_options_input_count(options));
    for (int i = 0; i < options->parameter_count; i++)
        parameters[i] = (jr_parameter){options->parameters[i].name, options->parameters[i].value};
    spec.parameters = options->parameter_count > 0 ? parameters : NULL;
    spec.parameter_count = options->parameter_count;
    for (int i = 1; i < spec.input_count; i++) spec.more_types[i - 1] = JR_I64;
    *(find->expression == CLI_NAMED_MAP ? &spec.map : &spec.where) = find->rest;
    if (spec.map == NULL && spec.input_count > 1) spec.map = "x";
    if (jr_reduce_check(&spec, NULL) == JR_OK) return false;
    const char *message = jr_last_error()->message, *at = strstr(message, in);
    const bool unknown = strstr(message, "this name is unknown here: ") != NULL;
    const bool elsewhere = strstr(message, "; map has ") != NULL || strstr(message, "; where has ") != NULL;
    if (at == NULL || (!unknown && !elsewhere)) return false;
    *column = strtoul(at + sizeof in - 1, NULL, 10);
    return *column > 0 && *column <= strlen(find->rest);
}

/* What the library says of a word; "": it has only its list of names. */
static void keep_advice(char *advice, size_t bytes) {
    static const char unknown[] = "this name is unknown here: ";
    const char *column = strstr(jr_last_error()->message, " in column "), *said = strstr(column, ": ") + 2;
    if (strncmp(said, unknown, sizeof unknown - 1) == 0) said += sizeof unknown - 1;
    snprintf(advice, bytes, "%s", strncmp(said, "there are ", 10) != 0 ? said : "");
}

static bool is_called(const cli_token *token) {
    const cli_token next = cli_token_next(token->begin + token->length);
    return cli_token_is_sign(&next, "(");
}

static bool is_type(const cli_token *token) {
    return token->length > 2 && memcmp(token->begin + token->length - 2, "_t", 2) == 0;
}

static cli_exit find_bare(finder *find, cli_error *error) {
    size_t place;
    while (has_unknown(find, &place)) {
        const cli_token token = cli_token_next(find->text + place - 1);
        if (token.kind != CLI_TOKEN_WORD || is_called(&token) || is_type(&token)) break;
        const int before = find->named->column_count, column = find_column(find, &token, false);
        if (column < 0) return fail_room(error);
        if (column == before) keep_advice(find->named->advice[column], sizeof find->named->advice[column]);
        if (!add_edit(find, &token, column, -1, 'x')) return fail_room(error);
    }
    return CLI_OK;
}

cli_exit cli_named_find(const cli_options *options, int expression, cli_named *named, cli_error *error) {
    finder find = {.options = options, .named = named, .expression = expression, .text = named->typed[expression]};
    if (find.text == NULL || strlen(find.text) > CLI_NAMED_BYTES) return CLI_OK;
    snprintf(find.rest, sizeof find.rest, "%s", find.text);
    cli_exit code = find_texts(&find, error);
    if (code == CLI_OK) code = find_quoted(&find, error);
    return code == CLI_OK ? find_bare(&find, error) : code;
}
