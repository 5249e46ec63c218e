/* Works rates, shares and fits out of medians. */
#include "bench_form.h"

#include <stdio.h>

const char *cli_bench_mode_text(const cli_bench *bench) {
    static const char *const texts[] = {[CLI_BENCH_LAUNCHES] = "launches back to back",
                                        [CLI_BENCH_GRAPH] = "in a CUDA graph",
                                        [CLI_BENCH_LATENCY] = "host call to value"};
    return texts[bench->options->bench.mode];
}

const char *cli_bench_work_text(const cli_bench_work *work, char *text) {
    enum { TEXT_BYTES = 128 };
    size_t used = 0;
    for (int i = 0; i < work->op_count && used < TEXT_BYTES; i++)
        used += (size_t)snprintf(text + used, TEXT_BYTES - used, "%s%s", i > 0 ? "+" : "", jr_op_name(work->ops[i]));
    return text;
}

const char *cli_bench_tuning_text(const cli_bench_row *row, char *text) {
    snprintf(text, CLI_TUNING_BYTES, "%s uf %d block %d grid %d; %s", jr_algorithm_name(row->stats.algorithm),
             row->stats.unroll, row->stats.block, row->stats.grid, row->stats.tuned_by);
    return text;
}

int cli_bench_ceiling(const cli_bench *bench, const cli_bench_row *row) {
    int best = -1;
    for (int i = 0; i < bench->contestant_count; i++) {
        if (!bench->contestants[i].sets_ceiling || !row->cells[i].there) continue;
        if (best < 0 || row->cells[i].us.median < row->cells[best].us.median) best = i;
    }
    return best;
}

double cli_bench_gb_per_s(const cli_bench_row *row, int contestant) {
    const double us = row->cells[contestant].us.median;
    return us > 0 ? (double)row->cells[contestant].bytes / us / 1e3 : 0;
}

double cli_bench_speedup(const cli_bench *bench, const cli_bench_row *row) {
    for (int i = 1; i < bench->contestant_count; i++) {
        const double alone = cli_bench_gb_per_s(row, i);
        if (bench->contestants[i].devices == 1 && alone > 0) return cli_bench_gb_per_s(row, 0) / alone;
    }
    return 0;
}

double cli_bench_share(const cli_bench *bench, const cli_bench_row *row, int contestant) {
    const int ceiling = cli_bench_ceiling(bench, row);
    const double us = row->cells[contestant].us.median;
    return ceiling >= 0 && us > 0 ? row->cells[ceiling].us.median / us : 0;
}

double cli_bench_fit_gb_per_s(const cli_line *fit) {
    return fit->slope > 0 ? 1e-3 / fit->slope : 0;
}

/* Least squares with the weights 1 / y^2, around the weighted means so that large x do not cancel. */
bool cli_line_fit(const double *x, const double *y, int count, cli_line *line) {
    double weights = 0, mean_x = 0, mean_y = 0, xx = 0, xy = 0;
    for (int i = 0; i < count; i++) weights += 1 / (y[i] * y[i]);
    for (int i = 0; i < count; i++) {
        mean_x += x[i] / (y[i] * y[i]) / weights;
        mean_y += 1 / y[i] / weights;
    }
    for (int i = 0; i < count; i++) {
        xx += (x[i] - mean_x) * (x[i] - mean_x) / (y[i] * y[i]);
        xy += (x[i] - mean_x) * (y[i] - mean_y) / (y[i] * y[i]);
    }
    if (!(xx > 0)) return false; /* also where a time is 0 */
    line->slope = xy / xx;
    line->intercept = mean_y - line->slope * mean_x;
    return true;
}

void cli_bench_fit(const cli_bench *bench, cli_bench_work *work) {
    for (int i = 0; i < bench->contestant_count; i++) {
        double bytes[CLI_SIZES_MAX], us[CLI_SIZES_MAX];
        int count = 0;
        for (int r = 0; r < work->row_count; r++) {
            if (!work->rows[r].cells[i].there) continue;
            bytes[count] = (double)work->rows[r].cells[i].bytes;
            us[count++] = work->rows[r].cells[i].us.median;
        }
        work->fitted[i] = count >= CLI_FIT_SIZES && cli_line_fit(bytes, us, count, &work->fits[i]);
    }
}
