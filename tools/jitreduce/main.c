/* jitreduce: the command. Goes from the command line to a subcommand, says what went wrong, and makes sure that the
 * output arrived. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "request.h"

/* A closed standard stream would give its number to the next file that is opened, a cache entry say, and what is
 * printed would land there. Reading from /dev/null ends at once, and writing to it, opened for reading, fails. */
static void fill_closed_streams(void) {
    int file;
    do file = open("/dev/null", O_RDONLY);
    while (file >= 0 && file <= STDERR_FILENO);
    if (file >= 0) close(file);
}

/* The subcommand that the first word names, and takes that word off the files; else reduce. */
static const cli_command *find_command(cli_options *options) {
    for (int i = 0; options->file_count > 0 && i < cli_command_count; i++) {
        if (strcmp(cli_command_table[i].name, options->files[0]) != 0) continue;
        options->files++;
        options->file_count--;
        return &cli_command_table[i];
    }
    return &cli_command_table[0];
}

/* Parses the command line, finds the subcommand and runs it. Prints nothing on failure: *error says why. */
static cli_exit run_command(int argc, char **argv, cli_error *error) {
    cli_options options;
    cli_exit code = cli_options_parse(argc, argv, &options, error);
    if (code != CLI_OK) return code;
    if (options.help) return cli_help_run(&options, error);
    if (options.version) return cli_version_run(&options, error);
    const cli_command *command = find_command(&options);
    code = cli_options_check_scope(&options, command->scope, command->name, error);
    if (code != CLI_OK) return code;
    if (!command->files && options.file_count > 0)
        return cli_fail(error, CLI_USAGE, "%s: takes no file, but '%s' was given", command->name, options.files[0]);
    if (command->scope != CLI_SCOPE_ALL && command->scope != CLI_SCOPE_DOCTOR && command->scope != CLI_SCOPE_BENCH &&
        command->scope != CLI_SCOPE_TUNE) /* whose works are many requests */
        code = cli_request_check(&options, error);
    return code == CLI_OK ? command->run(&options, error) : code;
}

int main(int argc, char **argv) {
    cli_error error;
    fill_closed_streams();
    signal(SIGPIPE, SIG_IGN); /* a reader that went away is a failed write */
    cli_exit code = run_command(argc, argv, &error);
    if (code != CLI_OK) cli_error_print(&error);
    bool failed = ferror(stdout) != 0;
    if (fclose(stdout) != 0 || failed) {
        /* A reader that went away (`| head`) knows it: the exit code is enough. */
        if (errno != EPIPE) fprintf(stderr, "jitreduce: standard output: cannot be written: %s\n", strerror(errno));
        if (code == CLI_OK) code = CLI_FAILURE;
    }
    return (int)code;
}
