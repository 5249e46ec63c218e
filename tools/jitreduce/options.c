/* Parses the command line with getopt_long, from the option table. */
#include "options.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "option_take.h"
#include "settings.h"
#include "suggest.h"

enum { LONG_BASE = 1000 }; /* getopt_long returns LONG_BASE + row for a long option */

/* Both forms of getopt's description, made from the table. */
typedef struct descriptions {
    struct option longs[2 * CLI_OPTIONS_MAX + 1];
    char shorts[2 * CLI_OPTIONS_MAX + 2];
} descriptions;

static void describe(descriptions *all) {
    char *letter = all->shorts;
    struct option *row = all->longs;
    *letter++ = ':'; /* a missing argument is told from an unknown option */
    for (int i = 0; i < cli_option_count; i++) {
        const cli_option *option = &cli_option_table[i];
        int takes = option->optional ? optional_argument : option->argument ? required_argument : no_argument;
        *row++ = (struct option){option->name, takes, NULL, LONG_BASE + i};
        if (option->alias) *row++ = (struct option){option->alias, takes, NULL, LONG_BASE + i};
        if (option->letter) *letter++ = option->letter;
        if (option->letter && option->argument) *letter++ = ':';
    }
    *row = (struct option){0};
    *letter = '\0';
}

/* Both look for what the table surely has. */
static int find_letter(int letter) {
    int row = 0;
    while (cli_option_table[row].letter != letter) row++;
    return row;
}

static int find_name(const char *name) {
    int row = 0;
    while (strcmp(cli_option_table[row].name, name) != 0) row++;
    return row;
}

/* A long option that getopt does not take: one that has no value, one that may be several, or none. */
static cli_exit fail_name(const char *typed, cli_error *error) {
    char name[CLI_SUGGEST_BYTES], several[512] = "", hint[CLI_HINT_BYTES];
    const size_t length = strcspn(typed + 2, "=");
    cli_nearest nearest = {.typed = name};
    int meant = 0;
    snprintf(name, sizeof name, "%.*s", (int)(length < sizeof name ? length : sizeof name - 1), typed + 2);
    for (int i = 0; i < 2 * cli_option_count; i++) {
        const cli_option *option = &cli_option_table[i / 2];
        const char *word = i % 2 ? option->alias : option->name;
        if (word == NULL) continue;
        if (strcmp(word, name) == 0) return cli_fail(error, CLI_USAGE, "%s: takes no value" SEE_HELP, typed);
        cli_nearest_offer(&nearest, word, strlen(word));
        const size_t used = strlen(several);
        if (name[0] == '\0' || strncmp(word, name, length) != 0) continue;
        snprintf(several + used, sizeof several - used, " --%s", word);
        meant++;
    }
    if (meant > 1) return cli_fail(error, CLI_USAGE, "%s: begins several options:%s", typed, several);
    return cli_fail(error, CLI_USAGE, "%s: is not an option%s", typed, cli_nearest_hint(&nearest, "--", hint));
}

/* getopt's '?' and ':': names the option as it was typed. */
static cli_exit fail_option(int what, const char *typed, cli_error *error) {
    const bool is_long = strncmp(typed, "--", 2) == 0;
    if (what == '?' && is_long) return fail_name(typed, error);
    if (is_long) return cli_fail(error, CLI_USAGE, "%s: needs a value" SEE_HELP, typed);
    return cli_fail(error, CLI_USAGE, "-%c: %s" SEE_HELP, optopt, what == ':' ? "needs a value" : "is not an option");
}

/* What a measurement cannot be at once. */
static cli_exit check_bench(const cli_options *options, cli_error *error) {
    if (options->bench.graph && options->bench.latency)
        return cli_fail(error, CLI_USAGE, "--graph and --latency: give one of them");
    if (options->csv && options->json) return cli_fail(error, CLI_USAGE, "--csv and --json: give one of them");
    if (options->bench.one_pass && options->op_count < 2)
        return cli_fail(error, CLI_USAGE, "--one-pass: needs a list of operators like --op sum,min");
    return CLI_OK;
}

const char *cli_scan_name(const cli_options *options) {
    return !options->scan ? NULL : options->exclusive ? "exclusive" : "inclusive";
}

int cli_options_input_count(const cli_options *options) {
    int count = 1;
    while (count < JR_INPUTS_MAX && options->more_files[count] != NULL) count++;
    return options->table.column_count > 1 ? options->table.column_count : count;
}

jr_type cli_options_type(const cli_options *options, int input) {
    if (options->type_count > 0) return options->types[input < options->type_count ? input : options->type_count - 1];
    return input == 0 && options->structure.text != NULL ? JR_STRUCT : JR_TYPE_NONE;
}

static cli_exit check_structure(const cli_options *options, cli_error *error) {
    const cli_structure *structure = &options->structure;
    bool wanted = options->spec.type == JR_STRUCT;
    for (int i = 0; i < options->type_count; i++) wanted |= options->types[i] == JR_STRUCT;
    if (wanted && structure->text == NULL) return cli_fail(error, CLI_USAGE, "--type: struct needs --struct" SEE_HELP);
    if (!wanted && (structure->text != NULL || structure->bytes || structure->alignment))
        return cli_fail(error, CLI_USAGE,
                        structure->text ? "--struct: no input has this type, says --type"
                                        : "--struct-bytes, --struct-alignment: need --struct");
    if (wanted && (structure->bytes == 0 || structure->alignment == 0))
        return cli_fail(error, CLI_USAGE,
                        "--struct: the size of %s cannot be told from its text: give --struct-bytes and "
                        "--struct-alignment",
                        structure->name);
    if (wanted && options->spec.type == JR_STRUCT && options->format != CLI_FORMAT_AUTO &&
        options->format != CLI_FORMAT_RAW)
        return cli_fail(error, CLI_USAGE, "--format: structs are read raw");
    return CLI_OK;
}

/* A file of keys that is not there may be meant for a column. */
static cli_exit check_groups(const cli_options *options, cli_error *error) {
    const char *name = options->group_by;
    bool index = false;
    for (int i = 0; i < options->op_count; i++)
        index |= options->ops[i] == JR_OP_ARGMIN || options->ops[i] == JR_OP_ARGMAX;
    if (name == NULL) return CLI_OK;
    if (index && options->spec.finish != NULL)
        return cli_fail(error, CLI_USAGE,
                        "--finish: with --group-by not of argmin and argmax, whose index is the input's");
    if (index && options->spec.result != JR_TYPE_NONE)
        return cli_fail(error, CLI_USAGE, "--result: with --group-by the index of argmin and argmax is i64");
    if (options->table.keyed || strcmp(name, "-") == 0 || strpbrk(name, "./") != NULL || access(name, F_OK) == 0)
        return CLI_OK;
    return cli_fail(error, CLI_USAGE,
                    "--group-by: there is no file '%s'; a column stands beside --column: --column price "
                    "--group-by city",
                    name);
}

static cli_exit check_inputs(const cli_options *options, cli_error *error) {
    static const char letters[] = "xyzw";
    const int count = cli_options_input_count(options);
    for (int i = count; i < JR_INPUTS_MAX && options->table.column_count < 2; i++)
        if (options->more_files[i] != NULL)
            return cli_fail(error, CLI_USAGE, "-%c: needs -%c, too", letters[i], letters[count]);
    if (options->type_count > count && count > 1)
        return cli_fail(error, CLI_USAGE, "--type: %d types for %d inputs", options->type_count, count);
    if (count > 1 && options->ops[0] != JR_OP_DOT && options->spec.map == NULL && options->spec.where == NULL)
        return cli_fail(error, CLI_USAGE, "%s: nothing uses it: give --map, --where or --op dot" SEE_HELP,
                        options->more_files[1] != NULL ? "-y" : "--column: the second one");
    return CLI_OK;
}

static cli_exit check_generated(const cli_options *options, cli_error *error) {
    const bool generated = options->random || options->iota;
    if (options->random && options->iota) return cli_fail(error, CLI_USAGE, "--random and --iota: give one of them");
    if (options->given[find_name("seed")] && !options->random)
        return cli_fail(error, CLI_USAGE, "--seed: needs --random");
    if (generated && options->format != CLI_FORMAT_AUTO)
        return cli_fail(error, CLI_USAGE, "--format: says nothing about generated data");
    if (generated && options->spec.type == JR_STRUCT)
        return cli_fail(error, CLI_USAGE, "--struct: structs cannot be generated");
    return CLI_OK;
}

/* What is said of many results. */
static cli_exit check_many(const cli_options *options, cli_error *error) {
    const bool grouped = options->group_by != NULL;
    const int ways = (options->offsets != NULL) + (options->segment_length > 0) + (options->axis_count > 0) +
                     (options->keys != NULL) + grouped;
    if (ways > 1)
        return cli_fail(error, CLI_USAGE,
                        "--offsets, --segment-length, --axis, --keys, --by-key and --group-by: give one of them");
    if (options->key_type != JR_TYPE_NONE && options->keys == NULL && !grouped)
        return cli_fail(error, CLI_USAGE, "--key-type: needs --keys, --by-key or --group-by");
    if (options->text_keys && !options->table.keyed)
        return cli_fail(error, CLI_USAGE, "--key-type: text is for a column: needs --column and --group-by");
    if (options->shape.dimensions > 0 && options->axis_count == 0)
        return cli_fail(error, CLI_USAGE, "--shape: needs --axis");
    if (options->keep_dimensions && (options->axis_count == 0 || options->output == NULL))
        return cli_fail(error, CLI_USAGE, "--keepdims: is about the shape in a file: needs --axis and --output");
    if (options->output_keys != NULL && ((options->keys == NULL && !grouped) || options->output == NULL))
        return cli_fail(error, CLI_USAGE, "--output-keys: is for keys: needs --by-key or --group-by, and --output");
    if (options->output_keys != NULL && strcmp(options->output, options->output_keys) == 0)
        return cli_fail(error, CLI_USAGE, "--output, --output-keys: '%s' cannot be both files", options->output);
    return CLI_OK;
}

static cli_exit check_table(const cli_options *options, cli_error *error) {
    const cli_table_form *table = &options->table;
    const bool generated = options->random || options->iota;
    const bool binary = options->format == CLI_FORMAT_RAW || options->format == CLI_FORMAT_NPY;
    const bool asked =
        table->column_count > 0 || table->delimiter || table->decimal_comma || table->missing || table->skips_missing;
    if (asked && (generated || binary))
        return cli_fail(error, CLI_USAGE, "%s for text",
                        table->column_count > 0 ? "--column: is" : "--delimiter, --decimal, --na, --missing: are");
    if (table->delimiter && table->column_count == 0)
        return cli_fail(error, CLI_USAGE, "--delimiter: parts the columns of --column, which is not given");
    if (table->skips_missing && table->missing == NULL)
        return cli_fail(error, CLI_USAGE, "--missing: needs --na, which says what a missing value looks like");
    if (table->decimal_comma && table->delimiter == ',')
        return cli_fail(error, CLI_USAGE, "--delimiter, --decimal: both are the comma");
    if (table->column_count > 1 && options->more_files[1] != NULL)
        return cli_fail(error, CLI_USAGE, "-y: the second column of --column is y already");
    return CLI_OK;
}

/* What options say together. */
static cli_exit check_together(const cli_options *options, cli_error *error) {
    cli_exit code = check_generated(options, error);
    if (code != CLI_OK) return code;
    if (options->format == CLI_FORMAT_RAW && options->spec.type == JR_TYPE_NONE)
        return cli_fail(error, CLI_USAGE, "--raw: needs --type" SEE_HELP);
    code = check_table(options, error);
    if (code != CLI_OK) return code;
    if ((options->spec.combine != NULL || options->spec.identity != NULL) && options->ops[0] != JR_OP_CUSTOM)
        return cli_fail(error, CLI_USAGE, "--combine, --identity: go with --op custom, not with %s",
                        jr_op_name(options->ops[0]));
    code = check_many(options, error);
    if (code == CLI_OK) code = check_groups(options, error);
    if (code == CLI_OK) code = check_bench(options, error);
    if (code == CLI_OK) code = check_structure(options, error);
    return code == CLI_OK ? check_inputs(options, error) : code;
}

/* What is left open by all of them, for one and for the other. */
static void complete(cli_options *options) {
    const bool own = options->spec.combine != NULL || options->spec.identity != NULL;
    options->op_open = options->op_count == 0 && !own;
    if (options->op_count == 0) options->ops[options->op_count++] = own ? JR_OP_CUSTOM : JR_OP_SUM;
    options->spec.type = cli_options_type(options, 0);
}

/* The setting stands in for an option that was not given. */
static cli_exit take_setting(cli_options *options, cli_error *error) {
    const char *device = cli_settings_device();
    const cli_option *option = &cli_option_table[find_name("device")];
    if (options->device != NULL) return CLI_OK;
    if (option->take(option, options, device ? device : "auto", error) == CLI_OK) return CLI_OK;
    return cli_fail(error, CLI_USAGE, "JITREDUCE_DEVICE: '%s' is not one of" CLI_DEVICES, device);
}

/* Has a row take its argument; of one that is a formula for `run` a failure is kept in *unfit until the command is
 * known. */
static cli_exit take(int row, cli_options *options, const char *argument, const cli_option **unfit, cli_error *error) {
    const cli_option *option = &cli_option_table[row];
    const cli_exit code = option->take(option, options, argument, error);
    options->given[row] = true;
    if (option->formula == 0) return code;
    *(const char **)((char *)options + option->formula) = argument;
    if (code != CLI_OK && *unfit == NULL) *unfit = option;
    return CLI_OK;
}

/* What was no formula after all. */
static cli_exit check_unfit(cli_options *options, const cli_option *unfit, cli_error *error) {
    if (unfit == NULL || (options->file_count > 0 && strcmp(options->files[0], "run") == 0)) return CLI_OK;
    return unfit->take(unfit, options, *(const char **)((char *)options + unfit->formula), error);
}

/* getopt takes an argument that may be left out from behind '=' alone: from the word behind it, too, where that cannot
 * be an input. */
static bool is_picture(const char *word) {
    static const char *const ends[] = {".svg", ".png", ".pdf", ".eps", ".ps", ".gif", ".jpg", ".jpeg", ".webp"};
    const char *end = strrchr(word, '.');
    for (size_t i = 0; word[0] != '-' && end != NULL && i < sizeof ends / sizeof *ends; i++)
        if (strcmp(end, ends[i]) == 0) return true;
    return false;
}

cli_exit cli_options_parse(int argc, char **argv, cli_options *options, cli_error *error) {
    cli_options found = {.count = UINT64_MAX};
    descriptions all = {0};
    const cli_option *unfit = NULL;
    describe(&all);
    opterr = 0;
    optind = 0; /* glibc: begin anew */
    for (int what; (what = getopt_long(argc, argv, all.shorts, all.longs, NULL)) != -1;) {
        if (what == '?' || what == ':') return fail_option(what, argv[optind - 1], error);
        int row = what >= LONG_BASE ? what - LONG_BASE : find_letter(what);
        if (cli_option_table[row].optional && optarg == NULL && optind < argc && is_picture(argv[optind]))
            optarg = argv[optind++];
        const cli_exit code = take(row, &found, optarg, &unfit, error);
        if (code != CLI_OK) return code;
    }
    found.words = argv;
    found.word_count = argc;
    found.files = argv + optind;
    found.file_count = argc - optind;
    complete(&found);
    cli_exit code = check_unfit(&found, unfit, error);
    if (code == CLI_OK && !found.help && !found.version) code = cli_settle_keyed(&found, error);
    if (code == CLI_OK && !found.help && !found.version) code = check_together(&found, error);
    if (code == CLI_OK && !found.help && !found.version) code = take_setting(&found, error);
    if (code == CLI_OK) *options = found;
    return code;
}

cli_exit cli_options_check_scope(const cli_options *options, int scope, const char *subcommand, cli_error *error) {
    for (int i = 0; i < cli_option_count; i++) {
        const cli_option *option = &cli_option_table[i];
        if (options->given[i] && !(option->scope & scope))
            return cli_fail(error, CLI_USAGE, "--%s: does not go with '%s'" SEE_HELP, option->name, subcommand);
    }
    if (options->exclusive && !options->scan && !(scope & CLI_SCOPE_SCAN))
        return cli_fail(error, CLI_USAGE, "--exclusive: is about scans: needs --scan");
    if (options->type_count > JR_INPUTS_MAX && !(scope & (CLI_SCOPE_BENCH | CLI_SCOPE_TUNE | CLI_SCOPE_PACK)))
        return cli_fail(error, CLI_USAGE, "--type: a list of more than %d types", JR_INPUTS_MAX);
    return CLI_OK;
}
