/* Parses the command line with getopt_long, from the option table. */
#include "options.h"

#include <getopt.h>
#include <string.h>

#include "settings.h"

#define SEE_HELP "; see 'jitreduce --help'"

enum { OPTIONS_LIMIT = 48, LONG_BASE = 1000 }; /* getopt_long returns LONG_BASE + row for a long option */

/* Both forms of getopt's description, made from the table. */
typedef struct descriptions {
    struct option longs[2 * OPTIONS_LIMIT + 1];
    char shorts[2 * OPTIONS_LIMIT + 2];
} descriptions;

static void describe(descriptions *all) {
    char *letter = all->shorts;
    struct option *row = all->longs;
    *letter++ = ':'; /* a missing argument is told from an unknown option */
    for (int i = 0; i < cli_option_count; i++) {
        const cli_option *option = &cli_option_table[i];
        int takes = option->argument ? required_argument : no_argument;
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

/* getopt's '?' and ':': names the option as it was typed. */
static cli_exit fail_option(int what, const char *typed, cli_error *error) {
    const char *wrong = what == ':' ? "needs a value" : "is no option, or takes no value";
    if (strncmp(typed, "--", 2) == 0) return cli_fail(error, CLI_USAGE, "%s: %s" SEE_HELP, typed, wrong);
    return cli_fail(error, CLI_USAGE, "-%c: %s" SEE_HELP, optopt, what == ':' ? wrong : "is no option");
}

/* What options say together. */
static cli_exit check_together(const cli_options *options, cli_error *error) {
    bool generated = options->random || options->iota;
    jr_type result;
    if (options->random && options->iota) return cli_fail(error, CLI_USAGE, "--random and --iota: give one of them");
    if ((options->given >> find_name("seed") & 1) && !options->random)
        return cli_fail(error, CLI_USAGE, "--seed: needs --random");
    if (generated && options->format != CLI_FORMAT_AUTO)
        return cli_fail(error, CLI_USAGE, "--format: says nothing about generated data");
    if (options->format == CLI_FORMAT_RAW && options->spec.type == JR_TYPE_NONE)
        return cli_fail(error, CLI_USAGE, "--raw: needs --type" SEE_HELP);
    if (options->column != 0 && (generated || options->format == CLI_FORMAT_RAW || options->format == CLI_FORMAT_NPY))
        return cli_fail(error, CLI_USAGE, "--column: is for text");
    if (options->spec.type != JR_TYPE_NONE && jr_result_type(options->spec.op, options->spec.type, &result) != JR_OK)
        return cli_fail(error, CLI_USAGE, "--op %s: %s", jr_op_name(options->spec.op), jr_last_error()->message);
    return CLI_OK;
}

/* The setting stands in for an option that was not given. */
static cli_exit take_setting(cli_options *options, cli_error *error) {
    const char *device = cli_settings_device();
    if (options->device != NULL) return CLI_OK;
    if (cli_option_table[find_name("device")].apply(options, device ? device : "auto", error) == CLI_OK) return CLI_OK;
    return cli_fail(error, CLI_USAGE, "JITREDUCE_DEVICE: '%s' is not one of auto cuda cuda:N sim", device);
}

cli_exit cli_options_parse(int argc, char **argv, cli_options *options, cli_error *error) {
    cli_options found = {.spec.op = JR_OP_SUM, .count = UINT64_MAX};
    descriptions all = {0};
    describe(&all);
    opterr = 0;
    optind = 0; /* glibc: begin anew */
    for (int what; (what = getopt_long(argc, argv, all.shorts, all.longs, NULL)) != -1;) {
        if (what == '?' || what == ':') return fail_option(what, argv[optind - 1], error);
        int row = what >= LONG_BASE ? what - LONG_BASE : find_letter(what);
        cli_exit code = cli_option_table[row].apply(&found, optarg, error);
        if (code != CLI_OK) return code;
        found.given |= UINT64_C(1) << row;
    }
    found.files = argv + optind;
    found.file_count = argc - optind;
    cli_exit code = found.help || found.version ? CLI_OK : check_together(&found, error);
    if (code == CLI_OK && !found.help && !found.version) code = take_setting(&found, error);
    if (code == CLI_OK) *options = found;
    return code;
}

cli_exit cli_options_check_scope(const cli_options *options, int scope, const char *subcommand, cli_error *error) {
    for (int i = 0; i < cli_option_count; i++) {
        const cli_option *option = &cli_option_table[i];
        if ((options->given >> i & 1) && !(option->scope & scope))
            return cli_fail(error, CLI_USAGE, "--%s: does not go with '%s'" SEE_HELP, option->name, subcommand);
    }
    return CLI_OK;
}
