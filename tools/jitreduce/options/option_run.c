/* Takes from the command line what a kernel of the caller's is run with. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/suggest.h"
#include "option_take.h"

cli_exit cli_take_define(const cli_option *option, cli_options *options, const char *argument, cli_error *error) {
    cli_run_options *run = &options->run;
    const char *equals = strchr(argument, '=');
    const size_t bytes = equals ? (size_t)(equals - argument) : strlen(argument);
    if (run->define_count == CLI_DEFINES_MAX)
        return cli_fail(error, CLI_USAGE, "--%s: more than %d of them", option->name, CLI_DEFINES_MAX);
    cli_define *define = &run->defines[run->define_count];
    if (bytes == 0 || bytes >= sizeof define->name)
        return cli_fail(error, CLI_USAGE,
                        "--%s: '%.100s' does not begin with a name of 1 to %zu characters: NAME=V" SEE_HELP,
                        option->name, argument, sizeof define->name - 1);
    memcpy(define->name, argument, bytes);
    define->name[bytes] = '\0';
    define->text = equals ? equals + 1 : "1";
    for (size_t i = 0; i < run->define_count; i++)
        if (strcmp(run->defines[i].name, define->name) == 0)
            return cli_fail(error, CLI_USAGE, "--%s: %s is given twice, as %s and as %s: give one of them",
                            option->name, define->name, run->defines[i].text, define->text);
    run->define_count++;
    return CLI_OK;
}

/* "2", "2x2" or "2x2x1": sizes from 1 to 65535 */
static bool read_cluster(char *text, unsigned cluster[3]) {
    unsigned sizes[3] = {1, 1, 1};
    int count = 0;
    char *rest = text;
    for (const char *size; (size = strsep(&rest, "x")) != NULL; count++) {
        int32_t number;
        if (count == 3 || cli_number_parse(JR_I32, size, size + strlen(size), &number) != CLI_NUMBER_OK) return false;
        if (number < 1 || number > UINT16_MAX) return false;
        sizes[count] = (unsigned)number;
    }
    memcpy(cluster, sizes, sizeof sizes);
    return true;
}

static bool take_launch_word(cli_run_options *run, char *word) {
    if (strcmp(word, "cooperative") == 0) return run->cooperative = true;
    char *value = strchr(word, '=');
    if (value == NULL) return false;
    *value++ = '\0';
    int32_t number;
    if (strcmp(word, "cluster") == 0) return read_cluster(value, run->cluster);
    if (strcmp(word, "priority") != 0) return false;
    if (cli_number_parse(JR_I32, value, value + strlen(value), &number) != CLI_NUMBER_OK) return false;
    run->priority = number;
    return true;
}

/* "cooperative,cluster=2x2,priority=-1" */
cli_exit cli_take_launch(const cli_option *option, cli_options *options, const char *argument, cli_error *error) {
    char words[128], typed[sizeof words], *rest = words;
    if ((size_t)snprintf(words, sizeof words, "%s", argument) >= sizeof words)
        return cli_fail(error, CLI_USAGE, "--%s: '%.100s...' is too long", option->name, argument);
    for (char *word; (word = strsep(&rest, ",")) != NULL;) {
        memcpy(typed, word, strlen(word) + 1);
        if (!take_launch_word(&options->run, word))
            return cli_fail(error, CLI_USAGE,
                            "--%s: '%s' is not one of cooperative, cluster=X[xY[xZ]], priority=N" SEE_HELP,
                            option->name, typed);
    }
    return CLI_OK;
}

/* "BLOCK=32..1024*2" */
cli_exit cli_take_tuned(const cli_option *option, cli_options *options, const char *argument, cli_error *error) {
    cli_run_options *run = &options->run;
    const char *equals = strchr(argument, '=');
    const size_t bytes = equals != NULL ? (size_t)(equals - argument) : 0;
    if (run->tuned_count == JR_TUNABLE_PARAMETERS_MAX)
        return cli_fail(error, CLI_USAGE, "--%s: more than %d of them", option->name, JR_TUNABLE_PARAMETERS_MAX);
    cli_tuned *tuned = &run->tuned[run->tuned_count];
    if (bytes == 0 || bytes >= sizeof tuned->name)
        return cli_fail(error, CLI_USAGE,
                        "--%s: '%.100s' is not NAME=VALUES like BLOCK=32..1024*2 or UF=1,2,4" SEE_HELP, option->name,
                        argument);
    memcpy(tuned->name, argument, bytes);
    tuned->name[bytes] = '\0';
    tuned->values = equals + 1;
    for (size_t i = 0; i < run->tuned_count; i++)
        if (strcmp(run->tuned[i].name, tuned->name) == 0)
            return cli_fail(error, CLI_USAGE, "--%s: %s is given twice, as %s and as %s: give one of them",
                            option->name, tuned->name, run->tuned[i].values, tuned->values);
    snprintf(tuned->first, sizeof tuned->first, "%lld", strtoll(tuned->values, NULL, 0));
    run->tuned_count++;
    return CLI_OK;
}

/* One more text of a list. */
static cli_exit append(const cli_option *option, const char **list, size_t *count, const char *text, cli_error *error) {
    if (*count == CLI_ARGUMENTS_MAX)
        return cli_fail(error, CLI_USAGE, "--%s: more than %d of them", option->name, CLI_ARGUMENTS_MAX);
    list[(*count)++] = text;
    return CLI_OK;
}

cli_exit cli_take_include(const cli_option *option, cli_options *options, const char *argument, cli_error *error) {
    cli_run_options *run = &options->run;
    if (run->folder_count == CLI_FOLDERS_MAX)
        return cli_fail(error, CLI_USAGE, "--%s: more than %d of them", option->name, CLI_FOLDERS_MAX);
    run->folders[run->folder_count++] = argument;
    return CLI_OK;
}

cli_exit cli_take_nvrtc_option(const cli_option *option, cli_options *options, const char *argument, cli_error *error) {
    if (argument[0] != '-')
        return cli_fail(error, CLI_USAGE, "--%s: '%s' does not begin with '-', as --%s=-std=c++20" SEE_HELP,
                        option->name, argument, option->name);
    return append(option, options->run.nvrtc_options, &options->run.nvrtc_option_count, argument, error);
}

cli_exit cli_take_argument(const cli_option *option, cli_options *options, const char *argument, cli_error *error) {
    return append(option, options->run.arguments, &options->run.argument_count, argument, error);
}

cli_exit cli_take_output(const cli_option *option, cli_options *options, const char *argument, cli_error *error) {
    options->output = argument;
    return append(option, options->run.outputs, &options->run.output_count, argument, error);
}
