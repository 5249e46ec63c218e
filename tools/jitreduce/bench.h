/* What a benchmark found: works, sizes, contestants, and the forms in which the command tells it. */
#ifndef CLI_BENCH_H
#define CLI_BENCH_H

#include <stdio.h>

#include "options.h"

enum { CLI_TUNING_BYTES = 128 + JR_TUNED_BY_BYTES };
enum { CLI_READ_COUNT = 4, CLI_BENCH_MOST = CLI_PEERS_MAX + CLI_READ_COUNT + 3, CLI_FIT_SIZES = 5 };

/* Ours is the first one: the others' times are told as ratios to its. */
typedef enum cli_bench_kind {
    CLI_BENCH_OURS,
    CLI_BENCH_ALIGNED, /* ours at an address aligned to 256 bytes, beside one that is not */
    CLI_BENCH_ALONE,   /* the first operator of a list by itself */
    CLI_BENCH_READ,    /* a bare read loop: the ceiling */
    CLI_BENCH_PEER
} cli_bench_kind;

typedef struct cli_bench_contestant {
    cli_bench_kind kind;
    int which; /* of the read loops, of the peers */
    char name[64];
} cli_bench_contestant;

/* What a contestant made of one work and size. */
typedef struct cli_bench_cell {
    bool there;   /* it was measured, and the rest is filled; else note says why not, or is empty */
    bool wrong;   /* its result is not ours: note says what it is */
    jr_spread us; /* of a run */
    double ratio; /* its median over ours */
    char note[256];
} cli_bench_cell;

typedef struct cli_bench_row {
    uint64_t count, bytes; /* elements of each input, bytes of all */
    int rounds;
    jr_stats stats; /* of our plan */
    cli_bench_cell cells[CLI_BENCH_MOST];
} cli_bench_row;

/* One operator, or a list in one pass, over all sizes. */
typedef struct cli_bench_work {
    jr_op ops[JR_OPS_MAX];
    jr_type type, results[JR_OPS_MAX];
    int op_count, row_count;
    cli_bench_row rows[CLI_SIZES_MAX];
    bool fitted[CLI_BENCH_MOST];
    jr_line fits[CLI_BENCH_MOST]; /* microseconds over bytes; from CLI_FIT_SIZES sizes on */
} cli_bench_work;

typedef struct cli_bench {
    const cli_options *options;
    jr_device_info device;
    char driver[64], nvrtc[64]; /* versions; driver "" where the system does not say */
    char command[1024];
    int rounds;
    uint64_t cold_bytes; /* that the buffers of a size span together at least; 0: warm */
    cli_bench_contestant contestants[CLI_BENCH_MOST];
    int contestant_count;
    cli_bench_work **works;
    int work_count, wrong_count;
} cli_bench;

/* "back to back", "in a CUDA graph", "host call to value" */
const char *cli_bench_mode_text(const cli_bench *bench);
/* "sum", "min+max"; returns text, which has 128 bytes. */
const char *cli_bench_work_text(const cli_bench_work *work, char *text);
/* "single_pass uf 4 block 256 grid 24; estimate"; returns text, which has CLI_TUNING_BYTES. */
const char *cli_bench_tuning_text(const cli_bench_row *row, char *text);
/* The fastest read loop of a row, -1: none was measured. */
int cli_bench_ceiling(const cli_bench *bench, const cli_bench_row *row);
/* Bytes per second of a median in 10^9, and the time of the fastest read loop over it (0: none). */
double cli_bench_gb_per_s(const cli_bench_row *row, int contestant);
double cli_bench_share(const cli_bench *bench, const cli_bench_row *row, int contestant);
/* The rate that a fit tends to for large sizes; 0: its line does not rise. */
double cli_bench_fit_gb_per_s(const jr_line *fit);
/* Fits a line to the medians of each contestant that was measured at CLI_FIT_SIZES sizes or more. */
void cli_bench_fit(const cli_bench *bench, cli_bench_work *work);

/* One form of the report; each of its functions is called in turn, so that a long benchmark can be watched. */
typedef struct cli_bench_form {
    void (*begin)(const cli_bench *bench, FILE *out);
    void (*work)(const cli_bench *bench, const cli_bench_work *work, FILE *out);
    void (*end)(const cli_bench *bench, FILE *out);
} cli_bench_form;

extern const cli_bench_form cli_bench_table, cli_bench_csv, cli_bench_json;

/* Draws all works into the file, whose name ends in .svg or .png, or leaves it as it was. */
cli_exit cli_bench_plot_check(const char *path, cli_error *error);
cli_exit cli_bench_plot(const cli_bench *bench, const char *path, cli_error *error);

#endif
