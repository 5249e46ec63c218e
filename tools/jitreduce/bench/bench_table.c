/* The text output of jitreduce bench: device and settings, then one table per work, with one line per size. */
#include <string.h>

#include "bench_form.h"

static void print_ceiling(const cli_bench *bench, FILE *out) {
    const char *head = "ceiling    the fastest of ";
    for (int i = 0; i < bench->contestant_count; i++) {
        if (!bench->contestants[i].sets_ceiling) continue;
        fprintf(out, "%s%s: %s\n", head, bench->contestants[i].name, bench->contestants[i].about);
        head = "                          ";
    }
}

static void begin(const cli_bench *bench, FILE *out) {
    const jr_device_info *device = &bench->device;
    fprintf(out, "device     %s (%s %d.%d), %d multiprocessors, L2 cache %llu KiB\n", device->name,
            device->simulated ? "simulated sm" : "sm", device->capability_major, device->capability_minor,
            device->multiprocessor_count, (unsigned long long)(device->l2_bytes >> 10));
    if (bench->devices.group != NULL)
        fprintf(out, "group      %d devices, of which this is the first\n", bench->device_count);
    fprintf(out, "versions   driver %s%sCUDA %d.%d, NVRTC %s, jitreduce %s\n", bench->driver,
            bench->driver[0] ? " with " : "of ", device->driver_version / 1000, device->driver_version % 1000 / 10,
            bench->nvrtc, jr_version());
    fprintf(out, "command    %s\n", bench->command);
    for (int i = 0; i < bench->contestant_count; i++)
        if (cli_bench_is_peer(&bench->contestants[i]))
            fprintf(out, "peer       %s (%s)\n", bench->contestants[i].name, bench->contestants[i].about);
    fprintf(out, "measured   %s, medians of %d, contestants in turn; ", cli_bench_mode_text(bench), bench->rounds);
    if (bench->cold_bytes > 0)
        fprintf(out, "cold: each run takes the next of buffers that span %llu MiB\n",
                (unsigned long long)(bench->cold_bytes >> 20));
    else
        fputs("warm: each run takes the same buffer\n", out);
    print_ceiling(bench, out);
}

/* Those that have columns of their own. */
static bool is_rival(const cli_bench *bench, const cli_bench_contestant *contestant) {
    return contestant != bench->contestants && !contestant->sets_ceiling;
}

enum { NUMBER_WIDTH = 11 };

/* Wide enough for the name and " us". */
static int width_of(const cli_bench_contestant *contestant) {
    const int width = (int)strlen(contestant->name) + 3;
    return width > NUMBER_WIDTH ? width : NUMBER_WIDTH;
}

static void print_head(const cli_bench *bench, const cli_bench_work *work, FILE *out) {
    const bool ceiling = work->row_count > 0 && cli_bench_ceiling(bench, &work->rows[0]) >= 0;
    const bool group = bench->devices.group != NULL;
    char text[128];
    fprintf(out, "\n%s of %s\n%12s%12s%22s%10s%s", cli_bench_work_text(work, text), jr_type_name(work->type),
            group ? "a device" : "count", "us", "quartiles", "GB/s",
            group     ? "     speedup"
            : ceiling ? "  of ceiling"
                      : "");
    for (int i = 0; i < bench->contestant_count; i++)
        if (is_rival(bench, &bench->contestants[i]))
            fprintf(out, "  %*s us  ratio%s", width_of(&bench->contestants[i]) - 3, bench->contestants[i].name,
                    cli_bench_tells_errors(bench) ? "  ulps off" : "");
    fputs(group ? "\n" : "  tuning\n", out);
}

static void print_row(const cli_bench *bench, const cli_bench_row *row, FILE *out) {
    const cli_bench_cell *ours = &row->cells[0];
    char quartiles[64], tuning[CLI_TUNING_BYTES], off[CLI_DISTANCE_BYTES];
    snprintf(quartiles, sizeof quartiles, "%.2f - %.2f", ours->us.lower_quartile, ours->us.upper_quartile);
    fprintf(out, "%12llu%12.2f%22s%10.1f", (unsigned long long)row->count, ours->us.median, quartiles,
            cli_bench_gb_per_s(row, 0));
    if (bench->devices.group != NULL) fprintf(out, "%12.3f", cli_bench_speedup(bench, row));
    if (cli_bench_ceiling(bench, row) >= 0) fprintf(out, "%10.1f %%", 100 * cli_bench_share(bench, row, 0));
    for (int i = 0; i < bench->contestant_count; i++) {
        const int width = width_of(&bench->contestants[i]);
        if (!is_rival(bench, &bench->contestants[i])) continue;
        if (row->cells[i].there)
            fprintf(out, "  %*.2f  %5.3f", width, row->cells[i].us.median, row->cells[i].ratio);
        else
            fprintf(out, "  %*s  %5s", width, "-", "-");
        if (cli_bench_tells_errors(bench))
            fprintf(out, "  %8s", row->cells[i].there ? cli_distance_text(&row->cells[i].off, off) : "-");
    }
    if (bench->devices.group == NULL) fprintf(out, "  %s", cli_bench_tuning_text(row, tuning));
    fputc('\n', out);
}

static void print_notes(const cli_bench *bench, const cli_bench_row *row, FILE *out) {
    for (int i = 0; i < bench->contestant_count; i++)
        if (row->cells[i].note[0] != '\0')
            fprintf(out, "%12llu  %s: %s\n", (unsigned long long)row->count, bench->contestants[i].name,
                    row->cells[i].note);
}

static void print_fit(const char *name, const cli_line *fit, FILE *out) {
    fprintf(out, "fit: %-16s  %.2f us", name, fit->intercept);
    if (cli_bench_fit_gb_per_s(fit) > 0)
        fprintf(out, " + bytes / %.1f GB/s\n", cli_bench_fit_gb_per_s(fit));
    else
        fputs(" at every size\n", out);
}

static void print_work(const cli_bench *bench, const cli_bench_work *work, FILE *out) {
    print_head(bench, work, out);
    for (int r = 0; r < work->row_count; r++) print_row(bench, &work->rows[r], out);
    for (int r = 0; r < work->row_count; r++) print_notes(bench, &work->rows[r], out);
    for (int i = 0; i < bench->contestant_count; i++)
        if (work->fitted[i] && !bench->contestants[i].sets_ceiling)
            print_fit(bench->contestants[i].name, &work->fits[i], out);
}

static void end(const cli_bench *bench, FILE *out) {
    (void)bench, (void)out;
}

const cli_bench_form cli_bench_table = {begin, print_work, end};
