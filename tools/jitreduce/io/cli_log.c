/* Prints the library's log. */
#include "cli_log.h"

#include <stdio.h>
#include <string.h>

#include <jitreduce.h>

#include "base/cli_settings.h"

static const char *const names[] = {
    [JR_LOG_DEBUG] = "debug", [JR_LOG_INFO] = "info", [JR_LOG_WARNING] = "warning", [JR_LOG_ERROR] = "error"};
enum { LEVELS = sizeof names / sizeof *names };

/* user: the place in `names` of the lowest level. */
static void print_line(void *user, jr_log_level level, const char *line) {
    const char *const *lowest = user;
    if ((int)level >= (int)(lowest - names) && (int)level < LEVELS)
        fprintf(stderr, "jitreduce: %s: %s\n", names[level], line);
}

/* Errors are printed by the command itself. */
static void print_note(void *user, jr_log_level level, const char *line) {
    (void)user;
    if (level == JR_LOG_WARNING) fprintf(stderr, "jitreduce: note: %s\n", line);
}

bool cli_log_prints_warnings(const cli_options *options) {
    const char *wanted = cli_settings_log();
    if (wanted == NULL) return (options->stats && !options->quiet) || options->run.watch || cli_settings_records();
    return strcmp(wanted, names[JR_LOG_ERROR]) != 0;
}

cli_exit cli_log_begin(const cli_options *options, cli_error *error) {
    const char *wanted = cli_settings_log();
    if (wanted == NULL) {
        if (cli_log_prints_warnings(options)) jr_log_set(print_note, NULL);
        return CLI_OK;
    }
    for (int level = 0; level < LEVELS; level++) {
        if (strcmp(wanted, names[level]) != 0) continue;
        jr_log_set(print_line, (void *)&names[level]);
        return CLI_OK;
    }
    return cli_fail(error, CLI_USAGE, "JITREDUCE_LOG: '%s' is not one of error warning info debug", wanted);
}
