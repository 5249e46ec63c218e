/* The JSON object of compare --json. */
#include "comparison.h"

#include <math.h>

#include "io/data.h"

static void print_values(const cli_comparison *comparison, const cli_contestant *row, FILE *out) {
    fputs(", \"values\": [", out);
    const bool none = comparison->scan != NULL && comparison->count == 0;
    for (int i = 0; !none && i < comparison->op_count; i++) {
        if (i > 0) fputs(", ", out);
        cli_json_value(out, &row->values[i], comparison->structure);
    }
    fputc(']', out);
}

static void print_off(const cli_comparison *comparison, const cli_contestant *row, FILE *out) {
    fputs(", \"ulps_off\": [", out);
    for (int i = 0; i < comparison->op_count; i++) {
        char text[CLI_DISTANCE_BYTES];
        fprintf(out, "%s%s", i > 0 ? ", " : "", row->off[i].known ? cli_distance_text(&row->off[i], text) : "null");
    }
    fputc(']', out);
}

/* Of a scan. */
static void print_apart(const cli_apart *apart, FILE *out) {
    fprintf(out, ", \"differ\": %llu, \"most_apart\": ", (unsigned long long)apart->count);
    if (isfinite(apart->most))
        fprintf(out, "%.17g", apart->most);
    else
        fputs("null", out);
    if (apart->wrong[0] != '\0') cli_json_text(out, ", \"wrong\": ", apart->wrong);
}

static void print_row(const cli_comparison *comparison, const cli_contestant *row, FILE *out) {
    const double rate = cli_contestant_gb_per_s(row), peak = cli_peak_gb_per_s(&comparison->device);
    fprintf(out, "{\"algorithm\": \"%s\", \"applicable\": %s", cli_contestant_name(row),
            row->refused[0] ? "false" : "true");
    if (row->refused[0] != '\0') {
        cli_json_text(out, ", \"reason\": ", row->refused);
        fputc('}', out);
        return;
    }
    print_values(comparison, row, out);
    if (comparison->exact) print_off(comparison, row, out);
    if (comparison->scan != NULL) print_apart(&row->apart, out);
    fprintf(out, ", \"launches\": %d, \"moved_bytes\": %llu, \"kernel_ms\": %.6f, \"gb_per_s\": %.3f",
            row->cost.launches, (unsigned long long)row->cost.moved_bytes, row->cost.kernel_ms, rate);
    if (peak > 0) fprintf(out, ", \"peak_share\": %.4f", rate / peak);
    fprintf(out, ", \"registers\": %d, \"shared_bytes\": %d}", row->registers, row->shared_bytes);
}

void cli_comparison_json(const cli_comparison *comparison, FILE *out) {
    fputc('{', out);
    if (comparison->scan != NULL) fprintf(out, "\"scan\": \"%s\", ", comparison->scan);
    fputs("\"ops\": [", out);
    for (int i = 0; i < comparison->op_count; i++)
        fprintf(out, "%s\"%s\"", i > 0 ? ", " : "", jr_op_name(comparison->ops[i]));
    fprintf(out, "], \"input_type\": \"%s\", \"count\": %llu, \"bytes\": %llu, \"device\": {",
            cli_type_name(comparison->type), (unsigned long long)comparison->count,
            (unsigned long long)comparison->bytes);
    cli_json_device(out, &comparison->device);
    if (cli_peak_gb_per_s(&comparison->device) > 0)
        fprintf(out, ", \"peak_gb_per_s\": %.1f", cli_peak_gb_per_s(&comparison->device));
    fputs("}, \"algorithms\": [", out);
    for (int i = 0; i < comparison->row_count; i++) {
        if (i > 0) fputs(", ", out);
        print_row(comparison, &comparison->rows[i], out);
    }
    cli_json_text(out, "], \"version\": ", jr_version());
    fputs("}\n", out);
}
