/* The results of every algorithm for one input, and the two forms in which the command prints them. */
#ifndef CLI_COMPARISON_H
#define CLI_COMPARISON_H

#include "base/cli_error.h"
#include "base/distance.h"
#include "io/report.h"

/* How many algorithms of reductions there are; those of scans are fewer. */
#define CLI_ALGORITHM_ONE(name, number, text) +1
enum { CLI_CONTESTANT_COUNT = 0 JR_ALGORITHMS(CLI_ALGORITHM_ONE), CLI_COMPARISON_ROWS = CLI_CONTESTANT_COUNT + 1 };
#undef CLI_ALGORITHM_ONE

/* How far the results of a scan are from those of the first algorithm that took the request. */
typedef struct cli_apart {
    uint64_t count;  /* how many have other bits */
    double most;     /* the greatest difference; NAN: they are structs */
    char wrong[256]; /* the first difference that no order of combining explains; else "" */
} cli_apart;

/* One algorithm. */
typedef struct cli_contestant {
    jr_algorithm algorithm;
    bool is_exact;                /* none: the exact result, by the algorithm that the library chooses for it */
    char refused[512];            /* why it does not take the request; "": it does, and the rest is filled */
    jr_value values[JR_OPS_MAX];  /* of a scan the last result */
    cli_apart apart;              /* of a scan */
    cli_distance off[JR_OPS_MAX]; /* of a comparison with the exact result: how far from that */
    jr_run_cost cost;
    int registers, shared_bytes; /* the most of its kernels: a thread, a block */
} cli_contestant;

typedef struct cli_comparison {
    const char *scan; /* "inclusive" or "exclusive"; NULL: reductions */
    bool exact;       /* plain reductions are held against the exact result, which is the last row */
    int op_count;
    jr_op ops[JR_OPS_MAX];
    jr_type type; /* of the elements of the first input */
    uint64_t count, bytes;
    const jr_structure *structure; /* of structs among the values */
    jr_device_info device;
    int row_count;
    cli_contestant rows[CLI_COMPARISON_ROWS];
} cli_comparison;

/* A row's name: its algorithm's, "exact", or "segments", whose algorithms have no names. */
const char *cli_contestant_name(const cli_contestant *row);

/* Bytes moved per second of kernel time, in 10^9; 0 when no time was measured. */
double cli_contestant_gb_per_s(const cli_contestant *row);

/* What the device's memory can move, in 10^9 bytes per second: two transfers a clock on every wire of the bus; 0 when
 * the driver does not say, and for a simulated device. */
double cli_peak_gb_per_s(const jr_device_info *device);

/* Prints a table, an algorithm a line; those that do not apply below it, with the reason. */
void cli_comparison_table(const cli_comparison *comparison, FILE *out);

/* Prints a line for each algorithm, below a line of names. */
void cli_comparison_csv(const cli_comparison *comparison, FILE *out);

/* Prints the object of --json. */
void cli_comparison_json(const cli_comparison *comparison, FILE *out);

#endif
