/* group_bench: the sum of f32 on several GPUs: from the call to the scalar, and to the result on every GPU.
 *
 * usage: group_bench [DEVICES [ROUNDS [PEER.so|- [COUNT...]]]]
 *   DEVICES   see jr_group_options (cuda:all; on the simulator sim:all)
 *   ROUNDS    samples of each contestant (101; on the simulator 1)
 *   PEER.so   a library with the interface of group_peer.h: tools/bench/peer_cub_nccl.cu
 *   COUNT     elements per GPU (2^10, 2^20, 2^24, 2^28; on the simulator 1024)
 *
 * CSV, a row for each measure and contestant: the median and the least time of a call in microseconds. Contestants take
 * turns in every round, each with BEFORE calls before the timed ones, so that launching threads are awake. Measures:
 * `scalar`, from the call until the host has the number; `devices`, from the call until all streams are synchronised,
 * with the result on every GPU; `batch`, the same for BATCH calls in a row, divided by their number. Contestants:
 * `group`, all GPUs; `turns`, the same, launched by one thread on one GPU after the other; `one`, a plan of the first
 * GPU's elements alone; the peer. Runs take different buffers in turn, so that small data are not in the caches. Fails
 * where a sum is wrong. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "group_stage.h"

enum { BATCH = 20, BEFORE = 3 };
enum { SCALAR, DEVICES, BATCHED, MEASURES };
enum { GROUP, TURNS, ONE, PEER, CONTESTANTS };
enum { SORTS = 2 }; /* GROUP and TURNS */

typedef struct group_bench {
    group_stage stage;
    jr_group *turns; /* of the same GPUs */
    jr_group_plan *plans[SORTS];
    jr_allreduce *allreduces[SORTS];
    jr_plan *one;
    uint64_t at; /* where the next call's elements begin */
    double us[MEASURES][CONTESTANTS][GROUP_ROUNDS_MAX];
} group_bench;

/* ---- contestants ---- */

/* Each call takes each GPU's next elements. */
static void make_call(group_bench *bench, uint64_t count, group_call *made) {
    bench->at = bench->at + 2 * count <= bench->stage.room ? bench->at + count : 0;
    group_stage_call(&bench->stage, bench->at, count, made);
}

static void peer_did(int error, const group_bench *bench) {
    bench_demand(error == 0, "%s failed with %d", bench->stage.peer->name, error);
}

static float get_scalar(const group_bench *bench, int who, const group_call *made) {
    jr_value value = {.as.f32 = 0};
    if (who < SORTS) bench_check(jr_group_plan_value(bench->plans[who], &made->parts, &value), "reducing by the group");
    if (who == ONE)
        bench_check(jr_plan_value(bench->one, made->arrays, made->counts[0], NULL, &value), "reducing by one");
    if (who == PEER)
        peer_did(bench->stage.peer->value(bench->stage.handle, (const float *const *)made->arrays, made->counts[0],
                                          &value.as.f32),
                 bench);
    return value.as.f32;
}

static void put_results(const group_bench *bench, int who, const group_call *made) {
    if (who < SORTS)
        bench_check(jr_allreduce_run(bench->allreduces[who], &made->parts, (void *const *)bench->stage.d_out),
                    "reducing to all");
    if (who == ONE)
        bench_check(jr_plan_run(bench->one, made->arrays[0], made->counts[0], bench->stage.d_out[0], NULL, NULL),
                    "running");
    if (who == PEER)
        peer_did(bench->stage.peer->run(bench->stage.handle, (const float *const *)made->arrays, made->counts[0]),
                 bench);
}

static void wait_for_all(const group_bench *bench, int who) {
    if (who < SORTS) bench_check(jr_allreduce_wait(bench->allreduces[who]), "waiting for all");
    if (who == ONE) bench_check(jr_stream_wait(jr_group_context(bench->stage.group, 0), NULL), "waiting");
    if (who == PEER) peer_did(bench->stage.peer->wait(bench->stage.handle), bench);
}

/* ---- measuring ---- */

static double measure(group_bench *bench, int what, int who, uint64_t count, float *sum) {
    group_call made[BATCH];
    const int calls = what == BATCHED ? BATCH : 1;
    double begin = 0;
    for (int before = BEFORE; before >= 0; before--) {
        const int now = before > 0 ? 1 : calls;
        for (int i = 0; i < now; i++) make_call(bench, count, &made[i]);
        begin = jr_clock_ms();
        if (what == SCALAR) {
            *sum = get_scalar(bench, who, made);
        } else {
            for (int i = 0; i < now; i++) put_results(bench, who, &made[i]);
            wait_for_all(bench, who);
        }
    }
    return (jr_clock_ms() - begin) * 1e3 / calls;
}

/* Values are from 0 to 1: every sum is near half the count. */
static void check_sum(double sum, double elements, int who) {
    bench_demand(fabs(sum - elements / 2) < elements / 10, "the sum of %g elements by contestant %d is %g", elements,
                 who, sum);
}

static void check_devices(const group_bench *bench, uint64_t count) {
    uint32_t bits[GROUP_DEVICES_MAX];
    float sum;
    for (size_t i = 0; i < bench->stage.devices; i++) {
        bench_check(
            jr_memory_read(jr_group_context(bench->stage.group, i), &bits[i], bench->stage.d_out[i], sizeof *bits),
            "reading a result");
        bench_demand(bits[i] == bits[0], "GPU %zu has another result than the first", i);
    }
    memcpy(&sum, bits, sizeof sum);
    check_sum((double)sum, (double)count * (double)bench->stage.devices, GROUP);
}

static void measure_count(group_bench *bench, uint64_t count) {
    for (int round = -1; round < bench->stage.rounds; round++) /* the first one warms up */
        for (int what = 0; what < MEASURES; what++)
            for (int who = 0; who < CONTESTANTS; who++) {
                float sum = 0;
                if (who == PEER && bench->stage.peer == NULL) continue;
                const double us = measure(bench, what, who, count, &sum);
                if (round >= 0) bench->us[what][who][round] = us;
                if (what == SCALAR)
                    check_sum((double)sum, (double)count * (who == ONE ? 1 : (double)bench->stage.devices), who);
                if (what == DEVICES && who < SORTS) check_devices(bench, count);
            }
}

static void print_count(group_bench *bench, uint64_t count) {
    static const char *const measures[] = {"scalar", "devices", "batch"}, *const contestants[] = {"group", "turns",
                                                                                                  "one"};
    for (int what = 0; what < MEASURES; what++)
        for (int who = 0; who < CONTESTANTS; who++)
            if (who != PEER)
                group_stage_print(&bench->stage, count, measures[what], contestants[who], bench->us[what][who]);
            else if (bench->stage.peer != NULL)
                group_stage_print(&bench->stage, count, measures[what], bench->stage.peer->name, bench->us[what][who]);
}

/* ---- what is measured with ---- */

static void make_plans(group_bench *bench) {
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F32);
    jr_group *const groups[SORTS] = {bench->stage.group, bench->turns};
    for (int i = 0; i < SORTS; i++) {
        bench_check(jr_group_plan_create(groups[i], &spec, &bench->plans[i]), "making a plan");
        bench_check(jr_allreduce_create(groups[i], &spec, NULL, &bench->allreduces[i]), "making an all-reduce");
    }
    bench_check(jr_plan_create(jr_group_context(bench->stage.group, 0), &spec, &bench->one), "making a plan of one");
    printf("# way of the all-reduce: %d\n", (int)jr_allreduce_way_of(bench->allreduces[GROUP]));
}

static void open_turns(group_bench *bench) {
    jr_context *contexts[GROUP_DEVICES_MAX];
    for (size_t i = 0; i < bench->stage.devices; i++) contexts[i] = jr_group_context(bench->stage.group, i);
    bench_check(jr_group_open(&JR_INIT(jr_group_options, .contexts = contexts, .context_count = bench->stage.devices,
                                       .launch_look_us = -1),
                              &bench->turns),
                "opening a group without threads");
}

static void close_plans(group_bench *bench) {
    for (int i = 0; i < SORTS; i++) {
        jr_allreduce_destroy(bench->allreduces[i]);
        jr_group_plan_destroy(bench->plans[i]);
    }
    jr_plan_destroy(bench->one);
    jr_group_close(bench->turns);
}

/* Values from 0 to 1 that differ: places times 2^32 by the golden ratio. */
static float element(uint64_t place, size_t device) {
    (void)device;
    return (float)(((uint32_t)place * 2654435769u) >> 8) * 0x1p-24f;
}

int main(int argc, char **argv) {
    static const uint64_t usual[] = {1 << 10, 1 << 20, 1 << 24, 1 << 28};
    static group_bench bench;
    group_stage_open(argc, argv, 4, usual, &bench.stage);
    open_turns(&bench);
    make_plans(&bench);
    const uint64_t least = bench.stage.simulated ? 1 << 12 : 1 << 28;
    group_stage_fill(&bench.stage, bench.stage.most > least ? bench.stage.most : least, 1, element);
    if (argc > 3) group_stage_open_peer(&bench.stage, argv[3]);
    printf("devices,elements,measure,contestant,median_us,least_us\n");
    for (int i = 0; i < bench.stage.count_count; i++) {
        measure_count(&bench, bench.stage.counts[i]);
        print_count(&bench, bench.stage.counts[i]);
    }
    close_plans(&bench);
    group_stage_close(&bench.stage);
    return 0;
}
