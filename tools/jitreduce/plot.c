/* Begins and ends scripts for gnuplot. */
#include "plot.h"

#include <errno.h>
#include <string.h>

#include "gnuplot.h"

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

cli_exit cli_plot_check(const char *path, cli_error *error) {
    if (kind_of(path) < 0) return cli_fail(error, CLI_USAGE, "--plot: '%s' does not end in .svg or .png", path);
    return cli_gnuplot_check(error);
}

/* Control characters have no place in a text. */
void cli_plot_text(const char *text, FILE *script) {
    fputc('\'', script);
    for (; *text != '\0'; text++)
        if (*text == '\'')
            fputs("''", script);
        else
            fputc((unsigned char)*text < ' ' ? '?' : *text, script);
    fputc('\'', script);
}

FILE *cli_plot_begin(const char *path, int width, int height, cli_error *error) {
    FILE *script = tmpfile();
    if (script == NULL) {
        cli_error_set(error, "--plot: no temporary file can be made: %s", strerror(errno));
        return NULL;
    }
    fputs("set terminal ", script);
    fprintf(script, kinds[kind_of(path)].terminal, width, height); /* NOLINT: the table's own formats */
    fputs("\nset encoding utf8\nset grid\n", script);
    return script;
}

cli_exit cli_plot_end(FILE *script, const char *path, cli_error *error) {
    cli_exit code = CLI_OK;
    if (fflush(script) != 0 || ferror(script))
        code = cli_fail(error, CLI_FAILURE, "--plot: the script cannot be written: %s", strerror(errno));
    if (code == CLI_OK) code = cli_gnuplot_run(script, path, error);
    fclose(script);
    return code;
}
