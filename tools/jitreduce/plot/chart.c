/* Draws bars by eighths of a character, or has gnuplot draw them as boxes. */
#include "chart.h"

#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/cli_settings.h"
#include "gnuplot.h"

enum { LABEL_MAX = 40, NUMBER_WIDTH = 9, COLUMNS = 80, COLUMNS_MAX = 200, BAR_MIN = 10 };

/* ---- in a terminal ---- */

static int terminal_columns(void) {
    struct winsize size;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return COLUMNS;
    return size.ws_col < COLUMNS_MAX ? size.ws_col : COLUMNS_MAX;
}

/* Prints a number in the panel's unit: four digits, or all digits before the point. */
static void print_number(double value, FILE *out) {
    fprintf(out, value >= 1000 ? " %*.0f" : " %*.4g", NUMBER_WIDTH, value);
}

/* U+2588 is a whole character, U+258F to U+2589 are one to seven eighths of one, from the left. */
static void print_bar(const cli_chart *chart, double value) {
    if (value == 0) return;
    const double length = value / chart->most * chart->bar_width;
    if (!chart->blocks) {
        int whole = (int)(length + 0.5);
        for (whole = whole > 0 ? whole : 1; whole > 0; whole--) putc('#', chart->out);
        return;
    }
    int eighths = (int)(length * 8 + 0.5);
    for (eighths = eighths > 0 ? eighths : 1; eighths >= 8; eighths -= 8) fputs("\xe2\x96\x88", chart->out);
    if (eighths > 0) fprintf(chart->out, "\xe2\x96%c", 0x90 - eighths);
}

/* ---- for gnuplot ---- */

/* A label in a data block: in double quotes, which it must not have itself. */
static void print_label(const char *label, FILE *script) {
    putc('"', script);
    for (; *label != '\0'; label++) putc((unsigned char)*label < ' ' || strchr("\"\\", *label) ? '?' : *label, script);
    putc('"', script);
}

static void print_text(const char *text, FILE *script) {
    putc('\'', script);
    for (; *text != '\0'; text++)
        if (*text == '\'')
            fputs("''", script);
        else
            putc((unsigned char)*text < ' ' ? '?' : *text, script);
    putc('\'', script);
}

static void print_script(const void *user, const char *path, FILE *script) {
    const cli_chart_picture *picture = user;
    enum { WIDTH = 900, BAR_HEIGHT = 26, HEAD_HEIGHT = 70 };
    cli_chart chart = {.out = script, .script = true};
    char text[CLI_CHART_TEXT_BYTES];
    int bars = 0;
    for (int i = 0; i < picture->panel_count; i++) {
        chart.label_width = 0; /* counts the bars */
        fprintf(script, "$p%d << END\n", i);
        picture->bars(picture->user, i, &chart);
        fputs("END\n", script);
        bars += chart.label_width;
    }
    cli_gnuplot_terminal(path, WIDTH, bars * BAR_HEIGHT + picture->panel_count * HEAD_HEIGHT, script);
    fputs("set style fill solid 0.7\nset grid x\nset xrange [0:*]\nset lmargin 36\n", script);
    fprintf(script, "set multiplot layout %d,1\n", picture->panel_count);
    for (int i = 0; i < picture->panel_count; i++) {
        picture->title(picture->user, i, text);
        fputs("set title ", script);
        print_text(text, script);
        fprintf(
            script,
            "\nset yrange [|$p%d|:-1] noreverse\nif (|$p%d| > 0) plot $p%d using (0.5*$2):0:(0.5*$2):(0.35):ytic(1) "
            "with boxxyerror notitle\n",
            i, i, i);
    }
    fputs("unset multiplot\n", script);
}

/* ---- both ---- */

void cli_chart_bar(cli_chart *chart, const char *label, double value) {
    const int width = (int)strlen(label) < LABEL_MAX ? (int)strlen(label) : LABEL_MAX;
    if (!(value >= 0)) return;
    if (chart->script) {
        chart->label_width++;
        print_label(label, chart->out);
        fprintf(chart->out, " %.6g\n", value);
    } else if (chart->looks) {
        if (chart->label_width < width) chart->label_width = width;
        if (chart->most < value) chart->most = value;
    } else {
        fprintf(chart->out, "%-*.*s", chart->label_width, LABEL_MAX, label);
        print_number(value, chart->out);
        fputs("  ", chart->out);
        print_bar(chart, value);
        putc('\n', chart->out);
    }
}

void cli_chart_draw(const cli_chart_picture *picture) {
    const int columns = terminal_columns();
    const bool blocks = !cli_settings_plain_terminal() && cli_settings_utf8();
    for (int i = 0; i < picture->panel_count; i++) {
        cli_chart chart = {.out = stdout, .looks = true, .blocks = blocks};
        char text[CLI_CHART_TEXT_BYTES];
        picture->bars(picture->user, i, &chart);
        if (!(chart.most > 0)) continue;
        chart.looks = false;
        chart.bar_width = columns - chart.label_width - NUMBER_WIDTH - 4;
        if (chart.bar_width < BAR_MIN) chart.bar_width = BAR_MIN;
        picture->title(picture->user, i, text);
        printf("\n%s\n", text);
        picture->bars(picture->user, i, &chart);
    }
}

cli_exit cli_chart_write(const cli_chart_picture *picture, const char *path, cli_error *error) {
    return cli_gnuplot_draw(print_script, picture, path, error);
}
