/* Refuses options that would have no effect: what the user gave for a purpose must not be ignored. */
#include "option_use.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/suggest.h"
#include "cli_operator.h"
#include "option_take.h"
#include "slip_shell.h"

static bool is_given(const cli_options *options, const char *name) {
    return options->given[cli_option_find(name)];
}

static bool has_op(const cli_options *options, jr_op op) {
    for (int i = 0; i < options->op_count; i++)
        if (options->ops[i] == op) return true;
    return false;
}

/* "min,max" */
static const char *list_ops(const cli_options *options, char *list, size_t room) {
    size_t used = 0;
    for (int i = 0; i < options->op_count && used < room; i++)
        used += (size_t)snprintf(list + used, room - used, "%s%s", i > 0 ? "," : "", jr_op_name(options->ops[i]));
    return list;
}

static bool is_of_word(char c) {
    return isalnum((unsigned char)c) || c == '_';
}

static bool has_word(const char *text, const char *word) {
    const size_t length = strlen(word);
    for (const char *at = text; at != NULL && (at = strstr(at, word)) != NULL; at++)
        if ((at == text || !is_of_word(at[-1])) && !is_of_word(at[length])) return true;
    return false;
}

bool cli_expressions_name(const cli_options *options, const char *word) {
    const jr_spec *spec = &options->spec;
    const char *const texts[] = {spec->map,      spec->where,  spec->combine,
                                 spec->identity, spec->finish, options->structure.text};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (has_word(texts[i], word)) return true;
    return false;
}

static cli_exit check_operator(const cli_options *options, int scope, cli_error *error) {
    const bool all = options->op_open && (scope & CLI_SCOPE_PACK); /* every operator */
    bool reads_ddof = all;
    char ops[256];
    for (int i = 0; i < options->op_count; i++) reads_ddof |= cli_operator_is(options->ops[i], CLI_OP_DDOF);
    if (is_given(options, "ddof") && !reads_ddof)
        return cli_fail(error, CLI_USAGE, "--ddof: is for var and std, not for %s", list_ops(options, ops, sizeof ops));
    if (is_given(options, "commutative") && !has_op(options, JR_OP_CUSTOM))
        return cli_fail(error, CLI_USAGE, "--commutative: is for an operator of your own: needs --combine");
    if (options->initial != NULL && options->op_count > 1)
        return cli_fail(error, CLI_USAGE,
                        "--initial: goes with one operator, not with the list %s: give each its own command",
                        list_ops(options, ops, sizeof ops));
    return CLI_OK;
}

static cli_exit check_names(const cli_options *options, cli_error *error) {
    static const char *const inputs[] = {"x", "y", "z", "w"};
    for (int i = 0; i < options->parameter_count; i++)
        if (!cli_expressions_name(options, options->parameters[i].name))
            return cli_fail(error, CLI_USAGE, "--param: no expression uses %s", options->parameters[i].name);
    int used = has_op(options, JR_OP_DOT) ? 2 : 1; /* an input before one that is used keeps that one's letter */
    for (int i = used; i < cli_options_input_count(options); i++)
        if (cli_expressions_name(options, inputs[i])) used = i + 1;
    if (used >= cli_options_input_count(options)) return CLI_OK;
    if (options->more_files[used] != NULL)
        return cli_fail(error, CLI_USAGE, "-%s: no expression uses %s", inputs[used], inputs[used]);
    const cli_column_name *name = &options->table.columns[used];
    char text[64];
    snprintf(text, sizeof text, "%.*s", (int)name->length, name->name);
    if (name->number == 0 && cli_expressions_name(options, text)) return CLI_OK; /* its message names the letter */
    return cli_fail(error, CLI_USAGE, "--column: no expression uses %s, which is column %d of the list: leave it out",
                    inputs[used], used + 1);
}

/* A file of keys that is not there may be meant for a column. */
static cli_exit check_keys(const cli_options *options, cli_error *error) {
    const char *name = options->group_by != NULL ? options->group_by : options->keys;
    const char *option = options->group_by != NULL ? "group-by" : "keys";
    if (name == NULL || options->table.key_count > 0 || cli_keys_are_file(name)) return CLI_OK;
    return cli_fail(error, CLI_USAGE, "--%s: there is no file '%s'; a column needs --column: --column price --%s city",
                    option, name, option);
}

/* "x is column 'y'": letters of inputs that are names of other columns. */
static void note_letters(const cli_options *options) {
    static const char letters[] = "xyzw";
    const cli_table_form *table = &options->table;
    for (int i = 0; i < table->column_count; i++) {
        const cli_column_name *name = &table->columns[i];
        const bool typed = name->option == NULL && name->number == 0 && name->length == 1;
        const char *letter = typed ? strchr(letters, name->name[0]) : NULL;
        if (letter == NULL || letter == letters + i) continue;
        if (cli_expressions_name(options, (const char[]){*letter, '\0'})) /* which may be meant for the column */
            fprintf(stderr, "jitreduce: note: in expressions column '%c' is %c, the letter of its place in --column\n",
                    *letter, letters[i]);
    }
}

/* An option whose value was forgotten takes the file's name for it, and standard input is read. */
static cli_exit check_taken_file(const cli_options *options, cli_error *error) {
    const char *words = options->table.missing;
    if (options->file_count > 0 || words == NULL || strchr(words, '.') == NULL || access(words, F_OK) != 0)
        return CLI_OK;
    return cli_fail(error, CLI_USAGE,
                    "--na: takes '%s', which is a file, for the words of missing values, and no file is left to read: "
                    "--na '' %s",
                    words, words);
}

cli_exit cli_options_check_use(const cli_options *options, int scope, cli_error *error) {
    cli_exit code = check_operator(options, scope, error);
    if (code == CLI_OK) code = check_keys(options, error);
    if (code == CLI_OK) code = check_taken_file(options, error);
    if (code == CLI_OK && options->field != NULL && (options->random || options->iota))
        code = cli_fail(error, CLI_USAGE, "--field: is for .npy files, not for generated elements");
    return code;
}

cli_exit cli_options_check_names(const cli_options *options, cli_error *error) {
    const cli_exit code = check_names(options, error);
    if (code == CLI_OK) note_letters(options);
    if (code == CLI_OK) cli_slip_note_redirect(options);
    return code;
}
