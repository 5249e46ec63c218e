/* What a benchmark found: works, sizes, contestants. */
#ifndef CLI_BENCH_RESULT_H
#define CLI_BENCH_RESULT_H

#include "base/distance.h"
#include "base/spread.h"
#include "bench_data.h"
#include "bench_peer.h"
#include "io/cli_device.h"
#include "io/progress.h"

#define CLI_BENCH_ONE(name, number, text) +1
enum { CLI_BENCH_MAX = CLI_PEERS_MAX + 8 JR_ALGORITHMS(CLI_BENCH_ONE), CLI_FIT_SIZES = 5 };
#undef CLI_BENCH_ONE

/* A contestant. The library is the first one: the others' times are printed as ratios to its time. */
typedef struct cli_bench_contestant {
    const struct cli_bench_kind *kind; /* what it does: contestant.h */
    int which;                         /* of the read loops, of the peers; the algorithm of one of ours */
    int devices;                       /* that work for it */
    bool sets_ceiling;                 /* a bare read loop: the fastest of them is the ceiling, none has a result */
    const char *about;                 /* what a loop does, the path of a peer; NULL: one of ours */
    char name[64];
} cli_bench_contestant;

/* What a contestant made of one work and size. */
typedef struct cli_bench_cell {
    bool there;       /* it was measured, and the rest is filled; else note says why not, or is empty */
    bool wrong;       /* its result is not ours: note says what it is */
    cli_spread us;    /* of a run */
    double ratio;     /* its median over ours */
    uint64_t bytes;   /* of all elements of a run: a group's has the row's on each device */
    cli_distance off; /* of its result from ours; of several the greatest one */
    char note[256];
} cli_bench_cell;

typedef struct cli_bench_row {
    uint64_t count, bytes; /* elements of each input, bytes of all; on one device */
    int rounds;
    jr_stats stats; /* of our plan; of a group's nothing */
    cli_bench_cell cells[CLI_BENCH_MAX];
} cli_bench_row;

/* y = intercept + slope * x */
typedef struct cli_line {
    double intercept, slope;
} cli_line;

/* One operator, or a list in one pass, over all sizes. */
typedef struct cli_bench_work {
    jr_op ops[JR_OPS_MAX];
    jr_type type;
    int op_count, row_count;
    cli_bench_row rows[CLI_SIZES_MAX];
    bool fitted[CLI_BENCH_MAX];
    cli_line fits[CLI_BENCH_MAX]; /* microseconds over bytes; from CLI_FIT_SIZES sizes on */
} cli_bench_work;

typedef struct cli_bench {
    const cli_options *options;
    cli_devices devices; /* one, or a group */
    int device_count;
    int ordinals[JR_GROUP_DEVICES_MAX];
    jr_context *context;                       /* of the first device */
    cli_bench_data data[JR_GROUP_DEVICES_MAX]; /* of each device; cut alike */
    void *out;                                 /* device memory for the results of all contestants */
    uint64_t count_most;                       /* of all sizes */
    uint64_t free_bytes;                       /* of memory that each device has for itself */
    cli_peers peers;
    jr_device_info device;      /* the first one */
    char driver[64], nvrtc[64]; /* versions; driver "" where the system does not say */
    char command[1024];
    int rounds;
    uint64_t cold_bytes; /* that the buffers of a size span together at least; 0: warm */
    cli_bench_contestant contestants[CLI_BENCH_MAX];
    int contestant_count;
    cli_bench_work **works;
    int work_count, wrong_count, planned_works;
    cli_progress progress;
    bool interrupted; /* no further size is begun */
} cli_bench;

/* True if the library's result is exact, so that the others' errors are printed. */
static inline bool cli_bench_tells_errors(const cli_bench *bench) {
    return bench->options->spec.accuracy == JR_ACCURACY_EXACT;
}

#endif
