/* Finds out what was meant by a word that is known in another place, or by another name. */
#include "slip.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/number.h"
#include "base/suggest.h"
#include "command.h"
#include "option_take.h"
#include "slip_operator.h"
#include "slip_option.h"
#include "slip_shell.h"

/* An option's name, whole or with '_' for '-'; "group" alone is group-by. */
static bool is_option_name(const char *name, const char *word) {
    size_t at = 0;
    while (word[at] != '\0' && (word[at] == name[at] || (word[at] == '_' && name[at] == '-'))) at++;
    return word[at] == '\0' && (name[at] == '\0' || (name[at] == '-' && strcmp(word, "group") == 0));
}

/* "--op mean" of "mean" and of "average", "--ddof" of "ddof", "--group-by" of "groupby"; "": there is no such operator
 * or option. */
static void find_option(const char *word, char *meant, size_t room) {
    const char *op = cli_slip_operator(word);
    meant[0] = '\0';
    if (op != NULL) {
        snprintf(meant, room, "--op %s", op);
        return;
    }
    for (int i = 0; i < cli_option_count(); i++) {
        const cli_option *option = cli_option_row(i);
        if (is_option_name(option->name, word)) snprintf(meant, room, "--%s", option->name);
    }
    if (meant[0] == '\0' && strlen(word) > 2) (void)cli_slip_find_option(word, meant, room);
}

static bool is_number(const char *word) {
    double number;
    return word[0] != '\0' && cli_number_parse(JR_F64, word, word + strlen(word), &number) == CLI_NUMBER_OK;
}

cli_exit cli_slip_command(const cli_options *options, const char *word, cli_error *error) {
    cli_nearest nearest = {.typed = word};
    char meant[CLI_SUGGEST_BYTES], hint[CLI_HINT_BYTES];
    if (cli_slip_expression(options, word, error) != CLI_OK) return CLI_USAGE;
    if (is_number(word) && access(word, F_OK) != 0)
        return cli_fail(error, CLI_USAGE,
                        "'%s' is neither a command nor a file; numbers are read from standard input: echo %s | "
                        "jitreduce",
                        word, word);
    if (word[0] == '\0' || strpbrk(word, "./") != NULL || access(word, F_OK) == 0) return CLI_OK;
    if (cli_slip_longer(word) != NULL)
        return cli_fail(error, CLI_USAGE, "'%s' is neither a command nor a file: %s", word, cli_slip_longer(word));
    find_option(word, meant, sizeof meant);
    if (meant[0] != '\0')
        return cli_fail(error, CLI_USAGE, "'%s' is neither a command nor a file; did you mean '%s'?", word, meant);
    if (cli_slip_needs_sorting(word)) return cli_slip_op(word, error);
    for (int i = 0; i < cli_command_count; i++)
        cli_nearest_offer(&nearest, cli_command_table[i].name, strlen(cli_command_table[i].name));
    if (nearest.word[0] == '\0') return CLI_OK;
    return cli_fail(error, CLI_USAGE, "'%s' is neither a command nor a file%s", word,
                    cli_nearest_hint(&nearest, "", hint));
}

/* Whether a word is the name of a file, as it is there or looks like one. */
static bool is_file(const char *word) {
    return word[0] == '\0' || strcmp(word, "-") == 0 || strpbrk(word, "./:*") != NULL || access(word, F_OK) == 0;
}

static bool is_kernel(const char *word) {
    const char *end = strrchr(word, '.');
    return end != NULL && (strcmp(end, ".cu") == 0 || strcmp(end, ".ptx") == 0);
}

cli_exit cli_slip_files(const cli_options *options, cli_error *error) {
    const cli_table_form *table = &options->table;
    char meant[CLI_SUGGEST_BYTES];
    for (int i = 0; i < options->file_count; i++) {
        const char *word = options->files[i];
        if (is_kernel(word))
            return cli_fail(error, CLI_USAGE, "'%s' is a kernel, not data: jitreduce run %s", word, word);
        if (is_file(word)) continue;
        if (cli_slip_expression(options, word, error) != CLI_OK) return CLI_USAGE;
        if (word[0] == '-')
            return cli_fail(error, CLI_USAGE,
                            "there is no file '%s': after -- every word is a file, options stand "
                            "before it",
                            word);
        const cli_command *command = cli_command_find(word);
        if (command != NULL)
            return cli_fail(error, CLI_USAGE, "there is no file '%s'; a command comes first: jitreduce %s %s", word,
                            word, command->files && i > 0 ? options->files[0] : "...");
        if (cli_slip_longer(word) != NULL)
            return cli_fail(error, CLI_USAGE, "there is no file '%s': %s", word, cli_slip_longer(word));
        find_option(word, meant, sizeof meant);
        if (strchr(word, '=') != NULL)
            return cli_fail(error, CLI_USAGE, "there is no file '%s'; if it is an option, did you mean '--%s'?", word,
                            word);
        if (meant[0] != '\0' && strchr(meant, ' ') != NULL)
            return cli_fail(error, CLI_USAGE, "there is no file '%s'; did you mean '%s'?", word, meant);
        if (options->file_count < 2) continue; /* what else it may be says the first word's check */
        if (table->column_count == 1 && table->columns[0].number == 0)
            return cli_fail(error, CLI_USAGE, "there is no file '%s'; several columns have commas: --column %.*s,%s",
                            word, (int)table->columns[0].length, table->columns[0].name, word);
        if (table->column_count == 0)
            return cli_fail(error, CLI_USAGE, "there is no file '%s'; if it is a column: --column %s", word, word);
    }
    return CLI_OK;
}

/* Options that do for other commands what one does for its own: the first that a command takes is named. */
static const char *const siblings[][2] = {
    {"group-by", "keys"}, {"stats", "show"},  {"random", "sizes"}, {"iota", "sizes"},   {"count", "sizes"},
    {"sizes", "random"},  {"sizes", "count"}, {"define", "param"}, {"param", "define"}, {"show", "stats"},
    {"arg", "param"},     {"csv", "json"},    {"offset", "data"},
};

static const cli_option *find_sibling(const cli_option *option, int scope) {
    for (size_t i = 0; i < sizeof siblings / sizeof *siblings; i++) {
        if (strcmp(siblings[i][0], option->name) != 0) continue;
        for (int row = 0; row < cli_option_count(); row++)
            if (strcmp(cli_option_row(row)->name, siblings[i][1]) == 0 && (cli_option_row(row)->scope & scope))
                return cli_option_row(row);
    }
    return NULL;
}

static cli_exit fail_option(const cli_option *option, int scope, const char *command, cli_error *error) {
    const cli_option *sibling = find_sibling(option, scope);
    char takers[256] = "";
    size_t used = 0;
    if (sibling != NULL)
        return cli_fail(error, CLI_USAGE, "--%s: does not go with '%s', which has --%s; see 'jitreduce help %s'",
                        option->name, command, sibling->name, command);
    if (scope == CLI_SCOPE_BENCH && (option->scope & CLI_SCOPE_COMPARE))
        return cli_fail(error, CLI_USAGE, "--%s: bench needs elements for that: FILE, --random N or --iota N",
                        option->name);
    for (int i = 0; i < cli_command_count && used < sizeof takers; i++)
        if (option->scope & cli_command_table[i].scope && cli_command_table[i].scope != CLI_SCOPE_ALL)
            used += (size_t)snprintf(takers + used, sizeof takers - used, "%s%s", used > 0 ? ", " : "",
                                     cli_command_table[i].name);
    if (strcmp(option->name, "scan") == 0)
        return cli_fail(error, CLI_USAGE, "--scan: '%s' takes none: a scan is jitreduce scan; it is an option of %s",
                        command, takers);
    return cli_fail(error, CLI_USAGE, "--%s: does not go with '%s'; it is an option of %s", option->name, command,
                    takers);
}

cli_exit cli_options_check_scope(const cli_options *options, int scope, const char *subcommand, cli_error *error) {
    for (int i = 0; i < cli_option_count(); i++) {
        const cli_option *option = cli_option_row(i);
        if (!options->given[i] || (option->scope & scope)) continue;
        if (!options->bench.given || !(option->scope & CLI_SCOPE_BENCH))
            return fail_option(option, scope, options->bench.given ? "bench" : subcommand, error);
        if (option->take != cli_take_algorithm) /* of which compare takes all */
            return cli_fail(error, CLI_USAGE, "--%s: is for bench without FILE, --random and --iota", option->name);
    }
    if (options->run.output_count > 1 && !(scope & CLI_SCOPE_RUN))
        return cli_fail(error, CLI_USAGE, "--output: is given twice, '%s' and '%s': give one of them",
                        options->run.outputs[0], options->run.outputs[1]);
    if (options->spec.kept && (scope == CLI_SCOPE_SCAN || scope == CLI_SCOPE_COMPARE))
        return cli_fail(error, CLI_USAGE, "--op: count: %s prints no number of elements; reduce does", subcommand);
    if (options->bench.every && scope != CLI_SCOPE_BENCH && !options->bench.given)
        return cli_fail(error, CLI_USAGE, "--algorithm: all: is for bench, which measures each of them");
    if (options->offsets != NULL && scope == CLI_SCOPE_PACK)
        return cli_fail(error, CLI_USAGE,
                        "--segments: '%s' is not a count like 1000: a pack's segments have one length",
                        options->offsets);
    if (options->exclusive && !options->scan && !(scope & CLI_SCOPE_SCAN))
        return cli_fail(error, CLI_USAGE, "--exclusive: is for scans: needs --scan");
    if (options->type_count > JR_INPUTS_MAX && !(scope & (CLI_SCOPE_BENCH | CLI_SCOPE_TUNE | CLI_SCOPE_PACK)))
        return cli_fail(error, CLI_USAGE, "--type: a list of more than %d types", JR_INPUTS_MAX);
    return CLI_OK;
}
