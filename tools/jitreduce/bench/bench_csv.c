/* The lines of bench --csv: comments that say where and how, a head, a line for each contestant and size. */
#include "bench_form.h"

/* A field in quotes where it needs them. */
static void print_text(const char *text, FILE *out) {
    bool quoted = false;
    for (const char *at = text; *at != '\0'; at++) quoted |= *at == ',' || *at == '"';
    if (!quoted) {
        fputs(text, out);
        return;
    }
    fputc('"', out);
    for (; *text != '\0'; text++) fprintf(out, *text == '"' ? "\"\"" : "%c", *text);
    fputc('"', out);
}

static void begin(const cli_bench *bench, FILE *out) {
    fprintf(out, "# device: %s\n# driver: %s, CUDA %d.%d\n# nvrtc: %s\n# jitreduce: %s\n# command: %s\n",
            bench->device.name, bench->driver[0] ? bench->driver : "unknown", bench->device.driver_version / 1000,
            bench->device.driver_version % 1000 / 10, bench->nvrtc, jr_version(), bench->command);
    if (bench->devices.group != NULL)
        fprintf(out, "# group: %d devices, of which this is the first\n", bench->device_count);
    for (int i = 0; i < bench->contestant_count; i++)
        if (bench->contestants[i].sets_ceiling)
            fprintf(out, "# %s: %s\n", bench->contestants[i].name, bench->contestants[i].about);
    for (int i = 0; i < bench->contestant_count; i++)
        if (cli_bench_is_peer(&bench->contestants[i]))
            fprintf(out, "# peer: %s (%s)\n", bench->contestants[i].name, bench->contestants[i].about);
    fprintf(out,
            "op,type,count,bytes,mode,data,contestant,median_us,lower_quartile_us,upper_quartile_us,least_us,most_us,"
            "gb_per_s,ceiling_share,ratio,rounds,%s%stuning,note\n",
            bench->devices.group != NULL ? "devices,speedup," : "", cli_bench_tells_errors(bench) ? "ulps_off," : "");
}

static void print_cell(const cli_bench *bench, const cli_bench_work *work, const cli_bench_row *row, int i, FILE *out) {
    const cli_bench_cell *cell = &row->cells[i];
    char text[128], tuning[CLI_TUNING_BYTES], off[CLI_DISTANCE_BYTES];
    print_text(cli_bench_work_text(work, text), out);
    fprintf(out, ",%s,%llu,%llu,%s,%s,", jr_type_name(work->type), (unsigned long long)row->count,
            (unsigned long long)cell->bytes, cli_bench_mode_text(bench), bench->cold_bytes > 0 ? "cold" : "warm");
    print_text(bench->contestants[i].name, out);
    if (cell->there)
        fprintf(out, ",%.4f,%.4f,%.4f,%.4f,%.4f,%.3f", cell->us.median, cell->us.lower_quartile,
                cell->us.upper_quartile, cell->us.least, cell->us.most, cli_bench_gb_per_s(row, i));
    else
        fputs(",,,,,,", out);
    if (cell->there && cli_bench_ceiling(bench, row) >= 0)
        fprintf(out, ",%.4f", cli_bench_share(bench, row, i));
    else
        fputc(',', out);
    if (cell->there)
        fprintf(out, ",%.4f,%d,", cell->ratio, row->rounds);
    else
        fputs(",,,", out);
    if (bench->devices.group != NULL) {
        fprintf(out, "%d,", bench->contestants[i].devices);
        if (i == 0) fprintf(out, "%.4f", cli_bench_speedup(bench, row));
        fputc(',', out);
    }
    if (cli_bench_tells_errors(bench))
        fprintf(out, "%s,", cell->there && cell->off.known ? cli_distance_text(&cell->off, off) : "");
    if (bench->devices.group == NULL && i == 0) print_text(cli_bench_tuning_text(row, tuning), out);
    fputc(',', out);
    print_text(cell->note, out);
    fputc('\n', out);
}

static void print_work(const cli_bench *bench, const cli_bench_work *work, FILE *out) {
    for (int r = 0; r < work->row_count; r++)
        for (int i = 0; i < bench->contestant_count; i++) print_cell(bench, work, &work->rows[r], i, out);
}

/* Fits stand in comments: a line of numbers over sizes has no place for them. */
static void end(const cli_bench *bench, FILE *out) {
    char text[128];
    for (int w = 0; w < bench->work_count; w++)
        for (int i = 0; i < bench->contestant_count; i++)
            if (bench->works[w]->fitted[i])
                fprintf(out, "# fit: %s %s, %s: %.4f us + bytes / %.3f GB/s\n",
                        cli_bench_work_text(bench->works[w], text), jr_type_name(bench->works[w]->type),
                        bench->contestants[i].name, bench->works[w]->fits[i].intercept,
                        cli_bench_fit_gb_per_s(&bench->works[w]->fits[i]));
}

const cli_bench_form cli_bench_csv = {begin, print_work, end};
