/* What a benchmark found: works, sizes, contestants. */
#ifndef CLI_BENCH_RESULT_H
#define CLI_BENCH_RESULT_H

#include "bench_data.h"
#include "bench_peer.h"
#include "progress.h"

enum { CLI_BENCH_MOST = CLI_PEERS_MAX + 8, CLI_FIT_SIZES = 5 };

/* Who takes part. Ours is the first one: the others' times are told as ratios to its. */
typedef struct cli_bench_contestant {
    const struct cli_bench_kind *kind; /* what it does: contestant.h */
    int which;                         /* of the read loops, of the peers */
    bool sets_ceiling;                 /* a bare read loop: the fastest of them is the ceiling, none has a result */
    const char *about;                 /* what a loop does, the path of a peer; NULL: one of ours */
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
    jr_type type;
    int op_count, row_count;
    cli_bench_row rows[CLI_SIZES_MAX];
    bool fitted[CLI_BENCH_MOST];
    jr_line fits[CLI_BENCH_MOST]; /* microseconds over bytes; from CLI_FIT_SIZES sizes on */
} cli_bench_work;

typedef struct cli_bench {
    const cli_options *options;
    jr_context *context;
    cli_bench_data data;
    void *out; /* device memory for the results of all contestants */
    cli_peers peers;
    jr_device_info device;
    char driver[64], nvrtc[64]; /* versions; driver "" where the system does not say */
    char command[1024];
    int rounds;
    uint64_t cold_bytes; /* that the buffers of a size span together at least; 0: warm */
    cli_bench_contestant contestants[CLI_BENCH_MOST];
    int contestant_count;
    cli_bench_work **works;
    int work_count, wrong_count, planned_works;
    cli_progress progress;
    bool interrupted; /* no further size is begun */
} cli_bench;

#endif
