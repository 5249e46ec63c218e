/* The lines of compare --csv. */
#include "comparison.h"

#include <math.h>

#include "io/data.h"

/* In double quotes where it must stand in them. */
static void print_quoted(const char *text, FILE *out) {
    fputc('"', out);
    for (; *text != '\0'; text++) fprintf(out, *text == '"' ? "\"\"" : "%c", *text);
    fputc('"', out);
}

/* Of a comparison with the exact results; nothing where a distance is not known. */
static void print_off(const cli_comparison *comparison, const cli_contestant *row, FILE *out) {
    for (int i = 0; i < comparison->op_count; i++) {
        char text[CLI_DISTANCE_BYTES];
        const bool known = row->refused[0] == '\0' && row->off[i].known;
        fprintf(out, ",%s", known ? cli_distance_text(&row->off[i], text) : "");
    }
}

/* Of a scan. */
static void print_apart(const cli_contestant *row, FILE *out) {
    fputc(',', out);
    if (row->refused[0] == '\0') fprintf(out, "%llu", (unsigned long long)row->apart.count);
    fputc(',', out);
    if (row->refused[0] == '\0' && isfinite(row->apart.most)) fprintf(out, "%.17g", row->apart.most);
}

void cli_comparison_csv(const cli_comparison *comparison, FILE *out) {
    const double peak = cli_peak_gb_per_s(&comparison->device);
    const bool none = comparison->scan != NULL && comparison->count == 0; /* there is no last result */
    fputs("algorithm", out);
    for (int i = 0; i < comparison->op_count; i++) fprintf(out, ",%s", jr_op_name(comparison->ops[i]));
    for (int i = 0; comparison->exact && i < comparison->op_count; i++)
        fprintf(out, ",%s_ulps_off", jr_op_name(comparison->ops[i]));
    if (comparison->scan != NULL) fputs(",differ,most_apart", out);
    fputs(",launches,moved_bytes,kernel_ms,gb_per_s,peak_share,registers,shared_bytes,note\n", out);
    for (int r = 0; r < comparison->row_count; r++) {
        const cli_contestant *row = &comparison->rows[r];
        const double rate = cli_contestant_gb_per_s(row);
        fputs(cli_contestant_name(row), out);
        for (int i = 0; i < comparison->op_count; i++) {
            char text[CLI_VALUE_BYTES] = "";
            if (row->refused[0] == '\0' && !none) cli_value_text(&row->values[i], comparison->structure, text);
            fputc(',', out);
            cli_value_field(out, text, ',');
        }
        if (comparison->exact) print_off(comparison, row, out);
        if (comparison->scan != NULL) print_apart(row, out);
        if (row->refused[0] != '\0') {
            fputs(",,,,,,,,", out);
            print_quoted(row->refused, out);
        } else {
            fprintf(out, ",%d,%llu,%.6f,%.3f,", row->cost.launches, (unsigned long long)row->cost.moved_bytes,
                    row->cost.kernel_ms, rate);
            if (peak > 0) fprintf(out, "%.4f", rate / peak);
            fprintf(out, ",%d,%d,", row->registers, row->shared_bytes);
        }
        fputc('\n', out);
    }
}
