/* group_bench: what groups of GPUs take, compared with one GPU and a peer.
 *
 * usage: group_bench [WORK [DEVICES [ROUNDS [PEER.so|- [COUNT...]]]]]
 *   WORK      sum, fold, scan, or ranks:N for N processes with a GPU each; default: one after the other, N = 2
 *   DEVICES   see jr_group_options (cuda:all; on the simulator sim:all); with ranks cuda or sim: rank r has cuda:r
 *   ROUNDS    samples of each contestant (101; on the simulator 1)
 *   PEER.so   of sum and fold: a library with the interface of group_peer.h: tools/bench/peer_cub_nccl.cu
 *   COUNT     elements of f32 per GPU (2^10 to 2^28; on the simulator 1024)
 *
 * CSV, a row for each measure and contestant: the median and the least time of a call in microseconds. Contestants take
 * turns in every round. Calls take different elements in turn, so that small data are not in the caches. Fails where a
 * result is wrong.
 *
 * sum    The sum, with 3 calls before the timed ones, so that launching threads are awake. Measures: `scalar`, from the
 *        call until the host has the number; `devices`, until all streams are synchronised, with the result on every
 *        GPU; `batch`, the same for 20 calls in a row, divided by their number. Contestants: `group`, all GPUs;
 * `turns`, the same, launched by one thread on one GPU after the other; `one`, a plan of the first GPU's elements
 * alone; the peer. fold   Arrays of which every GPU has one, added element by element into an array on every GPU:
 * `devices` and `batch`, by `peers`, `nccl` where it is there, `host` (ways of an all-reduce of segments of one
 * element), the peer. scan   Running sums, until all streams are synchronised: `group`, all GPUs, each of which folds
 * its part and then scans it; `one`, a plan of the first GPU's elements alone, which needs no fold. ranks  The sum,
 * from the call to the value on every rank: `group`; `allgather`, the transport alone with 64 bytes of each; `one`, a
 * plan of the rank's own elements. */
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "group_works.h"

static double measure(group_bench *bench, int what, int who, uint64_t count) {
    static group_call made[BATCH];
    const int calls = strcmp(bench->work->measures[what], "batch") == 0 ? BATCH : 1;
    double begin = 0;
    for (int before = bench->work->before; before >= 0; before--) {
        const int now = before > 0 ? 1 : calls;
        for (int i = 0; i < now; i++) group_stage_next(&bench->stage, count, &made[i]);
        group_stage_gather(&bench->stage); /* ranks begin at the same time */
        begin = jr_clock_ms();
        for (int i = 0; i < now; i++) bench->work->call(bench, what, who, &made[i]);
        group_wait(bench, what, who);
    }
    return (jr_clock_ms() - begin) * 1e3 / calls;
}

static void measure_count(group_bench *bench, uint64_t count) {
    const char *const *measures = bench->work->measures;
    for (int round = -1; round < bench->stage.rounds; round++) /* the first one warms up */
        for (int what = 0; what < MEASURES_MAX && measures[what] != NULL; what++)
            for (int who = 0; who < CONTESTANTS; who++) {
                if (!group_is_there(bench, who)) continue;
                const double us = measure(bench, what, who, count);
                if (round >= 0) bench->us[what][who][round] = us;
                if (round < 1) bench->work->check(bench, what, who, count);
            }
    for (int what = 0; what < MEASURES_MAX && measures[what] != NULL; what++)
        for (int who = 0; who < CONTESTANTS; who++)
            if (group_is_there(bench, who))
                group_stage_print(&bench->stage, count, measures[what], group_contestant(bench, who),
                                  bench->us[what][who]);
}

static void run_work(const group_work *work, int ranks, int argc, char **argv) {
    static group_bench bench;
    group_stage *stage = &bench.stage;
    bench.work = work;
    group_stage_open(argc, argv, work->usual, ranks, stage);
    work->make(&bench);
    const uint64_t least = stage->simulated && work->room > 0 ? 1 << 12 : work->room;
    group_stage_fill(stage, stage->most > least ? stage->most : least, work->has_arrays ? stage->most : 1,
                     work->element);
    if (argc > 2) group_stage_open_peer(stage, argv[2]);
    if (jr_group_first(stage->group) == 0) printf("devices,elements,measure,contestant,median_us,least_us\n");
    for (int i = 0; i < stage->count_count; i++) measure_count(&bench, stage->counts[i]);
    for (int i = 0; i < PEER; i++) jr_allreduce_destroy(bench.ways[i]);
    for (int i = 0; i < SORTS; i++) jr_group_plan_destroy(bench.plans[i]);
    jr_plan_destroy(bench.one);
    jr_group_close(bench.turns);
    group_stage_close(stage);
}

/* Each work in a process of its own: ranks are forked before a device is open. */
static void run_all(const void *work, double *done) {
    run_work(work, strcmp(((const group_work *)work)->name, "ranks") == 0 ? 2 : 0, 0, NULL);
    *done = 1;
}

int main(int argc, char **argv) {
    double done;
    for (int w = 0; argc < 2 && w < group_work_count; w++) bench_fresh(run_all, &group_works[w], &done, 1);
    if (argc < 2) return 0;
    const char *const colon = strchr(argv[1], ':');
    const size_t length = colon != NULL ? (size_t)(colon - argv[1]) : strlen(argv[1]);
    for (int w = 0; w < group_work_count; w++) {
        const bool of_ranks = strcmp(group_works[w].name, "ranks") == 0;
        if (strncmp(argv[1], group_works[w].name, length) != 0 || group_works[w].name[length] != '\0' ||
            of_ranks != (colon != NULL))
            continue;
        run_work(&group_works[w], of_ranks ? bench_number(colon + 1) : 0, argc - 2, argv + 2);
        return 0;
    }
    bench_demand(false, "'%s' is not a work: sum, fold, scan or ranks:N", argv[1]);
}
