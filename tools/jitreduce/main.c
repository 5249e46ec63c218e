/* jitreduce: the command. Runs a subcommand, says what went wrong, and makes sure that the output arrived. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "command.h"

/* A closed standard stream would give its number to the next file that is opened, a cache entry say, and what is
 * printed would land there. Reading from /dev/null ends at once, and writing to it, opened for reading, fails. */
static void fill_closed_streams(void) {
    int file;
    do file = open("/dev/null", O_RDONLY);
    while (file >= 0 && file <= STDERR_FILENO);
    if (file >= 0) close(file);
}

int main(int argc, char **argv) {
    cli_error error;
    fill_closed_streams();
    signal(SIGPIPE, SIG_IGN); /* a reader that went away is a failed write */
    cli_exit code = cli_command_run(argc, argv, &error);
    if (code != CLI_OK) cli_error_print(&error);
    bool failed = ferror(stdout) != 0;
    if (fclose(stdout) != 0 || failed) {
        /* A reader that went away (`| head`) knows it: the exit code is enough. */
        if (errno != EPIPE) fprintf(stderr, "jitreduce: standard output: cannot be written: %s\n", strerror(errno));
        if (code == CLI_OK) code = CLI_FAILURE;
    }
    return (int)code;
}
