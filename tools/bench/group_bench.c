/* group_bench: the sum of f32 that lie on several GPUs: from the call to the scalar, and to the result on every GPU.
 *
 * usage: group_bench [DEVICES [ROUNDS [PEER.so|- [COUNT...]]]]
 *   DEVICES   as of jr_group_options (cuda:all; on the simulator sim:all)
 *   ROUNDS    samples of each contestant (101; on the simulator 1)
 *   PEER.so   a library behind group_peer.h, as tools/bench/peer_cub_nccl.cu
 *   COUNT     elements a GPU (2^10, 2^20, 2^24, 2^28; on the simulator 1024)
 *
 * CSV, a row for each measure and contestant: the median and the least time of a call in microseconds. Contestants take
 * turns in every round. Measures: `scalar`, from the call until the host has the number; `devices`, from the call until
 * all streams have been waited for, the result being on every GPU; `batch`, the same of BATCH calls one behind the
 * other, divided by their number. Contestants: `group`, all GPUs; `one`, a plan of the first GPU's elements alone; the
 * peer. Buffers are gone through, so that what is small is not in the caches. Fails where a sum is wrong. */
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "bench.h"
#include "group_peer.h"

enum { ROUNDS_MAX = 1001, BATCH = 20, DEVICES_MAX = 16, COUNTS_MAX = 16 };
enum { SCALAR, DEVICES, BATCHED, MEASURES };
enum { GROUP, ONE, PEER, CONTESTANTS };

typedef struct group_bench {
    jr_group *group;
    size_t devices;
    bool simulated;
    int ordinals[DEVICES_MAX], rounds, count_count;
    uint64_t counts[COUNTS_MAX], room; /* elements of a GPU's buffer */
    const group_peer *peer;            /* NULL: none */
    void *handle;                      /* of the peer */
    jr_group_plan *plan;
    jr_allreduce *allreduce;
    jr_plan *one;
    float *d_in[DEVICES_MAX], *d_out[DEVICES_MAX];
    uint64_t at; /* where the next call's elements begin */
    double us[MEASURES][CONTESTANTS][ROUNDS_MAX];
} group_bench;

/* ---- contestants ---- */

/* The elements of one call: each GPU's next ones. */
typedef struct call {
    const void *arrays[DEVICES_MAX];
    const void *const *in[DEVICES_MAX];
    uint64_t counts[DEVICES_MAX];
} call;

static void make_call(group_bench *bench, uint64_t count, call *made) {
    bench->at = bench->at + 2 * count <= bench->room ? bench->at + count : 0;
    for (size_t i = 0; i < bench->devices; i++) {
        made->arrays[i] = bench->d_in[i] + bench->at;
        made->in[i] = &made->arrays[i];
        made->counts[i] = count;
    }
}

static jr_group_parts parts_of(const call *made) {
    return JR_INIT(jr_group_parts, .d_in = made->in, .counts = made->counts);
}

static void peer_did(int error, const group_bench *bench) {
    bench_demand(error == 0, "%s failed with %d", bench->peer->name, error);
}

static float get_scalar(const group_bench *bench, int who, const call *made) {
    const jr_group_parts parts = parts_of(made);
    jr_value value = {.as.f32 = 0};
    if (who == GROUP) bench_check(jr_group_plan_value(bench->plan, &parts, &value), "reducing by the group");
    if (who == ONE)
        bench_check(jr_plan_value(bench->one, made->arrays, made->counts[0], NULL, &value), "reducing by one");
    if (who == PEER)
        peer_did(bench->peer->value(bench->handle, (const float *const *)made->arrays, made->counts[0], &value.as.f32),
                 bench);
    return value.as.f32;
}

static void put_results(const group_bench *bench, int who, const call *made) {
    const jr_group_parts parts = parts_of(made);
    if (who == GROUP)
        bench_check(jr_allreduce_run(bench->allreduce, &parts, (void *const *)bench->d_out), "reducing to all");
    if (who == ONE)
        bench_check(jr_plan_run(bench->one, made->arrays[0], made->counts[0], bench->d_out[0], NULL, NULL), "running");
    if (who == PEER)
        peer_did(bench->peer->run(bench->handle, (const float *const *)made->arrays, made->counts[0]), bench);
}

static void wait_for_all(const group_bench *bench, int who) {
    if (who == GROUP) bench_check(jr_allreduce_wait(bench->allreduce), "waiting for all");
    if (who == ONE) bench_check(jr_stream_wait(jr_group_context(bench->group, 0), NULL), "waiting");
    if (who == PEER) peer_did(bench->peer->wait(bench->handle), bench);
}

/* ---- measuring ---- */

static double measure(group_bench *bench, int what, int who, uint64_t count, float *sum) {
    call made[BATCH];
    const int calls = what == BATCHED ? BATCH : 1;
    for (int i = 0; i < calls; i++) make_call(bench, count, &made[i]);
    const double begin = jr_clock_ms();
    if (what == SCALAR) {
        *sum = get_scalar(bench, who, made);
    } else {
        for (int i = 0; i < calls; i++) put_results(bench, who, &made[i]);
        wait_for_all(bench, who);
    }
    return (jr_clock_ms() - begin) * 1e3 / calls;
}

/* Values are from 0 to 1: every sum is near half the count. */
static void check_sum(double sum, double elements, int who) {
    bench_demand(fabs(sum - elements / 2) < elements / 10, "the sum of %g elements by contestant %d is %g", elements,
                 who, sum);
}

static void check_devices(const group_bench *bench, uint64_t count) {
    uint32_t bits[DEVICES_MAX];
    float sum;
    for (size_t i = 0; i < bench->devices; i++) {
        bench_check(jr_memory_read(jr_group_context(bench->group, i), &bits[i], bench->d_out[i], sizeof *bits),
                    "reading a result");
        bench_demand(bits[i] == bits[0], "GPU %zu has another result than the first", i);
    }
    memcpy(&sum, bits, sizeof sum);
    check_sum((double)sum, (double)count * (double)bench->devices, GROUP);
}

static void measure_count(group_bench *bench, uint64_t count) {
    for (int round = -1; round < bench->rounds; round++) /* the first one warms up */
        for (int what = 0; what < MEASURES; what++)
            for (int who = 0; who < CONTESTANTS; who++) {
                float sum = 0;
                if (who == PEER && bench->peer == NULL) continue;
                const double us = measure(bench, what, who, count, &sum);
                if (round >= 0) bench->us[what][who][round] = us;
                if (what == SCALAR)
                    check_sum((double)sum, (double)count * (who == ONE ? 1 : (double)bench->devices), who);
                if (what == DEVICES && who == GROUP) check_devices(bench, count);
            }
}

static void print_count(group_bench *bench, uint64_t count) {
    static const char *const measures[] = {"scalar", "devices", "batch"}, *const contestants[] = {"group", "one"};
    for (int what = 0; what < MEASURES; what++)
        for (int who = 0; who < CONTESTANTS; who++) {
            if (who == PEER && bench->peer == NULL) continue;
            const double median = bench_median(bench->us[what][who], bench->rounds); /* sorted now */
            printf("%zu,%llu,%s,%s,%.2f,%.2f\n", bench->devices, (unsigned long long)count, measures[what],
                   who == PEER ? bench->peer->name : contestants[who], median, bench->us[what][who][0]);
        }
    fflush(stdout);
}

/* ---- what is measured with ---- */

static void open_group(const char *devices, group_bench *bench) {
    const jr_group_options options = JR_INIT(jr_group_options, .devices = devices);
    bench_check(jr_group_open(&options, &bench->group), "opening a group");
    bench->devices = jr_group_size(bench->group);
    bench_demand(bench->devices <= DEVICES_MAX, "%zu devices: at most %d", bench->devices, DEVICES_MAX);
    for (size_t i = 0; i < bench->devices; i++) {
        jr_device_info info = JR_INIT(jr_device_info);
        bench_check(jr_context_device_info(jr_group_context(bench->group, i), &info), "describing a device");
        bench->ordinals[i] = info.ordinal;
        bench->simulated = info.simulated;
        printf("# device %zu: %s\n", i, info.name);
    }
}

static void make_plans(group_bench *bench) {
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F32);
    bench_check(jr_group_plan_create(bench->group, &spec, &bench->plan), "making a plan");
    bench_check(jr_allreduce_create(bench->group, &spec, NULL, &bench->allreduce), "making an all-reduce");
    bench_check(jr_plan_create(jr_group_context(bench->group, 0), &spec, &bench->one), "making a plan of one");
    printf("# way of the all-reduce: %d\n", (int)jr_allreduce_way_of(bench->allreduce));
}

static void fill(group_bench *bench) {
    enum { PIECE = 1 << 22 };
    const uint64_t piece_count = bench->room < PIECE ? bench->room : PIECE;
    float *piece = malloc(piece_count * sizeof *piece);
    uint32_t state = 1;
    bench_demand(piece != NULL, "no host memory");
    for (uint64_t i = 0; i < piece_count; i++) {
        state = state * 1664525u + 1013904223u; /* Numerical Recipes' generator: values that differ */
        piece[i] = (float)(state >> 8) * 0x1p-24f;
    }
    for (size_t i = 0; i < bench->devices; i++) {
        jr_context *context = jr_group_context(bench->group, i);
        bench_check(jr_memory_new(context, bench->room * sizeof *piece, (void **)&bench->d_in[i]), "allocating");
        bench_check(jr_memory_new(context, 16, (void **)&bench->d_out[i]), "allocating");
        for (uint64_t at = 0; at < bench->room; at += piece_count) {
            const uint64_t left = bench->room - at < piece_count ? bench->room - at : piece_count;
            bench_check(jr_memory_write(context, bench->d_in[i] + at, piece, left * sizeof *piece), "copying");
        }
    }
    free(piece);
}

static void open_peer(const char *path, group_bench *bench) {
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    group_peer_get_fn get = NULL;
    if (library != NULL) *(void **)&get = dlsym(library, "group_peer_get");
    bench_demand(get != NULL, "%s is not a peer: %s", path, library == NULL ? dlerror() : "it has no group_peer_get");
    bench->peer = get();
    bench_demand(bench->peer->version == GROUP_PEER_VERSION, "%s was built with another group_peer.h", path);
    bench->handle = bench->peer->open((int)bench->devices, bench->ordinals, bench->room);
    bench_demand(bench->handle != NULL, "%s cannot use these devices", bench->peer->name);
    printf("# peer: %s\n", bench->peer->name);
}

static void read_counts(group_bench *bench, int count, char **texts) {
    static const uint64_t usual[] = {1 << 10, 1 << 20, 1 << 24, 1 << 28};
    for (int i = 0; i < count && i < COUNTS_MAX; i++) bench->counts[bench->count_count++] = strtoull(texts[i], NULL, 0);
    for (size_t i = 0; count <= 0 && i < (bench->simulated ? 1 : 4); i++)
        bench->counts[bench->count_count++] = usual[i];
    for (int i = 0; i < bench->count_count; i++) {
        bench_demand(bench->counts[i] > 0, "a count is 0 or no number");
        if (bench->room < bench->counts[i]) bench->room = bench->counts[i];
    }
    const uint64_t least = bench->simulated ? 1 << 12 : 1 << 28;
    if (bench->room < least) bench->room = least;
}

static void close_all(group_bench *bench) {
    if (bench->peer != NULL) bench->peer->close(bench->handle);
    jr_allreduce_destroy(bench->allreduce);
    jr_group_plan_destroy(bench->plan);
    jr_plan_destroy(bench->one);
    for (size_t i = 0; i < bench->devices; i++) {
        jr_memory_free(jr_group_context(bench->group, i), bench->d_in[i]);
        jr_memory_free(jr_group_context(bench->group, i), bench->d_out[i]);
    }
    jr_group_close(bench->group);
}

int main(int argc, char **argv) {
    static group_bench bench;
    const char *named = getenv("JITREDUCE_DEVICE");
    open_group(argc > 1 ? argv[1] : named != NULL && strncmp(named, "sim", 3) == 0 ? "sim:all" : "cuda:all", &bench);
    bench.rounds = argc > 2 ? bench_number(argv[2]) : bench.simulated ? 1 : 101;
    bench_demand(bench.rounds >= 1 && bench.rounds <= ROUNDS_MAX, "%d rounds: 1 to %d", bench.rounds, ROUNDS_MAX);
    read_counts(&bench, argc - 4, argv + 4);
    make_plans(&bench);
    fill(&bench);
    if (argc > 3 && strcmp(argv[3], "-") != 0) open_peer(argv[3], &bench);
    printf("devices,elements,measure,contestant,median_us,least_us\n");
    for (int i = 0; i < bench.count_count; i++) {
        measure_count(&bench, bench.counts[i]);
        print_count(&bench, bench.counts[i]);
    }
    close_all(&bench);
    return 0;
}
