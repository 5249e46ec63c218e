/* jitreduce: the command. Goes from the command line to a subcommand, says what went wrong, and makes sure that the
 * output arrived. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fold/request.h"
#include "io/cli_device.h"
#include "io/cli_log.h"
#include "io/output.h"
#include "io/ranks.h"
#include "options/command.h"
#include "options/option_use.h"
#include "options/ready_made.h"
#include "options/slip.h"
#include "parse/option_parse.h"

/* A closed standard stream would give its number to the next file that is opened, a cache entry say, and what is
 * printed would land there. /dev/null takes it, opened so that what the stream is for fails: of a standard input that
 * is not there an empty input is not made. */
static void fill_closed_streams(void) {
    int file;
    do file = open("/dev/null", fcntl(STDIN_FILENO, F_GETFD) < 0 ? O_WRONLY : O_RDONLY);
    while (file >= 0 && file <= STDERR_FILENO);
    if (file >= 0) close(file);
}

/* Writes the subcommand that the first word names, and removes that word from the files; else reduce. */
static cli_exit find_command(cli_options *options, const cli_command **command, cli_error *error) {
    const char *word = options->file_count > 0 ? options->files[0] : "";
    const cli_command *found = cli_command_find(word);
    *command = found != NULL ? found : &cli_command_table[0];
    if (found != NULL) {
        options->files++;
        options->file_count--;
        return CLI_OK;
    }
    return cli_slip_command(options, word, error);
}

/* Elements that are given to bench are measured as compare does it, which is another name for --algorithm all. */
static cli_exit check_scope(cli_options *options, const cli_command **command, cli_error *error) {
    options->bench.given =
        (*command)->scope == CLI_SCOPE_BENCH && (options->file_count > 0 || options->random || options->iota);
    if (options->bench.given) *command = cli_command_find("compare");
    return cli_options_check_scope(options, (*command)->scope, (*command)->name, error);
}

/* --output and its form, where the command has that. */
static cli_exit check_output(cli_options *options, const cli_command *command, cli_error *error) {
    const int arrays = CLI_SCOPE_REDUCE | CLI_SCOPE_SCAN | CLI_SCOPE_APPLY;
    const int tables = arrays | CLI_SCOPE_COMPARE | CLI_SCOPE_BENCH;
    if (command->scope == CLI_SCOPE_RUN) {
        options->output = NULL; /* they are several, and arrays */
        return CLI_OK;
    }
    const cli_exit code = cli_output_settle(options, error);
    if (code != CLI_OK) return code;
    if (options->number_format != NULL && !(command->scope & arrays))
        return cli_fail(error, CLI_USAGE, "--format: '%s' is for what reduce and scan print, not for %s",
                        options->number_format, command->name);
    if (options->number_format != NULL && options->json)
        return cli_fail(error, CLI_USAGE, "--format: '%s' is no form of JSON, whose numbers --round rounds",
                        options->number_format);
    if (options->csv && !(command->scope & tables))
        return cli_fail(error, CLI_USAGE, "--output: '%s': %s writes no table: .json", options->output, command->name);
    if (options->tabs && !(command->scope & arrays))
        return cli_fail(error, CLI_USAGE, "--output: '%s': %s writes no tabs: .csv", options->output, command->name);
    if (options->csv && options->json) return cli_fail(error, CLI_USAGE, "--csv and --json: give one of them");
    if (options->bench.plots && options->bench.plot == NULL && (options->csv || options->json))
        return cli_fail(error, CLI_USAGE,
                        "--plot: the picture would be inside the %s: name a file, FILE.svg or FILE.png",
                        options->csv ? "CSV" : "JSON");
    if (cli_output_is_array(options) && !(command->scope & arrays))
        return cli_fail(error, CLI_USAGE, "--output: '%s': %s writes no array: %s.json", options->output, command->name,
                        command->scope & tables ? ".csv or " : "");
    return CLI_OK;
}

/* From here on the first rank alone prints. */
static cli_exit join_ranks(cli_ranks *ranks, cli_options *options, cli_error *error) {
    const cli_exit code = cli_ranks_begin(ranks, error);
    if (code != CLI_OK) return code;
    options->ranks = ranks;
    if (cli_ranks_first(ranks)) return CLI_OK;
    options->quiet = true;
    options->stats = false;
    return CLI_OK;
}

/* What is wrong with a command line the first rank says, too. */
static cli_exit tell_once(char **argv, cli_ranks *ranks, cli_exit code) {
    static cli_error unused;
    for (; *argv != NULL && ranks->mpi == NULL; argv++)
        if (strcmp(*argv, "--mpi") == 0 && cli_ranks_begin(ranks, &unused) != CLI_OK) break;
    return code;
}

/* Finds the subcommand and runs it. */
static cli_exit run_parsed(const cli_options *parsed, cli_error *error) {
    cli_options options = *parsed;
    const cli_command *command;
    cli_output output;
    options.help |= options.word_count == 1 && isatty(STDIN_FILENO); /* nobody who types the name alone has input */
    if (options.help) return cli_help_run(&options, error);
    if (options.version) return cli_version_run(&options, error);
    cli_exit code = cli_log_begin(&options, error);
    if (code == CLI_OK) code = find_command(&options, &command, error);
    if (code != CLI_OK) return code;
    const int data = CLI_SCOPE_REDUCE | CLI_SCOPE_SCAN | CLI_SCOPE_COMPARE | CLI_SCOPE_TRACE | CLI_SCOPE_APPLY;
    const bool makes_pack = command->scope == CLI_SCOPE_PACK; /* its output is no text */
    code = check_scope(&options, &command, error);
    if (code == CLI_OK && command->scope == CLI_SCOPE_APPLY) code = cli_ready_settle(&options, error);
    if (code != CLI_OK) return code;
    if (command->scope != CLI_SCOPE_ALL && (command->scope & data)) code = cli_slip_files(&options, error);
    if (code == CLI_OK && !makes_pack) code = check_output(&options, command, error);
    if (code == CLI_OK) code = cli_device_check(&options, command->scope, command->name, error);
    if (code != CLI_OK) return code;
    if (!command->files && options.file_count > 0)
        return cli_fail(error, CLI_USAGE, "%s: takes no file, but '%s' was given", command->name, options.files[0]);
    if (!options.many) code = cli_options_check_use(&options, command->scope, error);
    if (code == CLI_OK) code = cli_structure_measure(&options.structure, error);
    if (code == CLI_OK && command->scope != CLI_SCOPE_ALL && command->scope != CLI_SCOPE_DOCTOR &&
        command->scope != CLI_SCOPE_BENCH && command->scope != CLI_SCOPE_TUNE &&
        !(command->scope & (CLI_SCOPE_RUN | CLI_SCOPE_REPLAY)) && command->scope != CLI_SCOPE_PACK &&
        !options.many) /* whose works are many requests, or none */
        code = cli_request_check(&options, error);
    if (code == CLI_OK && !options.many) code = cli_options_check_names(&options, error);
    if (code == CLI_OK && makes_pack) return command->run(&options, error);
    if (code == CLI_OK) code = cli_output_begin(&options, &output, error);
    if (code != CLI_OK) return code;
    return cli_output_end(&output, command->run(&options, error), error);
}

/* Parses the command line and runs the subcommand. Prints nothing on failure: *error says why. */
static cli_exit run_command(int argc, char **argv, cli_ranks *ranks, cli_error *error) {
    cli_options options;
    cli_exit code = cli_options_parse(argc, argv, &options, error);
    if (code != CLI_OK) return tell_once(argv, ranks, code);
    if (options.mpi) code = join_ranks(ranks, &options, error);
    code = code == CLI_OK ? run_parsed(&options, error) : tell_once(argv, ranks, code);
    free(options.named);
    return code;
}

/* Ends the command like any program whose reader has gone: 141 in a shell, which `set -o pipefail` distinguishes from a
 * failure. Returns if the parent process ignores that signal. */
static void end_by_pipe(void (*before)(int)) {
    if (before != SIG_DFL) return;
    signal(SIGPIPE, SIG_DFL);
    raise(SIGPIPE);
}

int main(int argc, char **argv) {
    enum { PRINTED_BYTES = 1 << 16 }; /* a pipe's; by default a write has 4096 bytes */
    char printed[PRINTED_BYTES];
    cli_error error;
    cli_ranks ranks = {.mpi = NULL};
    fill_closed_streams();
    if (!isatty(STDOUT_FILENO)) setvbuf(stdout, printed, _IOFBF, sizeof printed);
    void (*before)(int) = signal(SIGPIPE, SIG_IGN); /* a reader that went away is a failed write, */
    signal(SIGXFSZ, SIG_IGN);                       /* and so is a file that may not be so large */
    cli_exit code = run_command(argc, argv, &ranks, &error);
    code = cli_ranks_agree(&ranks, code, &error);
    if (code != CLI_OK && (cli_ranks_first(&ranks) || ranks.lost)) cli_error_print(&error);
    bool failed = ferror(stdout) != 0, gone = false;
    if (fclose(stdout) != 0 || failed) {
        /* A reader that went away (`| head`) knows it: the exit code is enough. */
        gone = errno == EPIPE;
        if (!gone) fprintf(stderr, "jitreduce: standard output: cannot be written: %s\n", strerror(errno));
        if (code == CLI_OK) code = CLI_FAILURE;
    }
    cli_ranks_end(&ranks, code);
    if (gone) end_by_pipe(before);
    return (int)code;
}
