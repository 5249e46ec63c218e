/* The JSON object of bench --json. */
#include "bench_form.h"
#include "io/report.h"

static void begin(const cli_bench *bench, FILE *out) {
    fputs("{\"device\": {", out);
    cli_json_device(out, &bench->device);
    fprintf(out, "}, \"devices\": %d", bench->device_count);
    cli_json_text(out, ", \"driver\": ", bench->driver);
    cli_json_text(out, ", \"nvrtc\": ", bench->nvrtc);
    cli_json_text(out, ", \"version\": ", jr_version());
    cli_json_text(out, ", \"command\": ", bench->command);
    fprintf(out, ", \"mode\": \"%s\", \"data\": \"%s\", \"rounds\": %d, \"contestants\": [", cli_bench_mode_text(bench),
            bench->cold_bytes > 0 ? "cold" : "warm", bench->rounds);
    for (int i = 0; i < bench->contestant_count; i++) {
        cli_json_text(out, i > 0 ? ", {\"name\": " : "{\"name\": ", bench->contestants[i].name);
        if (bench->contestants[i].sets_ceiling) cli_json_text(out, ", \"loop\": ", bench->contestants[i].about);
        fputc('}', out);
    }
    fputs("], \"works\": [", out);
}

static void print_cell(const cli_bench *bench, const cli_bench_row *row, int i, FILE *out) {
    const cli_bench_cell *cell = &row->cells[i];
    char off[CLI_DISTANCE_BYTES];
    cli_json_text(out, "{\"contestant\": ", bench->contestants[i].name);
    if (cell->there) {
        fprintf(out,
                ", \"bytes\": %llu, \"median_us\": %.4f, \"lower_quartile_us\": %.4f, \"upper_quartile_us\": %.4f, "
                "\"least_us\": %.4f, "
                "\"most_us\": %.4f, \"gb_per_s\": %.3f, \"ratio\": %.4f",
                (unsigned long long)cell->bytes, cell->us.median, cell->us.lower_quartile, cell->us.upper_quartile,
                cell->us.least, cell->us.most, cli_bench_gb_per_s(row, i), cell->ratio);
        if (cli_bench_ceiling(bench, row) >= 0)
            fprintf(out, ", \"ceiling_share\": %.4f", cli_bench_share(bench, row, i));
        fprintf(out, ", \"agrees\": %s", cell->wrong ? "false" : "true");
        if (cli_bench_tells_errors(bench) && cell->off.known)
            fprintf(out, ", \"ulps_off\": %s", cli_distance_text(&cell->off, off));
    }
    if (cell->note[0] != '\0') cli_json_text(out, ", \"note\": ", cell->note);
    fputc('}', out);
}

static void print_tuning(const jr_stats *stats, FILE *out) {
    fprintf(out, ", \"algorithm\": \"%s\", \"unroll\": %d, \"block\": %d, \"grid\": %d, \"tuned_by\": ",
            jr_algorithm_name(stats->algorithm), stats->unroll, stats->block, stats->grid);
    cli_json_text(out, "", stats->tuned_by);
}

static void print_row(const cli_bench *bench, const cli_bench_row *row, FILE *out) {
    fprintf(out, "{\"count\": %llu, \"bytes\": %llu, \"rounds\": %d", (unsigned long long)row->count,
            (unsigned long long)row->bytes, row->rounds);
    if (bench->devices.group != NULL)
        fprintf(out, ", \"speedup\": %.4f", cli_bench_speedup(bench, row));
    else
        print_tuning(&row->stats, out);
    fputs(", \"results\": [", out);
    for (int i = 0; i < bench->contestant_count; i++) {
        if (i > 0) fputs(", ", out);
        print_cell(bench, row, i, out);
    }
    fputs("]}", out);
}

static void print_fits(const cli_bench *bench, const cli_bench_work *work, FILE *out) {
    const char *comma = "";
    for (int i = 0; i < bench->contestant_count; i++) {
        if (!work->fitted[i]) continue;
        fprintf(out, "%s{\"contestant\": ", comma);
        cli_json_text(out, "", bench->contestants[i].name);
        fprintf(out, ", \"intercept_us\": %.4f, \"gb_per_s\": %.3f}", work->fits[i].intercept,
                cli_bench_fit_gb_per_s(&work->fits[i]));
        comma = ", ";
    }
}

static void print_work(const cli_bench *bench, const cli_bench_work *work, FILE *out) {
    fprintf(out, "%s{\"ops\": [", work == bench->works[0] ? "" : ", ");
    for (int i = 0; i < work->op_count; i++) fprintf(out, "%s\"%s\"", i > 0 ? ", " : "", jr_op_name(work->ops[i]));
    fprintf(out, "], \"type\": \"%s\", \"sizes\": [", jr_type_name(work->type));
    for (int r = 0; r < work->row_count; r++) {
        if (r > 0) fputs(", ", out);
        print_row(bench, &work->rows[r], out);
    }
    fputs("], \"fits\": [", out);
    print_fits(bench, work, out);
    fputs("]}", out);
}

static void end(const cli_bench *bench, FILE *out) {
    fprintf(out, "], \"disagreements\": %d}\n", bench->wrong_count);
}

const cli_bench_form cli_bench_json = {begin, print_work, end};
