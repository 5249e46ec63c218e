/* The table that compare prints: columns are as wide as their content. */
#include "comparison.h"

#include <math.h>
#include <string.h>

#include "io/data.h"

enum { COLUMNS_MAX = 11, CELL_BYTES = 256 };

/* Cells from left to right; cells after the last one are empty, and so are their columns. */
typedef struct line {
    char cells[COLUMNS_MAX][CELL_BYTES];
} line;

static const line head = {
    {"algorithm", "result", "launches", "bytes moved", "time ms", "GB/s", "of peak", "registers", "shared bytes"}};
static const line exact_head = {{"algorithm", "result", "ulps off", "launches", "bytes moved", "time ms", "GB/s",
                                 "of peak", "registers", "shared bytes"}};
static const line scan_head = {{"algorithm", "last result", "differ", "most apart", "launches", "bytes moved",
                                "time ms", "GB/s", "of peak", "registers", "shared bytes"}};

const char *cli_contestant_name(const cli_contestant *row) {
    if (row->algorithm == JR_ALGORITHM_AUTO && !row->is_exact) return "segments";
    return row->is_exact ? "exact" : jr_algorithm_name(row->algorithm);
}

double cli_contestant_gb_per_s(const cli_contestant *row) {
    return row->cost.kernel_ms > 0 ? (double)row->cost.moved_bytes / row->cost.kernel_ms / 1e6 : 0;
}

double cli_peak_gb_per_s(const jr_device_info *device) {
    if (device->simulated) return 0;
    return (double)device->memory_clock_khz * 1e3 * 2 * (double)device->memory_bus_bits / 8 / 1e9;
}

/* All values, parted by commas, as far as they fit. */
static void fill_values(const cli_comparison *comparison, const cli_contestant *row, char *cell) {
    size_t used = 0;
    if (comparison->scan != NULL && comparison->count == 0) {
        snprintf(cell, CELL_BYTES, "-"); /* there is no last one */
        return;
    }
    for (int i = 0; i < comparison->op_count && used < CELL_BYTES; i++) {
        char text[CLI_VALUE_BYTES];
        used += (size_t)snprintf(cell + used, CELL_BYTES - used, "%s%s", i > 0 ? "," : "",
                                 cli_value_text(&row->values[i], comparison->structure, text));
    }
}

/* How far from the exact results, parted by commas, as far as they fit. */
static void fill_off(const cli_comparison *comparison, const cli_contestant *row, char *cell) {
    size_t used = 0;
    for (int i = 0; i < comparison->op_count && used < CELL_BYTES; i++) {
        char text[CLI_DISTANCE_BYTES];
        used += (size_t)snprintf(cell + used, CELL_BYTES - used, "%s%s", i > 0 ? "," : "",
                                 cli_distance_text(&row->off[i], text));
    }
}

/* How far a scan's results are from the first algorithm's; returns the next column. */
static int fill_apart(const cli_apart *apart, line *made, int column) {
    snprintf(made->cells[column++], CELL_BYTES, "%llu", (unsigned long long)apart->count);
    if (isnan(apart->most))
        snprintf(made->cells[column++], CELL_BYTES, "-");
    else
        snprintf(made->cells[column++], CELL_BYTES, "%.3g", apart->most);
    return column;
}

static line make_line(const cli_comparison *comparison, const cli_contestant *row) {
    const double rate = cli_contestant_gb_per_s(row), peak = cli_peak_gb_per_s(&comparison->device);
    line made = {.cells = {""}};
    int column = 0;
    snprintf(made.cells[column++], CELL_BYTES, "%s", cli_contestant_name(row));
    fill_values(comparison, row, made.cells[column++]);
    if (comparison->exact) fill_off(comparison, row, made.cells[column++]);
    if (comparison->scan != NULL) column = fill_apart(&row->apart, &made, column);
    snprintf(made.cells[column++], CELL_BYTES, "%d", row->cost.launches);
    snprintf(made.cells[column++], CELL_BYTES, "%llu", (unsigned long long)row->cost.moved_bytes);
    snprintf(made.cells[column++], CELL_BYTES, "%.3f", row->cost.kernel_ms);
    snprintf(made.cells[column++], CELL_BYTES, "%.1f", rate);
    if (peak > 0)
        snprintf(made.cells[column++], CELL_BYTES, "%.1f %%", 100 * rate / peak);
    else
        snprintf(made.cells[column++], CELL_BYTES, "-");
    snprintf(made.cells[column++], CELL_BYTES, "%d", row->registers);
    snprintf(made.cells[column], CELL_BYTES, "%d", row->shared_bytes);
    return made;
}

/* Words to the left, numbers to the right. */
static void print_line(const line *printed, const int *widths, FILE *out) {
    for (int column = 0; column < COLUMNS_MAX && widths[column] > 0; column++) {
        const int width = column == 0 ? -widths[column] : widths[column];
        fprintf(out, "%s%*s", column > 0 ? "  " : "", width, printed->cells[column]);
    }
    fputc('\n', out);
}

static void print_head(const cli_comparison *comparison, FILE *out) {
    const jr_device_info *device = &comparison->device;
    const double peak = cli_peak_gb_per_s(device);
    fprintf(out, "device     %s (%s %d.%d)", device->name, device->simulated ? "simulated sm" : "sm",
            device->capability_major, device->capability_minor);
    if (peak > 0) fprintf(out, ", peak %.0f GB/s", peak);
    fprintf(out, "\ninput      %llu elements of %s, %llu bytes\noperator   ", (unsigned long long)comparison->count,
            cli_type_name(comparison->type), (unsigned long long)comparison->bytes);
    if (comparison->scan != NULL) fprintf(out, "%s scan ", comparison->scan);
    for (int i = 0; i < comparison->op_count; i++)
        fprintf(out, "%s%s", i > 0 ? "," : "", jr_op_name(comparison->ops[i]));
    fputs("\n\n", out);
}

void cli_comparison_table(const cli_comparison *comparison, FILE *out) {
    line lines[CLI_COMPARISON_ROWS + 1];
    int widths[COLUMNS_MAX] = {0}, count = 0;
    lines[count++] = comparison->exact ? exact_head : comparison->scan != NULL ? scan_head : head;
    for (int i = 0; i < comparison->row_count; i++)
        if (comparison->rows[i].refused[0] == '\0') lines[count++] = make_line(comparison, &comparison->rows[i]);
    for (int i = 0; i < count; i++)
        for (int column = 0; column < COLUMNS_MAX; column++) {
            const int width = (int)strlen(lines[i].cells[column]);
            if (widths[column] < width) widths[column] = width;
        }
    print_head(comparison, out);
    for (int i = 0; count > 1 && i < count; i++) print_line(&lines[i], widths, out);
    if (count <= comparison->row_count) fputs(count > 1 ? "\nNot applicable\n" : "Not applicable\n", out);
    for (int i = 0; i < comparison->row_count; i++)
        if (comparison->rows[i].refused[0] != '\0')
            fprintf(out, "%-12s  %s\n", cli_contestant_name(&comparison->rows[i]), comparison->rows[i].refused);
}
