/* scan_bench: device time of scans and of reductions of segments (rows, columns, offsets, keys), compared with peers
 * and a copy of as many bytes, interleaved, as CSV.
 *
 * usage: scan_bench [OPTION...] [WORK...]
 *   --powers FROM..TO   elements: powers of two (12..28; on the simulator 10..12)
 *   --step N            step between the powers (2)
 *   --plus N            so many elements more than each power
 *   --offset N          arrays begin so many elements after a 256-byte boundary
 *   --rounds N          samples of each contestant (21; on the simulator 1)
 *   --graph             runs in a CUDA graph
 *   --exact             exact sums, next to plain ones
 *   --alone             what the library chooses, without every algorithm next to it
 *   --tuning [NAME:]BxU also runs bulk_copy, or the algorithm of that name, with blocks of B threads and an unroll
 *                       factor of U; up to 10 times
 *   --peer FILE.so      a library with the scans of peer.h, such as those of peer_cub_scan.cu and peer_cub_keys.cu; may
 *                       be given several times
 *   WORK                KIND:OP:TYPE[:RESULT][@LAYOUT:RUN]; default: inclusive:sum:f32
 *
 * KIND is inclusive, exclusive, or reduce (one result per run). OP may also be `affine`, over pairs of f32, which does
 * not commute, and `user`, an addition that is an expression. LAYOUT says how segments are given: rows, columns,
 * offsets, or keys of i32. RUN is their average length (with rows and columns, their exact length): lengths are 1 to 2
 * RUN - 1; 1.5 means 1 and 2; `all` one run. copy_share is the copy's median time divided by the contestant's. ratio is
 * the contestant's time divided by that of the library's default, so next to a reduction of runs the flat one's ratio
 * shows the share of its speed. Fails where a contestant's results are wrong. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/spread.h" /* tools/jitreduce */
#include "scan_trial.h"

enum { ROUNDS_MAX = 101 };

typedef struct scan_bench {
    bench_device device;
    const peer *peers[SCAN_PEERS_MAX];
    int peer_count, from, to, step, rounds;
    jr_measure_mode mode;
    jr_accuracy accuracy;
    scan_tunings tunings;
    uint64_t plus, offset;
    scan_work work;
} scan_bench;

/* us: bench->rounds samples of each trial, of which so many were taken; wrong: results of each. */
static void print(const scan_bench *bench, const scan_stage *stage, const scan_trial *trials, int count, double *us,
                  const uint64_t *wrong) {
    const scan_work *work = &bench->work;
    cli_spread spreads[SCAN_TRIALS_MAX];
    for (int i = 0; i < count; i++) spreads[i] = cli_spread_of(us + i * bench->rounds, bench->rounds);
    for (int i = 0; i < count; i++) {
        const cli_spread *spread = &spreads[i];
        printf("%s,%s,%s,%s,%s,%s,%llu,%llu,%llu,%s,%s,", work->kind, work->op, work->type, work->result, work->layout,
               work->run, (unsigned long long)stage->runs.count, (unsigned long long)stage->run_count,
               (unsigned long long)stage->offset, bench->mode == JR_MEASURE_GRAPH ? "graph" : "launches",
               trials[i].name);
        printf("%.3f,%.3f,%.3f,%.1f,%.4f,%.4f,%d,%llu\n", spread->median, spread->lower_quartile,
               spread->upper_quartile, (double)stage->moved_bytes / spread->median * 1e-3,
               spreads[count - 1].median / spread->median, spread->median / spreads[0].median, bench->rounds,
               (unsigned long long)wrong[i]);
    }
    fflush(stdout);
}

/* Measures, looks at all results, and prints a line for each contestant. Returns how many are wrong. */
static int run_trials(const scan_bench *bench, const scan_stage *stage, scan_trial *trials, int count) {
    jr_measured items[SCAN_TRIALS_MAX];
    double us[SCAN_TRIALS_MAX * ROUNDS_MAX];
    uint64_t wrong[SCAN_TRIALS_MAX];
    int failed = 0;
    const jr_measure_options how = JR_INIT(jr_measure_options, .mode = bench->mode, .rounds = bench->rounds,
                                           .batch = bench->device.info.simulated ? 1 : 0);
    for (int i = 0; i < count; i++) items[i] = (jr_measured){scan_trial_run, &trials[i]};
    bench_check(jr_measure(bench->device.context, &how, items, count, us, NULL), "measuring");
    for (int i = 0; i < count; i++) {
        wrong[i] = scan_trial_wrong(&trials[i]);
        failed += wrong[i] > 0;
    }
    print(bench, stage, trials, count, us, wrong);
    return failed;
}

static int run_size(const scan_bench *bench, uint64_t count) {
    scan_stage stage;
    scan_trial trials[SCAN_TRIALS_MAX];
    scan_stage_open(&bench->device, &bench->work, count, bench->offset, &stage);
    const int made = scan_trials_make(&stage, &bench->tunings, bench->peers, bench->peer_count, trials);
    const int failed = made > 0 ? run_trials(bench, &stage, trials, made) : 0;
    for (int i = 0; i < made; i++) scan_trial_free(&trials[i]);
    scan_stage_close(&stage);
    return failed;
}

static int run_work(scan_bench *bench, const char *text) {
    int failed = 0;
    scan_work_parse(text, &bench->work);
    bench->work.spec.accuracy = bench->accuracy;
    for (int power = bench->from; power <= bench->to; power += bench->step)
        failed += run_size(bench, (1ull << power) + bench->plus);
    return failed;
}

/* ---- the command line ---- */

static void take_powers(scan_bench *bench, const char *text) {
    char *end = NULL;
    const long from = strtol(text, &end, 10), to = strncmp(end, "..", 2) == 0 ? strtol(end + 2, &end, 10) : -1;
    bench_demand(*end == '\0' && from >= 0 && to >= from && to < 40, "'%s' is not two powers below 40, like 12..28",
                 text);
    bench->from = (int)from;
    bench->to = (int)to;
}

static void take_tuning(scan_tunings *tunings, const char *text) {
    const char *const colon = strchr(text, ':'), *const shape = colon != NULL ? colon + 1 : text;
    jr_algorithm algorithm = JR_ALGORITHM_BULK_COPY;
    char name[64], *end = NULL;
    if (colon != NULL) {
        snprintf(name, sizeof name, "%.*s", (int)(colon - text), text);
        bench_check(jr_algorithm_find(name, &algorithm), "--tuning");
    }
    const long block = strtol(shape, &end, 10), unroll = *end == 'x' ? strtol(end + 1, &end, 10) : 0;
    const bool good = *end == '\0' && block > 0 && block <= JR_BLOCK_MAX && unroll > 0 && unroll <= JR_UNROLL_MAX;
    bench_demand(good && tunings->count < SCAN_TUNINGS_MAX, "'%s' is not one of %d tunings, like 448x9, at most", text,
                 SCAN_TUNINGS_MAX);
    tunings->items[tunings->count++] = (scan_tuning){algorithm, (int)block, (int)unroll};
}

static void take(scan_bench *bench, int option, const char *text) {
    switch (option) {
    case 'p': take_powers(bench, text); break;
    case 's': bench->step = bench_number(text); break;
    case '+': bench->plus = (uint64_t)bench_number(text); break;
    case 'o': bench->offset = (uint64_t)bench_number(text); break;
    case 'r': bench->rounds = bench_number(text); break;
    case 'g': bench->mode = JR_MEASURE_GRAPH; break;
    case 'a': bench->tunings.alone = true; break;
    case 'e': bench->accuracy = JR_ACCURACY_EXACT; break;
    case 't': take_tuning(&bench->tunings, text); break;
    case 'l':
        bench_demand(bench->peer_count < SCAN_PEERS_MAX, "%d peers are the most", SCAN_PEERS_MAX);
        bench->peers[bench->peer_count++] = bench_peer(text);
        break;
    default: exit(2); /* getopt has said why */
    }
}

static void read_options(scan_bench *bench, int argc, char **argv) {
    static const struct option options[] = {{"powers", required_argument, NULL, 'p'},
                                            {"step", required_argument, NULL, 's'},
                                            {"plus", required_argument, NULL, '+'},
                                            {"offset", required_argument, NULL, 'o'},
                                            {"rounds", required_argument, NULL, 'r'},
                                            {"graph", no_argument, NULL, 'g'},
                                            {"exact", no_argument, NULL, 'e'},
                                            {"peer", required_argument, NULL, 'l'},
                                            {"tuning", required_argument, NULL, 't'},
                                            {"alone", no_argument, NULL, 'a'},
                                            {0}};
    for (int option; (option = getopt_long(argc, argv, "", options, NULL)) != -1;) take(bench, option, optarg);
    bench_demand(bench->step > 0 && bench->rounds > 0 && bench->rounds <= ROUNDS_MAX,
                 "a step of %d powers and %d rounds: both are 1 or more, rounds at most %d", bench->step, bench->rounds,
                 ROUNDS_MAX);
}

int main(int argc, char **argv) {
    scan_bench bench = {.step = 2, .rounds = 21};
    int failed = 0;
    bench_open(&bench.device);
    bench.from = bench.device.info.simulated ? 10 : 12;
    bench.to = bench.device.info.simulated ? 12 : 28;
    if (bench.device.info.simulated) bench.rounds = 1;
    read_options(&bench, argc, argv);
    bench_head(&bench.device, bench.peers, bench.peer_count, argc, argv);
    printf("kind,op,type,result,layout,run,count,runs,offset,mode,contestant,median_us,lower_quartile_us,"
           "upper_quartile_us,gb_per_s,copy_share,ratio,rounds,wrong_results\n");
    if (optind == argc) failed += run_work(&bench, "inclusive:sum:f32");
    for (int i = optind; i < argc; i++) failed += run_work(&bench, argv[i]);
    bench_close(&bench.device);
    if (failed > 0) fprintf(stderr, "scan_bench: %d contestants have wrong results\n", failed);
    return failed > 0;
}
