/* peer_bench: our reductions beside other libraries', interleaved in one process.
 *
 * usage: peer_bench [--graph] [--work 'sum f32'] [--from LOG2] [--to LOG2] [--rounds N]
 *                   [--algorithm NAME] [--uf N] [--block N] PEER.so...
 * Each line is a work and a size: the median device time of one reduction of ours and of each peer, and the ratio peer
 * over ours. A time is of a batch of launches back to back between two events; every launch of a batch takes the next
 * buffer of many that exceed the L2 cache by far. The batches of all take turns (A B C A B C). With --graph the
 * launches of a batch are the nodes of one CUDA graph, which is replayed. PEER.so: see peer.h. */
#include <dlfcn.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "peer.h"

enum { PEERS_MAX = 4, ROUNDS_MAX = 101, BATCH_MAX = 64, SIZES = 13 };

/* Several times any L2. */
static const uint64_t COLD_BYTES = 1ull << 30;

typedef struct peer_bench {
    bench_device device;
    const peer *peers[PEERS_MAX];
    int peer_count, rounds, from, to;
    bool graph;
    const char *only;
    jr_spec given; /* algorithm, unroll and block of ours */
    jr_cu_deviceptr data, out;
    uint64_t data_bytes;
    jr_cu_stream stream;
    jr_cu_event begin, end;
} peer_bench;

/* One work of one size, as ours or a peer's. */
typedef struct bench_trial {
    peer_bench *bench;
    const peer *other; /* NULL: ours */
    void *handle;
    jr_plan *plan;
    jr_spec spec;
    peer_work work;
    uint64_t input_bytes;
    int batch;
    jr_cu_graph_exec graph;
    double us[ROUNDS_MAX];
} bench_trial;

static void *address_of(jr_cu_deviceptr address) {
    return (void *)(uintptr_t)address; /* NOLINT(performance-no-int-to-ptr) */
}

static void run_once(bench_trial *trial, uint64_t at) {
    const uint64_t second = at + (trial->input_bytes + 255) / 256 * 256;
    const void *in[2] = {address_of(trial->bench->data + at), address_of(trial->bench->data + second)};
    trial->work.in[0] = in[0];
    trial->work.in[1] = in[1];
    if (trial->other == NULL)
        bench_check(jr_plan_run_arrays(trial->plan, in, trial->work.count, trial->work.out, NULL, trial->bench->stream),
                    "running");
    else if (trial->other->run(trial->handle, &trial->work, trial->bench->stream) != 0)
        exit((fprintf(stderr, "%s failed\n", trial->other->name), 1));
}

static void run_batch(bench_trial *trial) {
    const uint64_t stride = (trial->input_bytes + 255) / 256 * 256 * (trial->spec.op == JR_OP_DOT ? 2 : 1);
    uint64_t at = 0;
    for (int i = 0; i < trial->batch; i++) {
        run_once(trial, at);
        at = at + 2 * stride <= trial->bench->data_bytes ? at + stride : 0;
    }
}

static void capture(bench_trial *trial) {
    const jr_driver *driver = &trial->bench->device.driver;
    const bench_device *device = &trial->bench->device;
    jr_cu_graph graph;
    run_once(trial, 0);
    bench_driver(device, driver->cuStreamBeginCapture_v2(trial->bench->stream, 2), "beginning the capture");
    run_batch(trial);
    bench_driver(device, driver->cuStreamEndCapture(trial->bench->stream, &graph), "ending the capture");
    bench_driver(device, driver->cuGraphInstantiateWithFlags(&trial->graph, graph, 0), "making the graph");
    driver->cuGraphDestroy(graph);
}

static double time_batch(bench_trial *trial) {
    const bench_device *device = &trial->bench->device;
    const jr_driver *driver = &device->driver;
    float ms = 0;
    bench_driver(device, driver->cuEventRecord(trial->bench->begin, trial->bench->stream), "recording");
    if (trial->graph != NULL)
        bench_driver(device, driver->cuGraphLaunch(trial->graph, trial->bench->stream), "launching");
    else
        run_batch(trial);
    bench_driver(device, driver->cuEventRecord(trial->bench->end, trial->bench->stream), "recording");
    bench_driver(device, driver->cuEventSynchronize(trial->bench->end), "waiting");
    bench_driver(device, driver->cuEventElapsedTime(&ms, trial->bench->begin, trial->bench->end), "timing");
    return (double)ms * 1e3 / trial->batch;
}

/* False when the trial cannot be had. */
static bool prepare(bench_trial *trial) {
    if (trial->other != NULL) {
        trial->handle = trial->other->prepare(&trial->work);
        if (trial->handle == NULL) return false;
    } else {
        bench_check(jr_plan_create(trial->bench->device.context, &trial->spec, &trial->plan), "making the plan");
    }
    if (trial->bench->graph) capture(trial);
    return true;
}

static void let_go(bench_trial *trial) {
    if (trial->graph != NULL) trial->bench->device.driver.cuGraphExecDestroy(trial->graph);
    if (trial->handle != NULL) trial->other->release(trial->handle);
    jr_plan_destroy(trial->plan);
}

static void print_line(bench_trial *trials, int count, const bool *there) {
    const double ours = bench_median(trials[0].us, trials[0].bench->rounds);
    const double inputs = trials[0].spec.op == JR_OP_DOT ? 2 : 1;
    printf("%-10s %-4s %11llu  ours %9.2f us (%7.1f GB/s)", trials[0].work.op, trials[0].work.type,
           (unsigned long long)trials[0].work.count, ours, inputs * (double)trials[0].input_bytes / ours * 1e-3);
    for (int i = 1; i < count; i++) {
        if (!there[i]) continue;
        const double other = bench_median(trials[i].us, trials[i].bench->rounds);
        printf("  %s %9.2f us ratio %.3f", trials[i].other->name, other, other / ours);
    }
    printf("\n");
    fflush(stdout);
}

static void compare(peer_bench *bench, const jr_spec *spec, uint64_t count) {
    static bench_trial trials[PEERS_MAX + 1];
    bool there[PEERS_MAX + 1];
    const int all = bench->peer_count + 1;
    const uint64_t bytes = count * jr_type_size(spec->type);
    const double guess_us = 3 + (double)bytes / 4e6;
    for (int i = 0; i < all; i++) {
        trials[i] = (bench_trial){.bench = bench, .other = i > 0 ? bench->peers[i - 1] : NULL, .spec = *spec};
        trials[i].work = (peer_work){.op = jr_op_name(spec->op),
                                     .type = jr_type_name(spec->type),
                                     .count = count,
                                     .out = address_of(bench->out)};
        trials[i].input_bytes = bytes;
        trials[i].batch = guess_us > 2000 ? 2 : guess_us * BATCH_MAX > 4000 ? (int)(4000 / guess_us) + 1 : BATCH_MAX;
        trials[i].spec.capacity = count;
        trials[i].spec.algorithm = bench->given.algorithm;
        trials[i].spec.unroll = bench->given.unroll;
        trials[i].spec.block = bench->given.block;
        there[i] = prepare(&trials[i]);
        if (there[i]) time_batch(&trials[i]); /* warms up */
    }
    for (int round = 0; round < bench->rounds; round++)
        for (int i = 0; i < all; i++)
            if (there[i]) trials[i].us[round] = time_batch(&trials[i]);
    print_line(trials, all, there);
    for (int i = 0; i < all; i++) let_go(&trials[i]);
}

static void open_peer(peer_bench *bench, const char *path) {
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    peer_get_fn get = NULL;
    if (library != NULL) *(void **)&get = dlsym(library, "peer_get");
    if (get == NULL || bench->peer_count == PEERS_MAX) {
        fprintf(stderr, "%s is no peer: %s\n", path, library == NULL ? dlerror() : "it has no peer_get, or too many");
        exit(1);
    }
    bench->peers[bench->peer_count++] = get();
}

static void read_options(peer_bench *bench, int argc, char **argv) {
    static const struct option options[] = {{"graph", no_argument, NULL, 'g'},
                                            {"work", required_argument, NULL, 'w'},
                                            {"from", required_argument, NULL, 'f'},
                                            {"to", required_argument, NULL, 't'},
                                            {"rounds", required_argument, NULL, 'r'},
                                            {"algorithm", required_argument, NULL, 'a'},
                                            {"uf", required_argument, NULL, 'u'},
                                            {"block", required_argument, NULL, 'b'},
                                            {0}};
    bench->from = 10;
    bench->to = bench->device.info.simulated ? 16 : 31;
    bench->rounds = 21;
    for (int o; (o = getopt_long(argc, argv, "", options, NULL)) != -1;) {
        if (o == 'g') bench->graph = true;
        if (o == 'w') bench->only = optarg;
        if (o == 'f') bench->from = bench_number(optarg);
        if (o == 't') bench->to = bench_number(optarg);
        if (o == 'r') bench->rounds = bench_number(optarg);
        if (o == 'a') bench_check(jr_algorithm_find(optarg, &bench->given.algorithm), "reading the algorithm");
        if (o == 'u') bench->given.unroll = bench_number(optarg);
        if (o == 'b') bench->given.block = bench_number(optarg);
        if (o == '?') exit(1);
    }
    if (bench->rounds < 1 || bench->rounds > ROUNDS_MAX) bench->rounds = 21;
    while (optind < argc) open_peer(bench, argv[optind++]);
}

static const jr_spec works[] = {
    {.op = JR_OP_SUM, .type = JR_F32},    {.op = JR_OP_MIN, .type = JR_F32},    {.op = JR_OP_SUM, .type = JR_I32},
    {.op = JR_OP_MIN, .type = JR_I32},    {.op = JR_OP_SUM, .type = JR_F64},    {.op = JR_OP_MIN, .type = JR_F64},
    {.op = JR_OP_SUM, .type = JR_F16},    {.op = JR_OP_SUM, .type = JR_BF16},   {.op = JR_OP_MIN, .type = JR_I8},
    {.op = JR_OP_SUM, .type = JR_I8},     {.op = JR_OP_ARGMIN, .type = JR_F32}, {.op = JR_OP_ARGMAX, .type = JR_I8},
    {.op = JR_OP_ARGMAX, .type = JR_I16}, {.op = JR_OP_SUMSQ, .type = JR_F32},  {.op = JR_OP_DOT, .type = JR_F32},
};

static void run_works(peer_bench *bench) {
    static const int sizes[SIZES] = {10, 12, 14, 16, 18, 19, 20, 22, 24, 26, 28, 31, 32};
    for (size_t w = 0; w < sizeof works / sizeof *works; w++) {
        char name[64];
        snprintf(name, sizeof name, "%s %s", jr_op_name(works[w].op), jr_type_name(works[w].type));
        if (bench->only != NULL && strcmp(bench->only, name) != 0) continue;
        for (int s = 0; s < SIZES; s++) {
            const uint64_t count = 1ull << sizes[s];
            const uint64_t bytes = count * jr_type_size(works[w].type) * (works[w].op == JR_OP_DOT ? 2 : 1);
            if (sizes[s] >= bench->from && sizes[s] <= bench->to && bytes <= bench->data_bytes)
                compare(bench, &works[w], count);
        }
    }
}

int main(int argc, char **argv) {
    peer_bench bench = {0};
    bench_open(&bench.device);
    read_options(&bench, argc, argv);
    const jr_driver *driver = &bench.device.driver;
    const uint64_t most = 8ull << bench.to;
    bench.data_bytes = most > 2 * COLD_BYTES ? most : bench.device.info.simulated ? most : 2 * COLD_BYTES;
    bench.data = bench_fill(&bench.device, bench.data_bytes);
    bench_driver(&bench.device, driver->cuMemAlloc_v2(&bench.out, 256), "allocating");
    bench_driver(&bench.device, driver->cuStreamCreate(&bench.stream, JR_CU_STREAM_NON_BLOCKING), "creating a stream");
    bench_driver(&bench.device, driver->cuEventCreate(&bench.begin, 0), "creating an event");
    bench_driver(&bench.device, driver->cuEventCreate(&bench.end, 0), "creating an event");
    printf("%s, driver %d, %s, medians of %d\n", bench.device.info.name, bench.device.info.driver_version,
           bench.graph ? "launches in a graph" : "launches back to back", bench.rounds);
    run_works(&bench);
    bench_close(&bench.device);
    return 0;
}
