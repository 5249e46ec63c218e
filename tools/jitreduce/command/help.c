/* Help, written from the tables, so that it cannot say less than the command does: a page, of one command, all of it;
 * and the version. */
#include <stdio.h>
#include <string.h>

#include "base/cli_settings.h"
#include "base/suggest.h"
#include "help_text.h"
#include "help_topic.h"
#include "options/cli_options.h"
#include "options/option_removed.h"

enum { COLUMN = 26, PAGE_COLUMN = 25, PAGE_WIDTH = 80 };

/* Finds the option of "--where", "where" or "-k"; NULL: no such option. */
static const cli_option *find_option(const char *word) {
    const bool is_long = strncmp(word, "--", 2) == 0, is_letter = !is_long && word[0] == '-';
    const char *name = is_long ? word + 2 : word;
    for (int i = 0; i < cli_option_count(); i++) {
        const cli_option *option = cli_option_row(i);
        if (is_letter ? option->letter == word[1] && word[1] != '\0' && word[2] == '\0'
                      : strcmp(option->name, name) == 0)
            return option;
    }
    return NULL;
}

/* Prints what the option does, and the commands that take it. */
static void print_option(const cli_option *option) {
    char left[CLI_LEFT_BYTES];
    const char *between = "";
    cli_help_row(cli_option_left(option, left), option->help, COLUMN, CLI_HELP_WIDTH);
    printf("\nCommands: ");
    for (int i = 0; i < cli_command_count; i++) {
        const cli_command *command = &cli_command_table[i];
        if (command->scope == CLI_SCOPE_ALL || !cli_option_goes_with(option, command)) continue;
        printf("%s%s", between, command->name);
        between = ", ";
    }
    putchar('\n');
}

static const char usage[] = "usage: jitreduce [reduce] [OPTION...] [FILE...]\n"
                            "       jitreduce COMMAND [OPTION...]\n";

static const char page_examples[] = "Examples\n"
                                    "  seq 1 1000000 | jitreduce --op sum         500000500000\n"
                                    "  jitreduce --op min,max,mean data.npy       three values from one pass\n"
                                    "  jitreduce --column price --op mean t.csv   a column of a table\n"
                                    "  jitreduce --column price --group-by city --where 'x > 0' --op mean t.csv\n"
                                    "  jitreduce --map 'x * x' --where 'x > 0' data.npy\n"
                                    "  jitreduce --axis 0 -o sums.npy data.npy    sums of columns, into a file\n";

static const char page_end[] = "\n"
                               "More\n"
                               "  jitreduce help COMMAND    what a command does, and all its options\n"
                               "  jitreduce help TOPIC      expressions, operators, formats, settings, --where\n"
                               "  jitreduce help all        everything: options, formats, settings, exit codes\n"
                               "  man jitreduce             the same, where it is installed\n";

static void print_commands(int column, int width) {
    printf("\nCommands\n");
    for (int i = 0; i < cli_command_count; i++)
        cli_help_row(cli_command_table[i].name, cli_command_table[i].help, column, width);
}

static void print_page(void) {
    char left[CLI_LEFT_BYTES];
    printf("%s\n%s\n%s", cli_help_head, usage, page_examples);
    printf("\nCommands\n");
    for (int i = 0; i < cli_command_count; i++)
        cli_help_row(cli_command_table[i].name, cli_command_table[i].help, 11, PAGE_WIDTH);
    printf("\nCommon options\n");
    for (int i = 0; i < cli_option_count(); i++) {
        const cli_option *option = cli_option_row(i);
        if (option->brief != NULL) cli_help_row(cli_option_left(option, left), option->brief, PAGE_COLUMN, PAGE_WIDTH);
    }
    fputs(page_end, stdout);
}

/* The options of a command (NULL: all), each group below its heading. */
static void print_options(const cli_command *command) {
    const char *heading = NULL;
    char left[CLI_LEFT_BYTES], text[CLI_TEXT_BYTES];
    for (int i = 0; i < cli_option_count(); i++) {
        const cli_option *option = cli_option_row(i);
        if (option->heading != NULL) heading = option->heading;
        if (!cli_option_goes_with(option, command)) continue;
        if (heading != NULL) printf("\n%s\n", heading);
        heading = NULL;
        cli_help_row(cli_option_left(option, left), cli_option_help(option, command, text), COLUMN, CLI_HELP_WIDTH);
    }
}

static void print_command(const cli_command *command) {
    printf("jitreduce %s: %s\n", command->name, command->help);
    if (command->run != cli_help_run) printf("\nusage: jitreduce %s %s\n", command->name, command->arguments);
    if (command->about != NULL) printf("\n%s", command->about);
    if (command->scope != CLI_SCOPE_ALL) print_options(command);
    if (command->files && command->scope != CLI_SCOPE_ALL && !(command->scope & (CLI_SCOPE_RUN | CLI_SCOPE_REPLAY)))
        printf("\n%s", cli_help_inputs);
}

static void print_settings(void) {
    printf("Exit codes\n");
#define EXIT_ROW(name, number, text) printf("  %d  %s\n", number, text);
    CLI_EXITS(EXIT_ROW)
#undef EXIT_ROW
    printf("\nSettings (environment variables)\n");
    cli_settings_print(stdout, 0);
}

static void print_all(void) {
    printf("%s\n%s", cli_help_head, usage);
    print_commands(COLUMN, CLI_HELP_WIDTH);
    print_options(NULL);
    printf("\n%s", cli_help_inputs);
    for (int i = 0; i < cli_command_count; i++) {
        const cli_command *command = &cli_command_table[i];
        if (command->about != NULL) printf("\n%s: %s", command->name, command->about);
    }
    for (int i = 0; i < cli_topic_count; i++) {
        printf("\nHelp on %s\n", cli_topic_table[i].name);
        cli_topic_table[i].print(stdout);
    }
    printf("\n");
    print_settings();
}

static void print_topic_page(const cli_topic *topic) {
    printf("jitreduce help %s: %s\n\n", topic->name, topic->help);
    topic->print(stdout);
}

/* Words that are neither a topic nor an option, and what has the answer. */
static const char *const elsewhere[][2] = {
    {"sim", "device"},        {"simulator", "device"},     {"gpu", "device"},     {"cuda", "device"},
    {"devices", "device"},    {"cache", "settings"},       {"nvrtc", "settings"}, {"wisdom", "settings"},
    {"packs", "settings"},    {"precision", "accuracy"},   {"nans", "nan"},       {"group", "group-by"},
    {"groups", "group-by"},   {"select", "where"},         {"filter", "where"},   {"median", "operators"},
    {"average", "operators"}, {"function", "expressions"},

};

static const char *find_elsewhere(const char *word) {
    const char *name = word + 2 * (strncmp(word, "--", 2) == 0);
    for (size_t i = 0; i < sizeof elsewhere / sizeof *elsewhere; i++)
        if (strcmp(elsewhere[i][0], name) == 0) return elsewhere[i][1];
    return word;
}

static bool asks_of_settings(const char *word) {
    static const char *const words[] = {"settings", "environment", "env",   "variables",
                                        "exit",     "codes",       "exits", "status"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(words[i], word) == 0) return true;
    return strncmp(word, "JITREDUCE_", 10) == 0 || strncmp(word, "JRSIM_", 6) == 0;
}

/* Prints help without a page of its own: exit codes and settings, examples, one operator. False: the word names no such
 * help. */
static bool print_other(const char *word) {
    if (asks_of_settings(word)) {
        print_settings();
    } else if (strcmp(word, "examples") == 0 || strcmp(word, "example") == 0) {
        fputs(page_examples, stdout);
        printf("\n'jitreduce help expressions', operators, formats and 'jitreduce help COMMAND' have more.\n");
    } else if (strcmp(word, "topics") == 0) {
        for (int i = 0; i < cli_topic_count; i++)
            cli_help_row(cli_topic_table[i].name, cli_topic_table[i].help, COLUMN, CLI_HELP_WIDTH);
        cli_help_row("settings", "environment variables, and exit codes", COLUMN, CLI_HELP_WIDTH);
    } else if (cli_topic_print_operator(stdout, word)) {
        printf("\n'jitreduce help operators' explains the columns.\n");
    } else {
        return false;
    }
    return true;
}

static cli_exit fail_topic(const char *topic, cli_error *error) {
    const bool option = strncmp(topic, "--", 2) == 0;
    cli_nearest nearest = {.typed = topic + (option ? 2 : 0)};
    char hint[CLI_HINT_BYTES];
    if (cli_check_removed(nearest.typed, error) != CLI_OK) return CLI_USAGE;
    for (int i = 0; !option && i < cli_command_count; i++)
        cli_nearest_offer(&nearest, cli_command_table[i].name, strlen(cli_command_table[i].name));
    for (int i = 0; !option && i < cli_topic_count; i++)
        cli_nearest_offer(&nearest, cli_topic_table[i].name, strlen(cli_topic_table[i].name));
    for (int i = 0; i < cli_option_count(); i++)
        cli_nearest_offer(&nearest, cli_option_row(i)->name, strlen(cli_option_row(i)->name));
    return cli_fail(error, CLI_USAGE,
                    "help: '%s' is neither a command nor an option, nor one of expressions operators formats settings "
                    "all man bash zsh fish%s",
                    topic, cli_nearest_hint(&nearest, option ? "--" : "", hint));
}

/* A manual page: of a command, of a topic, or (NULL) of all. */
static cli_exit print_man(const char *name, cli_error *error) {
    const cli_command *command = name != NULL ? cli_command_find(name) : NULL;
    const cli_topic *topic = name != NULL ? cli_topic_find(name) : NULL;
    if (topic != NULL) return cli_help_man_topic(topic, error);
    if (name != NULL && command == NULL) return fail_topic(name, error);
    cli_help_man(command);
    return CLI_OK;
}

static cli_exit print_topic(const cli_options *options, cli_error *error) {
    const char *typed = options->files[0];
    const char *topic = find_option(typed) != NULL || cli_topic_find(typed) != NULL ? typed : find_elsewhere(typed);
    const char *second = options->file_count > 1 ? options->files[1] : NULL;
    const cli_command *command = cli_command_find(topic);
    const cli_topic *page = cli_topic_find(topic);
    if (strcmp(topic, "man") == 0) return print_man(second, error);
    if (command != NULL)
        print_command(command);
    else if (page != NULL)
        print_topic_page(page);
    else if (strcmp(topic, "all") == 0)
        print_all();
    else if (strcmp(topic, "bash") == 0 || strcmp(topic, "zsh") == 0 || strcmp(topic, "fish") == 0)
        cli_help_completion(topic);
    else if (find_option(topic) != NULL)
        print_option(find_option(topic));
    else if (!print_other(topic))
        return fail_topic(topic, error);
    return CLI_OK;
}

/* Of `jitreduce help TOPIC`; or of --help, where files may stand on the command line and the command before them. */
cli_exit cli_help_run(const cli_options *options, cli_error *error) {
    const bool has_topic = options->file_count > 0;
    if (!options->help && has_topic) return print_topic(options, error);
    const cli_command *command = has_topic ? cli_command_find(options->files[0]) : NULL;
    if (command != NULL && command->run == cli_help_run && options->file_count == 1) command = NULL;
    const bool known =
        has_topic && (cli_topic_find(options->files[0]) != NULL || find_option(options->files[0]) != NULL);
    if (command == NULL && known && options->file_count == 1) return print_topic(options, error);
    if (command != NULL)
        print_command(command);
    else
        print_page();
    return CLI_OK;
}

cli_exit cli_version_run(const cli_options *options, cli_error *error) {
    (void)options, (void)error;
    printf("jitreduce %s\n", jr_version());
    return CLI_OK;
}
