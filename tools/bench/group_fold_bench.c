/* group_fold_bench: arrays of f32 of which every GPU has one, added element by element into an array on every GPU.
 *
 * usage: group_fold_bench [DEVICES [ROUNDS [PEER.so|- [COUNT...]]]]
 *   DEVICES   see jr_group_options (cuda:all; on the simulator sim:all)
 *   ROUNDS    samples of each contestant (101; on the simulator 1)
 *   PEER.so   a library with the interface of group_peer.h: tools/bench/peer_cub_nccl.cu (NCCL adds)
 *   COUNT     elements of an array (2^10, 2^17, 2^20, 2^24; on the simulator 1024)
 *
 * CSV, a row for each count and contestant: the median and the least time in microseconds from the call until all
 * streams are synchronised; `batch`: for BATCH calls in a row, divided by their number. Contestants take turns in every
 * round: `peers`, `nccl` where it is there, `host`: ways of jr_allreduce_segment_create, with segments of one element
 * on each GPU; the peer. Fails where a result is wrong. */
#include <math.h>
#include <stdio.h>

#include "base/clock.h"
#include "group_stage.h"

enum { BATCH = 20 };
enum { PEERS, NCCL, HOST, PEER, CONTESTANTS };

typedef struct fold_bench {
    group_stage stage;
    jr_allreduce *ways[PEER];
    double us[2][CONTESTANTS][GROUP_ROUNDS_MAX];
} fold_bench;

static bool is_there(const fold_bench *bench, int who) {
    return who == PEER ? bench->stage.peer != NULL : bench->ways[who] != NULL;
}

static void fold(const fold_bench *bench, int who, uint64_t count) {
    group_call made;
    group_stage_call(&bench->stage, 0, count, &made);
    if (who != PEER) {
        bench_check(jr_allreduce_run(bench->ways[who], &made.parts, (void *const *)bench->stage.d_out), "folding");
        return;
    }
    const int error = bench->stage.peer->fold(bench->stage.handle, (const float *const *)bench->stage.d_in,
                                              bench->stage.d_out, count);
    bench_demand(error == 0, "%s failed with %d", bench->stage.peer->name, error);
}

static void wait_for_all(const fold_bench *bench, int who) {
    if (who != PEER)
        bench_check(jr_allreduce_wait(bench->ways[who]), "waiting");
    else
        bench_demand(bench->stage.peer->wait(bench->stage.handle) == 0, "%s failed", bench->stage.peer->name);
}

static double measure(const fold_bench *bench, int who, uint64_t count, int calls) {
    const double begin = jr_clock_ms();
    for (int i = 0; i < calls; i++) fold(bench, who, count);
    wait_for_all(bench, who);
    return (jr_clock_ms() - begin) * 1e3 / calls;
}

/* Element e of GPU i is e % 1000 + i. */
static void check_results(const fold_bench *bench, int who, uint64_t count) {
    const double devices = (double)bench->stage.devices;
    const uint64_t at[] = {0, count / 2, count - 1};
    for (size_t i = 0; i < bench->stage.devices; i++)
        for (size_t k = 0; k < sizeof at / sizeof *at; k++) {
            float found = 0;
            const double wanted = devices * (double)(at[k] % 1000) + devices * (devices - 1) / 2;
            bench_check(jr_memory_read(jr_group_context(bench->stage.group, i), &found, bench->stage.d_out[i] + at[k],
                                       sizeof found),
                        "reading a result");
            bench_demand(fabs((double)found - wanted) < 0.5, "result %llu of GPU %zu by contestant %d is %g, not %g",
                         (unsigned long long)at[k], i, who, (double)found, wanted);
        }
}

static void measure_count(fold_bench *bench, uint64_t count) {
    static const char *const names[] = {"peers", "nccl", "host"};
    static const int calls[] = {1, BATCH};
    for (int round = -1; round < bench->stage.rounds; round++) /* the first one warms up */
        for (int who = 0; who < CONTESTANTS; who++)
            for (int batch = 0; batch < 2 && is_there(bench, who); batch++) {
                const double us = measure(bench, who, count, calls[batch]);
                if (round >= 0) bench->us[batch][who][round] = us;
                if (round < 1) check_results(bench, who, count);
            }
    for (int batch = 0; batch < 2; batch++)
        for (int who = 0; who < CONTESTANTS; who++) {
            if (!is_there(bench, who)) continue;
            group_stage_print(&bench->stage, count, batch == 0 ? "devices" : "batch",
                              who == PEER ? bench->stage.peer->name : names[who], bench->us[batch][who]);
        }
}

/* ---- what is measured with ---- */

/* Which of them can be gone. */
static void make_ways(fold_bench *bench) {
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F32);
    jr_segment_layout layouts[GROUP_DEVICES_MAX];
    for (size_t i = 0; i < bench->stage.devices; i++)
        layouts[i] = JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_EQUAL, .length = 1);
    for (int way = JR_ALLREDUCE_PEERS; way <= JR_ALLREDUCE_HOST; way++) {
        const jr_allreduce_options options = JR_INIT(jr_allreduce_options, .way = (jr_allreduce_way)way);
        jr_allreduce **made = &bench->ways[way - JR_ALLREDUCE_PEERS];
        if (jr_allreduce_segment_create(bench->stage.group, &spec, layouts, &options, made) != JR_OK)
            printf("# way %d: %s\n", way, jr_last_error()->message);
    }
}

static float element(uint64_t place, size_t device) {
    return (float)(place % 1000 + device);
}

int main(int argc, char **argv) {
    static const uint64_t usual[] = {1 << 10, 1 << 17, 1 << 20, 1 << 24};
    static fold_bench bench;
    group_stage_open(argc, argv, 4, usual, &bench.stage);
    make_ways(&bench);
    group_stage_fill(&bench.stage, bench.stage.most, bench.stage.most, element);
    if (argc > 3) group_stage_open_peer(&bench.stage, argv[3]);
    printf("devices,elements,measure,contestant,median_us,least_us\n");
    for (int i = 0; i < bench.stage.count_count; i++) measure_count(&bench, bench.stage.counts[i]);
    for (int way = 0; way < PEER; way++) jr_allreduce_destroy(bench.ways[way]);
    group_stage_close(&bench.stage);
    return 0;
}
