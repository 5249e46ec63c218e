/* Gives the columns that expressions name letters, and writes these into the expressions. */
#include "column_names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "column_names_find.h"
#include "name_tokens.h"
#include "options/command.h"

static const char letters[] = "xyzw";

/* Whether the input may be a table. */
static bool may_be_table(const cli_options *options) {
    const cli_command *command = options->file_count > 0 ? cli_command_find(options->files[0]) : NULL;
    const int scope = command != NULL ? command->scope : CLI_SCOPE_REDUCE;
    const int tables = CLI_SCOPE_REDUCE | CLI_SCOPE_SCAN | CLI_SCOPE_COMPARE | CLI_SCOPE_TRACE | CLI_SCOPE_APPLY;
    const bool text = options->format == CLI_FORMAT_AUTO || options->format == CLI_FORMAT_TEXT;
    return (scope & tables) && scope != CLI_SCOPE_ALL && text && !options->random && !options->iota &&
           options->more_files[1] == NULL && options->structure.text == NULL && options->spec.type != JR_STRUCT;
}

static int compare_literals(const void *a, const void *b) {
    const cli_literal *one = a, *other = b;
    const size_t least = one->length < other->length ? one->length : other->length;
    const int order = least > 0 ? memcmp(one->begin, other->begin, least) : 0;
    return order != 0 ? order : (one->length > other->length) - (one->length < other->length);
}

/* ---- inputs ---- */

/* x has no meaning without --column. */
static cli_exit check_letters(const cli_named *named, bool *used, cli_error *error) {
    *used = false;
    for (int i = 0; i < CLI_NAMED_COUNT && named->given_count == 0; i++) {
        bool member = false;
        if (named->typed[i] == NULL) continue;
        for (cli_token token = cli_token_next(named->typed[i]); token.kind != CLI_TOKEN_END;
             token = cli_token_next(token.begin + token.length)) {
            const bool letter = token.kind == CLI_TOKEN_WORD && token.length == 1 && strchr(letters, *token.begin);
            if (letter && !member) {
                *used = true;
                return cli_fail(error, CLI_USAGE,
                                "the %s expression has '%c' in column %zu: beside names of columns %c is a column of "
                                "--column, which is not given; a column named %c is written `%c`",
                                cli_named_option(i), *token.begin, (size_t)(token.begin - named->typed[i]) + 1,
                                *token.begin, *token.begin, *token.begin);
            }
            member = cli_token_is_sign(&token, ".");
        }
    }
    return CLI_OK;
}

static cli_exit fail_many(const cli_named *named, cli_error *error) {
    char names[512] = "";
    for (int i = 0; i < named->column_count; i++) {
        const size_t used = strlen(names);
        char quoted[64];
        const cli_column_name *column = &named->columns[i];
        const char *name = column->number == 0 ? column->name : "(number)";
        snprintf(names + used, sizeof names - used, "%s%s", i > 0 ? ", " : "",
                 cli_quote(name, name + (column->number == 0 ? column->length : strlen(name)), quoted));
    }
    return cli_fail(error, CLI_USAGE,
                    "--map, --where: %d columns are used, %s, but a command takes %d: a column that is compared with "
                    "texts counts as one, and as another one where it is a number",
                    named->column_count, names, JR_INPUTS_MAX);
}

/* Columns of --column, of numbers, of texts: the first is x, whose type values of --map have. inputs: the index of each
 * among the inputs. */
static void order_columns(const cli_named *named, int inputs[CLI_NAMES_MAX]) {
    int next = 0;
    for (int compared = 0; compared < 2; compared++)
        for (int i = 0; i < named->column_count; i++)
            if (named->compared[i] == (compared == 1)) inputs[i] = next++;
}

/* Sorts the texts of each column, without those that stand there twice. */
static void sort_literals(cli_named *named, const int inputs[CLI_NAMES_MAX]) {
    cli_literal *at = named->sorted;
    for (int i = 0; i < named->column_count; i++) {
        int count = 0, kept = 0;
        if (!named->compared[i]) continue;
        for (int j = 0; j < named->literal_count; j++)
            if (named->literal_columns[j] == i) at[count++] = named->literals[j];
        qsort(at, (size_t)count, sizeof *at, compare_literals);
        for (int j = 0; j < count; j++)
            if (kept == 0 || compare_literals(&at[kept - 1], &at[j]) != 0) at[kept++] = at[j];
        named->lists[inputs[i]] = (cli_literals){.texts = at, .count = kept};
        at += kept;
    }
}

static void name_inputs(cli_named *named, const int inputs[CLI_NAMES_MAX], cli_table_form *table) {
    for (int i = 0; i < named->column_count; i++) {
        cli_column_name *column = &table->columns[inputs[i]];
        *column = named->columns[i];
        if (named->compared[i]) column->texts = &named->lists[inputs[i]];
        if (named->advice[i][0] != '\0') column->advice = named->advice[i];
    }
    table->column_count = named->column_count;
}

/* ---- expressions with letters ---- */

static int compare_edits(const void *a, const void *b) {
    const cli_edit *one = a, *other = b;
    if (one->expression != other->expression) return one->expression - other->expression;
    return (one->begin > other->begin) - (one->begin < other->begin);
}

/* "x", or the number of a text. */
static void write_edit(const cli_named *named, const cli_edit *edit, int input, char text[24]) {
    const cli_literals *list = &named->lists[input];
    int number = 0;
    if (edit->literal < 0) {
        snprintf(text, 24, "%c", letters[input]);
        return;
    }
    while (compare_literals(&list->texts[number], &named->literals[edit->literal]) != 0) number++;
    snprintf(text, 24, "%d", 2 * number + 1);
}

static void write_expression(cli_named *named, int expression, const int inputs[CLI_NAMES_MAX]) {
    const char *typed = named->typed[expression];
    char *written = named->written[expression];
    size_t at = 0, used = 0;
    const size_t room = sizeof named->written[expression];
    for (int i = 0; i < named->edit_count; i++) {
        const cli_edit *edit = &named->edits[i];
        char text[24];
        if (edit->expression != expression) continue;
        write_edit(named, edit, inputs[edit->column], text);
        used += (size_t)snprintf(written + used, room - used, "%.*s%-*s", (int)(edit->begin - at), typed + at,
                                 (int)edit->length, text);
        at = edit->begin + edit->length;
    }
    snprintf(written + used, room - used, "%s", typed + at);
}

static void write_expressions(cli_named *named, const int inputs[CLI_NAMES_MAX], jr_spec *spec) {
    qsort(named->edits, (size_t)named->edit_count, sizeof *named->edits, compare_edits);
    for (int i = 0; i < CLI_NAMED_COUNT; i++)
        if (named->typed[i] != NULL) write_expression(named, i, inputs);
    if (spec->map != NULL) spec->map = named->written[CLI_NAMED_MAP];
    if (spec->where != NULL) spec->where = named->written[CLI_NAMED_WHERE];
}

/* ---- all of it ---- */

static void keep_parameters(const cli_options *options, cli_named *named) {
    for (int i = 0; i < options->parameter_count; i++) {
        char *name = named->parameter_names[i];
        snprintf(name, sizeof named->parameter_names[i], "%s", options->parameters[i].name);
        named->parameters[i] = (cli_column_name){.name = name, .length = strlen(name)};
    }
}

static void take_names(cli_options *options, cli_named *named) {
    int inputs[CLI_NAMES_MAX];
    order_columns(named, inputs);
    sort_literals(named, inputs);
    name_inputs(named, inputs, &options->table);
    write_expressions(named, inputs, &options->spec);
    keep_parameters(options, named);
    options->table.parameters = named->parameters;
    options->table.parameter_count = options->parameter_count;
    options->spec.type = cli_options_type(options, 0);
}

/* Finds what the expressions name; *found: there is something. */
static cli_exit find(const cli_options *options, cli_named *named, bool *found, cli_error *error) {
    bool used = false;
    cli_exit code = CLI_OK;
    named->typed[CLI_NAMED_MAP] = options->spec.map;
    named->typed[CLI_NAMED_WHERE] = options->spec.where;
    named->given_count = named->column_count = options->table.column_count;
    memcpy(named->columns, options->table.columns, sizeof options->table.columns);
    for (int i = 0; code == CLI_OK && i < CLI_NAMED_COUNT; i++) code = cli_named_find(options, i, named, error);
    *found = code == CLI_OK && named->edit_count > 0;
    if (!*found) return code;
    code = check_letters(named, &used, error);
    *found = !used || named->quoted; /* else it is a slip in an expression of numbers */
    if (!*found) return CLI_OK;
    if (code == CLI_OK && named->given_count == 0 && options->spec.map == NULL)
        return cli_fail(error, CLI_USAGE,
                        "--where: names columns, but nothing says of what the %s is: --column price, "
                        "or --map price",
                        jr_op_name(options->ops[0]));
    return code == CLI_OK && named->column_count > JR_INPUTS_MAX ? fail_many(named, error) : code;
}

cli_exit cli_named_settle(cli_options *options, cli_error *error) {
    bool found = false;
    if ((options->spec.map == NULL && options->spec.where == NULL) || !may_be_table(options)) return CLI_OK;
    cli_named *named = calloc(1, sizeof *named);
    if (named == NULL) return cli_fail(error, CLI_FAILURE, "--map, --where: out of memory");
    const cli_exit code = find(options, named, &found, error);
    if (code != CLI_OK || !found) {
        free(named);
        return code;
    }
    take_names(options, named);
    options->named = named;
    return CLI_OK;
}

/* Where an expression stands in a line of its own; NULL: nowhere. Elsewhere its letters may be those of words. */
static char *find_line(char *text, const char *expression) {
    const size_t length = strlen(expression);
    for (char *at = strstr(text, expression); at != NULL; at = strstr(at + 1, expression)) {
        const char *before = at;
        while (before > text && before[-1] == ' ') before--;
        if ((before == text || before[-1] == '\n') && (at[length] == '\n' || at[length] == '\0')) return at;
    }
    return NULL;
}

void cli_named_restore(const cli_named *named, char *text, size_t bytes) {
    for (int i = 0; named != NULL && i < CLI_NAMED_COUNT; i++) {
        const size_t length = strlen(named->written[i]);
        if (named->typed[i] == NULL || length == 0 || strlen(named->typed[i]) != length) continue;
        char *at = find_line(text, named->written[i]);
        if (at != NULL && at + length <= text + bytes) memcpy(at, named->typed[i], length);
    }
}
