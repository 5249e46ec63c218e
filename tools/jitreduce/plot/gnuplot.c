/* Runs gnuplot without a shell: the script is its standard input, a new file its standard output. */
#include "gnuplot.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "io/new_file.h"

static const struct {
    const char *end, *terminal;
} kinds[] = {{".svg", "svg noenhanced size %d,%d dynamic background 'white' font 'sans,13'"},
             {".png", "pngcairo noenhanced size %d,%d background 'white' font 'sans,11'"}};

/* The row of kinds, -1: none. */
static int kind_of(const char *path) {
    for (int i = 0; i < (int)(sizeof kinds / sizeof *kinds); i++) {
        const size_t length = strlen(path), end = strlen(kinds[i].end);
        if (length > end && strcmp(path + length - end, kinds[i].end) == 0) return i;
    }
    return -1;
}

void cli_gnuplot_terminal(const char *path, int width, int height, FILE *script) {
    fputs("set terminal ", script);
    fprintf(script, kinds[kind_of(path)].terminal, width, height); /* NOLINT: the table's own formats */
    fputs("\nset encoding utf8\n", script);
}

/* The errno of the spawn, or 0 with the exit code in *code. */
static int run(int in, int out, int err, int *code) {
    char name[] = "gnuplot", standard_input[] = "-";
    char *const words[] = {name, standard_input, NULL};
    posix_spawn_file_actions_t actions;
    pid_t child;
    int wait_status = 0, failure = posix_spawn_file_actions_init(&actions);
    if (failure != 0) return failure;
    failure = posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO);
    if (failure == 0) failure = posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
    if (failure == 0) failure = posix_spawn_file_actions_adddup2(&actions, err, STDERR_FILENO);
    if (failure == 0) failure = posix_spawnp(&child, name, &actions, NULL, words, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (failure != 0) return failure;
    while (waitpid(child, &wait_status, 0) < 0)
        if (errno != EINTR) return errno;
    *code = WIFEXITED(wait_status) ? WEXITSTATUS(wait_status) : 128;
    return 0;
}

/* The last line that gnuplot wrote on standard error, which has its reason. */
static void read_reason(FILE *log, char *reason, size_t bytes) {
    char line[256];
    rewind(log);
    while (fgets(line, sizeof line, log) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        if (line[strspn(line, " ^")] != '\0') snprintf(reason, bytes, "%s", line);
    }
}

/* Runs it with a script that was written to its end; out is a file number. */
static cli_exit draw(FILE *script, int out, cli_error *error) {
    char reason[256] = "it says nothing";
    int code = 0, failure = EIO;
    FILE *log = tmpfile();
    rewind(script);
    if (log != NULL) failure = run(fileno(script), out, fileno(log), &code);
    if (log != NULL && code != 0) read_reason(log, reason, sizeof reason);
    if (log != NULL) fclose(log);
    if (failure == ENOENT || code == 127)
        return cli_fail(error, CLI_FAILURE,
                        "--plot: there is no gnuplot: install it ('apt-get install gnuplot-nox'), or omit --plot");
    if (failure != 0) return cli_fail(error, CLI_FAILURE, "--plot: gnuplot cannot be started: %s", strerror(failure));
    if (code != 0) return cli_fail(error, CLI_FAILURE, "--plot: gnuplot failed: %s", reason);
    return CLI_OK;
}

static cli_exit check_gnuplot(cli_error *error) {
    const int out = open("/dev/null", O_WRONLY | O_CLOEXEC);
    FILE *script = tmpfile();
    cli_exit code = CLI_FAILURE;
    if (script != NULL && out >= 0)
        code = draw(script, out, error);
    else
        code = cli_fail(error, CLI_FAILURE, "--plot: no temporary file can be made: %s", strerror(errno));
    if (script != NULL) fclose(script);
    if (out >= 0) close(out);
    return code;
}

cli_exit cli_gnuplot_check_options(const cli_options *options, cli_error *error) {
    const char *path = options->bench.plot;
    if (path == NULL) return CLI_OK;
    if (kind_of(path) < 0) return cli_fail(error, CLI_USAGE, "--plot: '%s' does not end in .svg or .png", path);
    return check_gnuplot(error);
}

static cli_exit write_picture(FILE *script, const char *path, cli_error *error) {
    cli_new_file made;
    cli_exit code = cli_new_file_create("--plot", path, &made, error);
    if (code != CLI_OK) return code;
    code = draw(script, made.file, error);
    if (code == CLI_OK) return cli_new_file_finish(&made, 0, error);
    cli_new_file_drop(&made);
    return code;
}

cli_exit cli_gnuplot_draw(cli_gnuplot_print print, const void *user, const char *path, cli_error *error) {
    FILE *script = tmpfile();
    if (script == NULL)
        return cli_fail(error, CLI_FAILURE, "--plot: no temporary file can be made: %s", strerror(errno));
    print(user, path, script);
    cli_exit code = CLI_OK;
    if (fflush(script) != 0 || ferror(script))
        code = cli_fail(error, CLI_FAILURE, "--plot: the script cannot be written: %s", strerror(errno));
    if (code == CLI_OK) code = write_picture(script, path, error);
    fclose(script);
    return code;
}
