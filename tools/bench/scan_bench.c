/* scan_bench: device time of scans by each algorithm beside peers and a copy of as many bytes, interleaved, as CSV.
 *
 * usage: scan_bench [OPTION...] [WORK...]
 *   --powers FROM..TO   elements: powers of two (12..28; on the simulator 10..12)
 *   --step N            of the powers (2)
 *   --plus N            so many elements more than each power
 *   --offset N          arrays begin so many elements behind a 256-byte boundary
 *   --rounds N          samples of each contestant (21; on the simulator 1)
 *   --graph             runs in a CUDA graph
 *   --peer FILE.so      a library behind peer.h that scans, tools/bench/peer_cub_scan.cu; may be given several times
 *   WORK                KIND:OP:TYPE[:RESULT], inclusive:sum:f32 where none is named
 *
 * OP may also be `affine`, over pairs of f32, which does not commute, and `user`, an addition that is an expression.
 * copy_share is the copy's median time over this one's; ratio this one's over that of the algorithm that the library
 * chooses. Fails where a contestant's results are wrong. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scan_data.h"

enum {
    PEERS_MAX = 4,
    ALGORITHMS = 4,
    TRIALS_MAX = ALGORITHMS + PEERS_MAX + 1,
    ROUNDS_MAX = 101,
    SLOT_ALIGNMENT = 256,
    SLOTS_MAX = 8192
};

typedef struct scan_bench {
    bench_device device;
    const peer *peers[PEERS_MAX];
    int peer_count, from, to, step, rounds;
    jr_measure_mode mode;
    uint64_t plus, offset;
    scan_work work;
    uint64_t count, slot_bytes, slots; /* each run takes the next slot: an input and the results behind it */
    jr_cu_deviceptr memory, counter;
} scan_bench;

/* A contestant: a plan, a peer with its handle, or neither: the copy. */
typedef struct scan_trial {
    const scan_bench *bench;
    char name[48];
    jr_plan *plan;
    const peer *other;
    void *handle;
    uint64_t wrong;
} scan_trial;

static uint64_t array_bytes(const scan_bench *bench, uint64_t element_bytes) {
    return ((bench->count + bench->offset) * element_bytes + SLOT_ALIGNMENT - 1) / SLOT_ALIGNMENT * SLOT_ALIGNMENT;
}
static jr_cu_deviceptr input_of(const scan_bench *bench, uint64_t run) {
    return bench->memory + run % bench->slots * bench->slot_bytes + bench->offset * bench->work.element_bytes;
}
static jr_cu_deviceptr output_of(const scan_bench *bench, uint64_t run) {
    return bench->memory + run % bench->slots * bench->slot_bytes + array_bytes(bench, bench->work.element_bytes) +
           bench->offset * bench->work.result_bytes;
}

/* What a peer is asked for: "inclusive sum f32", the last word being the type of the results. */
static peer_work peer_work_of(const scan_bench *bench, uint64_t run, char op[3 * SCAN_WORD]) {
    snprintf(op, 3 * SCAN_WORD, "%s %s %s", bench->work.kind, bench->work.op, bench->work.result);
    return (peer_work){.device = bench->device.info.ordinal,
                       .op = op,
                       .type = bench->work.type,
                       .in = {(const void *)(uintptr_t)input_of(bench, run)},
                       .count = bench->count,
                       .out = (void *)(uintptr_t)output_of(bench, run)};
}

static jr_status run_once(void *user, uint64_t run, jr_stream stream) {
    const scan_trial *trial = user;
    const scan_bench *bench = trial->bench;
    const jr_cu_deviceptr in = input_of(bench, run), out = output_of(bench, run);
    if (trial->plan != NULL)
        return jr_plan_run(trial->plan, (const void *)(uintptr_t)in, bench->count, (void *)(uintptr_t)out, NULL,
                           stream);
    if (trial->handle != NULL) {
        char op[3 * SCAN_WORD];
        const peer_work work = peer_work_of(bench, run, op);
        return trial->other->run(trial->handle, &work, stream) == 0 ? JR_OK : JR_ERROR_DRIVER;
    }
    const uint64_t bytes = bench->count * (bench->work.element_bytes + bench->work.result_bytes) / 2;
    return bench->device.driver.cuMemcpyDtoDAsync_v2(out, in, bytes, stream) == 0 ? JR_OK : JR_ERROR_DRIVER;
}

/* ---- one size ---- */

/* So much memory that the slots span far more than the L2 cache; on the simulator two slots. */
static void make_data(scan_bench *bench) {
    const uint64_t span = 4ull << 30;
    bench->slot_bytes = array_bytes(bench, bench->work.element_bytes) + array_bytes(bench, bench->work.result_bytes);
    bench->slots = bench->device.info.simulated ? 2 : span / bench->slot_bytes;
    if (bench->slots > SLOTS_MAX) bench->slots = SLOTS_MAX;
    if (bench->slots == 0) bench->slots = 1;
    bench_driver(&bench->device, bench->device.driver.cuMemAlloc_v2(&bench->memory, bench->slots * bench->slot_bytes),
                 "allocating device memory");
    for (uint64_t slot = 0; slot < bench->slots; slot++)
        scan_data_fill(&bench->device, &bench->work, input_of(bench, slot), bench->count);
    bench_driver(&bench->device, bench->device.driver.cuCtxSynchronize(), "waiting");
}

/* Runs once more over results that are spoilt. */
static void look(scan_bench *bench, scan_trial *trial) {
    const jr_cu_deviceptr out = output_of(bench, 0);
    const uint64_t bytes = bench->count * bench->work.result_bytes;
    bench_driver(&bench->device, bench->device.driver.cuMemsetD8_v2(out, 0x7b, bytes), "spoiling");
    bench_driver(&bench->device, bench->device.driver.cuCtxSynchronize(), "waiting");
    bench_check(run_once(trial, 0, NULL), trial->name);
    bench_driver(&bench->device, bench->device.driver.cuCtxSynchronize(), "waiting");
    trial->wrong = scan_data_wrong(&bench->device, &bench->work, out, bench->count, bench->counter);
}

/* False where the algorithm does not take the work. */
static bool make_ours(const scan_bench *bench, jr_algorithm algorithm, scan_trial *trial) {
    jr_spec spec = bench->work.spec;
    spec.algorithm = algorithm;
    spec.capacity = bench->count;
    *trial = (scan_trial){.bench = bench, .name = "jitreduce"};
    if (algorithm != JR_ALGORITHM_AUTO)
        snprintf(trial->name, sizeof trial->name, "jitreduce %s", jr_algorithm_name(algorithm));
    const jr_status status = jr_scan_plan_create(bench->device.context, &spec, bench->work.scan, &trial->plan);
    if (status != JR_ERROR_NOT_APPLICABLE) bench_check(status, trial->name);
    return status == JR_OK;
}

static bool make_peer(const scan_bench *bench, const peer *other, scan_trial *trial) {
    char op[3 * SCAN_WORD];
    const peer_work work = peer_work_of(bench, 0, op);
    *trial = (scan_trial){.bench = bench, .other = other, .handle = other->prepare(&work)};
    snprintf(trial->name, sizeof trial->name, "%s", other->name);
    return trial->handle != NULL;
}

static int make_trials(const scan_bench *bench, scan_trial *trials) {
    static const jr_algorithm algorithms[ALGORITHMS] = {JR_ALGORITHM_AUTO, JR_ALGORITHM_SINGLE_PASS,
                                                        JR_ALGORITHM_BULK_COPY, JR_ALGORITHM_THREE_PASS};
    int count = 0;
    for (int a = 0; a < ALGORITHMS; a++) count += make_ours(bench, algorithms[a], &trials[count]);
    for (int p = 0; p < bench->peer_count; p++) count += make_peer(bench, bench->peers[p], &trials[count]);
    trials[count++] = (scan_trial){.bench = bench, .name = "copy"};
    return count;
}

/* us: bench->rounds samples of each trial. */
static void print(const scan_bench *bench, const scan_trial *trials, int count, const double *us, int rounds) {
    const scan_work *work = &bench->work;
    const double bytes = (double)bench->count * (double)(work->element_bytes + work->result_bytes);
    jr_spread spreads[TRIALS_MAX];
    for (int i = 0; i < count; i++)
        bench_check(jr_spread_of(us + i * bench->rounds, rounds, &spreads[i]), "taking medians");
    for (int i = 0; i < count; i++) {
        const jr_spread *spread = &spreads[i];
        printf("%s,%s,%s,%s,%llu,%llu,%s,%s,", work->kind, work->op, work->type, work->result,
               (unsigned long long)bench->count, (unsigned long long)bench->offset,
               bench->mode == JR_MEASURE_GRAPH ? "graph" : "launches", trials[i].name);
        printf("%.3f,%.3f,%.3f,%.1f,%.4f,%.4f,%d,%llu\n", spread->median, spread->lower_quartile,
               spread->upper_quartile, bytes / spread->median * 1e-3, spreads[count - 1].median / spread->median,
               spread->median / spreads[0].median, rounds, (unsigned long long)trials[i].wrong);
    }
    fflush(stdout);
}

/* Measures, looks at all results, and prints a line for each contestant. Returns how many are wrong. */
static int run_size(scan_bench *bench) {
    scan_trial trials[TRIALS_MAX];
    jr_measured items[TRIALS_MAX];
    double us[TRIALS_MAX * ROUNDS_MAX];
    int rounds = 0, wrong = 0;
    make_data(bench);
    const int count = make_trials(bench, trials);
    const jr_measure_options how = JR_INIT(jr_measure_options, .mode = bench->mode, .rounds = bench->rounds,
                                           .batch = bench->device.info.simulated ? 1 : 0);
    for (int i = 0; i < count; i++) items[i] = (jr_measured){run_once, &trials[i]};
    bench_check(jr_measure(bench->device.context, &how, items, count, us, &rounds), "measuring");
    for (int i = 0; i < count - 1; i++) {
        look(bench, &trials[i]);
        wrong += trials[i].wrong > 0;
    }
    print(bench, trials, count, us, rounds);
    for (int i = 0; i < count; i++) {
        jr_plan_destroy(trials[i].plan);
        if (trials[i].handle != NULL) trials[i].other->release(trials[i].handle);
    }
    bench_driver(&bench->device, bench->device.driver.cuMemFree_v2(bench->memory), "freeing");
    return wrong;
}

static int run_work(scan_bench *bench, const char *text) {
    int wrong = 0;
    scan_work_parse(text, &bench->work);
    for (int power = bench->from; power <= bench->to; power += bench->step) {
        bench->count = (1ull << power) + bench->plus;
        wrong += run_size(bench);
    }
    return wrong;
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

static void take(scan_bench *bench, int option, const char *text) {
    switch (option) {
    case 'p': take_powers(bench, text); break;
    case 's': bench->step = bench_number(text); break;
    case '+': bench->plus = (uint64_t)bench_number(text); break;
    case 'o': bench->offset = (uint64_t)bench_number(text); break;
    case 'r': bench->rounds = bench_number(text); break;
    case 'g': bench->mode = JR_MEASURE_GRAPH; break;
    case 'l':
        bench_demand(bench->peer_count < PEERS_MAX, "%d peers are the most", PEERS_MAX);
        bench->peers[bench->peer_count++] = bench_peer(text);
        break;
    default: exit(2); /* getopt has said why */
    }
}

static void read_options(scan_bench *bench, int argc, char **argv) {
    static const struct option options[] = {
        {"powers", required_argument, NULL, 'p'}, {"step", required_argument, NULL, 's'},
        {"plus", required_argument, NULL, '+'},   {"offset", required_argument, NULL, 'o'},
        {"rounds", required_argument, NULL, 'r'}, {"graph", no_argument, NULL, 'g'},
        {"peer", required_argument, NULL, 'l'},   {0}};
    for (int option; (option = getopt_long(argc, argv, "", options, NULL)) != -1;) take(bench, option, optarg);
    bench_demand(bench->step > 0 && bench->rounds > 0 && bench->rounds <= ROUNDS_MAX,
                 "a step of %d powers and %d rounds: both are 1 or more, rounds at most %d", bench->step, bench->rounds,
                 ROUNDS_MAX);
}

static void print_head(const scan_bench *bench, int argc, char **argv) {
    printf("# device: %s\n# driver: CUDA %d.%d\n# jitreduce: %s\n", bench->device.info.name,
           bench->device.info.driver_version / 1000, bench->device.info.driver_version % 1000 / 10, jr_version());
    for (int p = 0; p < bench->peer_count; p++) printf("# peer: %s\n", bench->peers[p]->name);
    printf("# command:");
    for (int i = 0; i < argc; i++) printf(" %s", argv[i]);
    printf("\nkind,op,type,result,count,offset,mode,contestant,median_us,lower_quartile_us,upper_quartile_us,gb_per_s,"
           "copy_share,ratio,rounds,wrong_results\n");
}

int main(int argc, char **argv) {
    scan_bench bench = {.step = 2, .rounds = 21};
    int wrong = 0;
    bench_open(&bench.device);
    bench.from = bench.device.info.simulated ? 10 : 12;
    bench.to = bench.device.info.simulated ? 12 : 28;
    if (bench.device.info.simulated) bench.rounds = 1;
    read_options(&bench, argc, argv);
    print_head(&bench, argc, argv);
    bench_driver(&bench.device, bench.device.driver.cuMemAlloc_v2(&bench.counter, sizeof(uint64_t)),
                 "allocating device memory");
    if (optind == argc) wrong += run_work(&bench, "inclusive:sum:f32");
    for (int i = optind; i < argc; i++) wrong += run_work(&bench, argv[i]);
    bench_driver(&bench.device, bench.device.driver.cuMemFree_v2(bench.counter), "freeing");
    bench_close(&bench.device);
    if (wrong > 0) fprintf(stderr, "scan_bench: %d contestants have wrong results\n", wrong);
    return wrong > 0;
}
