/* group_fold_bench: arrays of f32 of which every GPU has one, added element by element into an array on every GPU.
 *
 * usage: group_fold_bench [DEVICES [ROUNDS [PEER.so|- [COUNT...]]]]
 *   DEVICES   as of jr_group_options (cuda:all; on the simulator sim:all)
 *   ROUNDS    samples of each contestant (101; on the simulator 1)
 *   PEER.so   a library behind group_peer.h, as tools/bench/peer_cub_nccl.cu, whose NCCL adds
 *   COUNT     elements of an array (2^10, 2^17, 2^20, 2^24; on the simulator 1024)
 *
 * CSV, a row for each count and contestant: the median and the least time in microseconds from the call until all
 * streams have been waited for; `batch`: of BATCH calls one behind the other, divided by their number. Contestants take
 * turns in every round: `peers`, `nccl` where it is there, `host`: ways of jr_allreduce_segment_create, with segments
 * of one element on each GPU; the peer. Fails where a result is wrong. */
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "bench.h"
#include "group_peer.h"

enum { ROUNDS_MAX = 1001, BATCH = 20, DEVICES_MAX = 16, COUNTS_MAX = 16 };
enum { PEERS, NCCL, HOST, PEER, CONTESTANTS };

typedef struct fold_bench {
    jr_group *group;
    size_t devices;
    bool simulated;
    int ordinals[DEVICES_MAX], rounds, count_count;
    uint64_t counts[COUNTS_MAX], most;
    const group_peer *peer; /* NULL: none */
    void *handle;           /* of the peer */
    jr_allreduce *ways[PEER];
    float *d_in[DEVICES_MAX], *d_out[DEVICES_MAX];
    double us[2][CONTESTANTS][ROUNDS_MAX];
} fold_bench;

static bool is_there(const fold_bench *bench, int who) {
    return who == PEER ? bench->peer != NULL : bench->ways[who] != NULL;
}

static void fold(const fold_bench *bench, int who, uint64_t count) {
    const void *arrays[DEVICES_MAX];
    const void *const *in[DEVICES_MAX];
    uint64_t counts[DEVICES_MAX];
    for (size_t i = 0; i < bench->devices; i++) {
        arrays[i] = bench->d_in[i];
        in[i] = &arrays[i];
        counts[i] = count;
    }
    const jr_group_parts parts = JR_INIT(jr_group_parts, .d_in = in, .counts = counts);
    if (who != PEER) {
        bench_check(jr_allreduce_run(bench->ways[who], &parts, (void *const *)bench->d_out), "folding");
        return;
    }
    const int error = bench->peer->fold(bench->handle, (const float *const *)bench->d_in, bench->d_out, count);
    bench_demand(error == 0, "%s failed with %d", bench->peer->name, error);
}

static void wait_for_all(const fold_bench *bench, int who) {
    if (who != PEER)
        bench_check(jr_allreduce_wait(bench->ways[who]), "waiting");
    else
        bench_demand(bench->peer->wait(bench->handle) == 0, "%s failed", bench->peer->name);
}

static double measure(const fold_bench *bench, int who, uint64_t count, int calls) {
    const double begin = jr_clock_ms();
    for (int i = 0; i < calls; i++) fold(bench, who, count);
    wait_for_all(bench, who);
    return (jr_clock_ms() - begin) * 1e3 / calls;
}

/* Element e of GPU i is e % 1000 + i. */
static void check_results(const fold_bench *bench, int who, uint64_t count) {
    const double devices = (double)bench->devices;
    const uint64_t at[] = {0, count / 2, count - 1};
    for (size_t i = 0; i < bench->devices; i++)
        for (size_t k = 0; k < sizeof at / sizeof *at; k++) {
            float found = 0;
            const double wanted = devices * (double)(at[k] % 1000) + devices * (devices - 1) / 2;
            bench_check(
                jr_memory_read(jr_group_context(bench->group, i), &found, bench->d_out[i] + at[k], sizeof found),
                "reading a result");
            bench_demand(fabs((double)found - wanted) < 0.5, "result %llu of GPU %zu by contestant %d is %g, not %g",
                         (unsigned long long)at[k], i, who, (double)found, wanted);
        }
}

static void measure_count(fold_bench *bench, uint64_t count) {
    static const char *const names[] = {"peers", "nccl", "host"};
    static const int calls[] = {1, BATCH};
    for (int round = -1; round < bench->rounds; round++) /* the first one warms up */
        for (int who = 0; who < CONTESTANTS; who++)
            for (int batch = 0; batch < 2 && is_there(bench, who); batch++) {
                const double us = measure(bench, who, count, calls[batch]);
                if (round >= 0) bench->us[batch][who][round] = us;
                if (round < 1) check_results(bench, who, count);
            }
    for (int batch = 0; batch < 2; batch++)
        for (int who = 0; who < CONTESTANTS; who++) {
            if (!is_there(bench, who)) continue;
            const double median = bench_median(bench->us[batch][who], bench->rounds); /* sorted now */
            printf("%zu,%llu,%s,%s,%.2f,%.2f\n", bench->devices, (unsigned long long)count,
                   batch == 0 ? "devices" : "batch", who == PEER ? bench->peer->name : names[who], median,
                   bench->us[batch][who][0]);
        }
    fflush(stdout);
}

/* ---- what is measured with ---- */

static void open_group(const char *devices, fold_bench *bench) {
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

/* Which of them can be gone. */
static void make_ways(fold_bench *bench) {
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F32);
    jr_segment_layout layouts[DEVICES_MAX];
    for (size_t i = 0; i < bench->devices; i++)
        layouts[i] = JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_EQUAL, .length = 1);
    for (int way = JR_ALLREDUCE_PEERS; way <= JR_ALLREDUCE_HOST; way++) {
        const jr_allreduce_options options = JR_INIT(jr_allreduce_options, .way = (jr_allreduce_way)way);
        jr_allreduce **made = &bench->ways[way - JR_ALLREDUCE_PEERS];
        if (jr_allreduce_segment_create(bench->group, &spec, layouts, &options, made) != JR_OK)
            printf("# way %d: %s\n", way, jr_last_error()->message);
    }
}

static void read_counts(fold_bench *bench, int count, char **texts) {
    static const uint64_t usual[] = {1 << 10, 1 << 17, 1 << 20, 1 << 24};
    for (int i = 0; i < count && i < COUNTS_MAX; i++) bench->counts[bench->count_count++] = strtoull(texts[i], NULL, 0);
    for (size_t i = 0; count <= 0 && i < (bench->simulated ? 1 : 4); i++)
        bench->counts[bench->count_count++] = usual[i];
    for (int i = 0; i < bench->count_count; i++) {
        bench_demand(bench->counts[i] > 0, "a count is 0 or no number");
        if (bench->most < bench->counts[i]) bench->most = bench->counts[i];
    }
}

static void fill(fold_bench *bench) {
    float *numbers = malloc(bench->most * sizeof *numbers);
    bench_demand(numbers != NULL, "no host memory");
    for (size_t i = 0; i < bench->devices; i++) {
        jr_context *context = jr_group_context(bench->group, i);
        for (uint64_t e = 0; e < bench->most; e++) numbers[e] = (float)(e % 1000 + i);
        bench_check(jr_memory_new(context, bench->most * sizeof *numbers, (void **)&bench->d_in[i]), "allocating");
        bench_check(jr_memory_new(context, bench->most * sizeof *numbers, (void **)&bench->d_out[i]), "allocating");
        bench_check(jr_memory_write(context, bench->d_in[i], numbers, bench->most * sizeof *numbers), "copying");
    }
    free(numbers);
}

static void open_peer(const char *path, fold_bench *bench) {
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    group_peer_get_fn get = NULL;
    if (library != NULL) *(void **)&get = dlsym(library, "group_peer_get");
    bench_demand(get != NULL, "%s is not a peer: %s", path, library == NULL ? dlerror() : "it has no group_peer_get");
    bench->peer = get();
    bench_demand(bench->peer->version == GROUP_PEER_VERSION, "%s was built with another group_peer.h", path);
    bench->handle = bench->peer->open((int)bench->devices, bench->ordinals, bench->most);
    bench_demand(bench->handle != NULL, "%s cannot use these devices", bench->peer->name);
    printf("# peer: %s\n", bench->peer->name);
}

static void close_all(fold_bench *bench) {
    if (bench->peer != NULL) bench->peer->close(bench->handle);
    for (int way = 0; way < PEER; way++) jr_allreduce_destroy(bench->ways[way]);
    for (size_t i = 0; i < bench->devices; i++) {
        jr_memory_free(jr_group_context(bench->group, i), bench->d_in[i]);
        jr_memory_free(jr_group_context(bench->group, i), bench->d_out[i]);
    }
    jr_group_close(bench->group);
}

int main(int argc, char **argv) {
    static fold_bench bench;
    const char *named = getenv("JITREDUCE_DEVICE");
    open_group(argc > 1 ? argv[1] : named != NULL && strncmp(named, "sim", 3) == 0 ? "sim:all" : "cuda:all", &bench);
    bench.rounds = argc > 2 ? bench_number(argv[2]) : bench.simulated ? 1 : 101;
    bench_demand(bench.rounds >= 1 && bench.rounds <= ROUNDS_MAX, "%d rounds: 1 to %d", bench.rounds, ROUNDS_MAX);
    read_counts(&bench, argc - 4, argv + 4);
    make_ways(&bench);
    fill(&bench);
    if (argc > 3 && strcmp(argv[3], "-") != 0) open_peer(argv[3], &bench);
    printf("devices,elements,measure,contestant,median_us,least_us\n");
    for (int i = 0; i < bench.count_count; i++) measure_count(&bench, bench.counts[i]);
    close_all(&bench);
    return 0;
}
