/* Parses the command line with getopt_long, from the option table. */
#include "option_parse.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cli_settings.h"
#include "base/suggest.h"
#include "column_names.h"
#include "name_tokens.h"
#include "options/command.h"
#include "options/option_check.h"
#include "options/option_take.h"
#include "options/option_use.h"
#include "options/slip_option.h"

enum { LONG_BASE = 1000 }; /* getopt_long returns LONG_BASE + row for a long option */

/* Both forms of getopt's description, made from the table. */
typedef struct descriptions {
    struct option longs[CLI_OPTIONS_MAX + 1];
    char shorts[2 * CLI_OPTIONS_MAX + 2];
} descriptions;

static void describe(descriptions *all) {
    char *letter = all->shorts;
    struct option *row = all->longs;
    *letter++ = ':'; /* distinguishes a missing argument from an unknown option */
    for (int i = 0; i < cli_option_count(); i++) {
        const cli_option *option = cli_option_row(i);
        int takes = option->optional ? optional_argument : option->argument ? required_argument : no_argument;
        *row++ = (struct option){option->name, takes, NULL, LONG_BASE + i};
        if (option->letter) *letter++ = option->letter;
        if (option->letter && option->argument) *letter++ = ':';
    }
    *row = (struct option){0};
    *letter = '\0';
}

/* Looks for what the table surely has. */
static int find_letter(int letter) {
    int row = 0;
    while (cli_option_row(row)->letter != letter) row++;
    return row;
}

/* A long option that getopt does not take: one that has no value, one that may be several, or none. */
static cli_exit fail_name(const char *typed, cli_error *error) {
    char name[CLI_SUGGEST_BYTES], several[512] = "", hint[CLI_HINT_BYTES];
    const size_t length = strcspn(typed + 2, "=");
    cli_nearest nearest = {.typed = name};
    int meant = 0;
    snprintf(name, sizeof name, "%.*s", (int)(length < sizeof name ? length : sizeof name - 1), typed + 2);
    for (int i = 0; i < cli_option_count(); i++) {
        const char *word = cli_option_row(i)->name;
        if (strcmp(word, name) == 0) return cli_fail(error, CLI_USAGE, "%s: takes no value" SEE_HELP, typed);
        cli_nearest_offer(&nearest, word, strlen(word));
        const size_t used = strlen(several);
        if (name[0] == '\0' || strncmp(word, name, length) != 0) continue;
        snprintf(several + used, sizeof several - used, " --%s", word);
        meant++;
    }
    char other[CLI_SUGGEST_BYTES];
    if (cli_slip_find_option(name, other, sizeof other))
        return cli_fail(error, CLI_USAGE, "--%s: is not an option; did you mean '%s'?", name, other);
    if (strchr(name, ' ') != NULL)
        return cli_fail(error, CLI_USAGE, "'%s' is one word: an option and its value are two", typed);
    if (meant > 1) return cli_fail(error, CLI_USAGE, "%s: begins several options:%s", typed, several);
    return cli_fail(error, CLI_USAGE, "%s: is not an option%s", typed, cli_nearest_hint(&nearest, "--", hint));
}

/* getopt's '?' and ':': names the option as it was typed. */
static cli_exit fail_option(int what, const char *typed, cli_error *error) {
    const bool is_long = strncmp(typed, "--", 2) == 0;
    if (what == '?' && is_long) return fail_name(typed, error);
    if (is_long) return cli_fail(error, CLI_USAGE, "%s: needs a value" SEE_HELP, typed);
    const char letter[] = {(char)optopt, '\0'};
    char meant[CLI_SUGGEST_BYTES];
    if (what == '?' && letter[0] >= '0' && letter[0] <= '9')
        return cli_fail(error, CLI_USAGE,
                        "-%s: is not an option; an expression with blanks needs quotes: --map 'x - 1'" SEE_HELP,
                        letter);
    if (what == '?' && cli_slip_find_way(letter) != NULL)
        return cli_fail(error, CLI_USAGE, "-%s: is not an option: %s", letter, cli_slip_find_way(letter));
    if (what == '?' && cli_slip_find_option(letter, meant, sizeof meant))
        return cli_fail(error, CLI_USAGE, "-%s: is not an option; did you mean '%s'?", letter, meant);
    return cli_fail(error, CLI_USAGE, "-%s: %s" SEE_HELP, letter, what == ':' ? "needs a value" : "is not an option");
}

/* What is left open by all of them, for one and for the other. */
static void complete(cli_options *options) {
    const bool own = options->spec.combine != NULL || options->spec.identity != NULL;
    options->op_open = options->op_count == 0 && !own;
    if (options->op_count == 0) options->ops[options->op_count++] = own ? JR_OP_CUSTOM : JR_OP_SUM;
    options->spec.type = cli_options_type(options, 0);
}

/* Whether each of several columns is reduced alone: no expression and no operator takes two together. */
static bool is_of_each(const cli_options *options) {
    const bool single = !cli_expressions_name(options, "y") && !cli_expressions_name(options, "z") &&
                        !cli_expressions_name(options, "w");
    const bool of_x = options->spec.map == NULL || cli_expressions_name(options, "x");
    const bool columns = options->table.column_count > 1 && options->structure.text == NULL;
    return columns && options->ops[0] != JR_OP_DOT && single && of_x;
}

/* "y" where --map or --where has that input of several: "y", "z" or "w"; else "". */
static const char *joined_input(const cli_options *options) {
    static const char *const letters[] = {"y", "z", "w"};
    const char *const texts[] = {options->spec.map, options->spec.where};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        for (cli_token token = cli_token_next(texts[i] != NULL ? texts[i] : ""); token.kind != CLI_TOKEN_END;
             token = cli_token_next(token.begin + token.length))
            for (size_t k = 0; k < sizeof letters / sizeof *letters; k++)
                if (token.kind == CLI_TOKEN_WORD && token.length == 1 && *token.begin == *letters[k]) return letters[k];
    return "";
}

/* Finds whether the command line has many works, and refuses what these do not go with. */
static cli_exit check_many(cli_options *options, cli_error *error) {
    const cli_command *command = options->file_count > 0 ? cli_command_find(options->files[0]) : NULL;
    const bool reduces = command == NULL || command->scope == CLI_SCOPE_REDUCE;
    if (reduces && is_of_each(options)) options->many = true;
    if (!options->many) return CLI_OK;
    const char *what = options->op_calls != NULL ? "--op" : "--column", *more = NULL;
    if (!reduces) more = "another command than reduce";
    if (options->mpi) more = "--mpi";
    if (options->keys != NULL) more = "--keys: --group-by makes groups";
    if (options->axis_count > 0 || options->segment_length > 0 || options->offsets != NULL)
        more = "--axis or --segments";
    if (options->random || options->iota) more = "generated elements";
    if (options->more_files[1] != NULL) more = "-y";
    if (options->structure.text != NULL) more = "--struct";
    if (options->states.save != NULL || options->states.add_count > 0) more = "kept states";
    if (options->ops[0] == JR_OP_DOT) more = "--op dot";
    if (options->output_keys != NULL) more = "--output-keys";
    if (options->stats) more = "--stats";
    if (options->op_calls != NULL && options->spec.map != NULL) more = "--map: the calls have what is reduced";
    if (options->op_calls != NULL && options->column_list != NULL) more = "--column: the calls name the columns";
    const char *letter = options->column_list != NULL ? joined_input(options) : "";
    if (*letter != '\0')
        return cli_fail(error, CLI_USAGE,
                        "--column: %s is an input of the expressions, and '%s' has more columns than x, y, z and w, "
                        "or a range: list those that the expressions join; a column named %s is written `%s`",
                        letter, options->column_list, letter, letter);
    if (more == NULL) return CLI_OK;
    const bool colon = options->column_list != NULL && strchr(options->column_list, ':') != NULL;
    return cli_fail(error, CLI_USAGE, "%s: several columns that are reduced each do not go with %s%s", what, more,
                    colon ? "; a column whose name has a ':' is written in double quotes" : "");
}

/* count alone: how many elements are selected, whatever they are. */
static cli_exit settle_count(cli_options *options, cli_error *error) {
    const cli_command *command = options->file_count > 0 ? cli_command_find(options->files[0]) : NULL;
    const int scope = command != NULL ? command->scope : CLI_SCOPE_REDUCE;
    if (!options->counts) return CLI_OK;
    if (!(scope & (CLI_SCOPE_REDUCE | CLI_SCOPE_SCAN)) || scope == CLI_SCOPE_ALL)
        return cli_fail(error, CLI_USAGE,
                        "--op: count must come last, after an operator: sum,count; alone it is for "
                        "reduce and scan");
    if (options->spec.map != NULL)
        return cli_fail(error, CLI_USAGE, "--map: --op count counts elements, whatever they become: leave --map out");
    options->spec.map = "1";
    return CLI_OK;
}

/* Elements that are NaN are not counted; a line that columns of --where select is no number. */
static void settle_count_of_numbers(cli_options *options, bool column) {
    if (!options->counts || options->spec.nan != JR_NAN_IGNORE) return;
    if (options->named == NULL || column)
        options->spec.map = "x == x";
    else
        options->spec.nan = JR_NAN_PROPAGATE;
}

/* The setting stands in for an option that was not given. */
static cli_exit take_setting(cli_options *options, cli_error *error) {
    const char *device = cli_settings_device();
    const cli_option *option = cli_option_row(cli_option_find("device"));
    if (options->device != NULL) return CLI_OK;
    if (option->take(option, options, device ? device : "auto", error) == CLI_OK) return CLI_OK;
    char reason[512];
    snprintf(reason, sizeof reason, "%s", strchr(error->message, '\'') != NULL ? strchr(error->message, '\'') : "");
    return cli_fail(error, CLI_USAGE, "JITREDUCE_DEVICE: %s", reason);
}

/* What the command line has said so far. */
typedef struct said {
    cli_options options;
    const char *arguments[CLI_OPTIONS_MAX]; /* of the rows that were given */
    const cli_option *unfit;                /* a formula for `run` and `replay`, which the row itself did not take */
} said;

/* A value that stands in the place of another one would replace it without a word. */
static cli_exit check_again(int row, const said *all, const char *argument, cli_error *error) {
    const cli_option *option = cli_option_row(row);
    const char *before = all->arguments[row];
    if (all->options.given[row] && option->argument != NULL && !option->again)
        return cli_fail(error, CLI_USAGE, "--%s: is given twice, '%s' and '%s': give one of them%s", option->name,
                        before ? before : "", argument ? argument : "",
                        strcmp(option->name, "where") == 0 ? ", or both joined by &&" : "");
    for (int i = 0; option->member != 0 && i < cli_option_count(); i++)
        if (i != row && all->options.given[i] && cli_option_row(i)->member == option->member)
            return cli_fail(error, CLI_USAGE, "--%s and --%s: give one of them", cli_option_row(i)->name, option->name);
    return CLI_OK;
}

/* Has a row take its argument; of one that is a formula for `run` and `replay` a failure is kept until the command is
 * known. */
static cli_exit take(int row, said *all, const char *argument, cli_error *error) {
    const cli_option *option = cli_option_row(row);
    cli_exit code = check_again(row, all, argument, error);
    if (code != CLI_OK) return code;
    code = option->take(option, &all->options, argument, error);
    all->options.given[row] = true;
    all->arguments[row] = argument;
    if (option->formula == 0) return code;
    *(const char **)((char *)&all->options + option->formula) = argument;
    if (code != CLI_OK && all->unfit == NULL) all->unfit = option;
    return CLI_OK;
}

/* What was no formula after all. */
static cli_exit check_unfit(cli_options *options, const cli_option *unfit, cli_error *error) {
    if (unfit == NULL || (options->file_count > 0 &&
                          (strcmp(options->files[0], "run") == 0 || strcmp(options->files[0], "replay") == 0)))
        return CLI_OK;
    return unfit->take(unfit, options, *(const char **)((char *)options + unfit->formula), error);
}

/* getopt takes an optional argument only after '='; this also takes the next word, if that cannot be an input. */
static bool is_picture(const char *word) {
    static const char *const ends[] = {".svg", ".png", ".pdf", ".eps", ".ps", ".gif", ".jpg", ".jpeg", ".webp"};
    const char *end = strrchr(word, '.');
    for (size_t i = 0; word[0] != '-' && end != NULL && i < sizeof ends / sizeof *ends; i++)
        if (strcmp(end, ends[i]) == 0) return true;
    return false;
}

/* "help --where": the option is what help is asked of. */
static bool asks_of_option(int argc, char **argv) {
    return argc == 3 && strcmp(argv[1], "help") == 0 && argv[2][0] == '-' && strcmp(argv[2], "--help") != 0 &&
           strcmp(argv[2], "-h") != 0;
}

cli_exit cli_options_settle(cli_options *options, cli_error *error) {
    const bool column = options->table.column_count > 0;
    cli_exit code = settle_count(options, error);
    if (code == CLI_OK) code = cli_named_settle(options, error);
    if (code != CLI_OK) return code;
    settle_count_of_numbers(options, column);
    options->table.uses_index = cli_expressions_name(options, "i");
    code = cli_settle_keyed(options, error);
    return code == CLI_OK ? cli_options_check_together(options, error) : code;
}

cli_exit cli_options_parse(int argc, char **argv, cli_options *options, cli_error *error) {
    said read = {.options = {.count = UINT64_MAX}};
    cli_options *found = &read.options;
    descriptions all = {0};
    describe(&all);
    opterr = 0;
    optind = 0; /* glibc: start again */
    const bool asks = asks_of_option(argc, argv);
    cli_exit code = asks ? CLI_OK : cli_slip_check_words(argc, argv, error);
    if (code != CLI_OK) return code;
    if (asks) optind = 1;
    for (int what; !asks && (what = getopt_long(argc, argv, all.shorts, all.longs, NULL)) != -1;) {
        if (what == '?' || what == ':') return fail_option(what, argv[optind - 1], error);
        int row = what >= LONG_BASE ? what - LONG_BASE : find_letter(what);
        if (cli_option_row(row)->optional && optarg == NULL && optind < argc && is_picture(argv[optind]))
            optarg = argv[optind++];
        code = take(row, &read, optarg, error);
        if (code != CLI_OK) return code;
    }
    found->words = argv;
    found->word_count = argc;
    found->files = argv + optind;
    found->file_count = argc - optind;
    complete(found);
    const bool runs = !found->help && !found->version;
    if (runs) code = check_many(found, error);
    if (code == CLI_OK && runs && found->many) code = take_setting(found, error);
    if (code == CLI_OK && runs && found->many) *options = *found;
    if (code != CLI_OK || (runs && found->many)) return code;
    code = check_unfit(found, read.unfit, error);
    if (code == CLI_OK && runs) code = cli_options_settle(found, error);
    if (code == CLI_OK && !found->help && !found->version) code = take_setting(found, error);
    if (code == CLI_OK)
        *options = *found;
    else
        free(found->named);
    return code;
}
