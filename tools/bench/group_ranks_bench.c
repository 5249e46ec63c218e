/* group_ranks_bench: the sum of f32 over ranks of one host with a GPU each: from the call to the value on every rank.
 *
 * usage: group_ranks_bench [KIND [ROUNDS [RANKS [COUNT...]]]]
 *   KIND    cuda or sim (as JITREDUCE_DEVICE says, else cuda): rank r has the device KIND:r; on the simulator all have
 *           one of their own
 *   ROUNDS  samples (101; on the simulator 1), 1 to 1001
 *   RANKS   processes (1; on the simulator 2), 1 to 16
 *   COUNT   elements a rank (2^10, 2^20, 2^24; on the simulator 1024)
 *
 * Ranks are forked processes, whose transport is shared memory that all look at in a loop: what is left is what groups
 * take themselves. CSV, of the first rank: median and least time in microseconds of `value`, a call of the group; of
 * `allgather`, the transport alone with 64 bytes of each; of `one`, a plan of the rank's own elements. Elements are
 * gone through as in group_bench. Fails where a sum is wrong. */
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "bench.h"
#include "jitreduce/group.h"

enum { RANKS_MAX = 16, ROUNDS_MAX = 1001, ROOM_BYTES = 1 << 16, COUNTS_USUAL = 3 };
enum { VALUE, ALLGATHER, ONE, MEASURES };

/* What ranks share: whose turn is how far, and two turns' bytes of each. */
typedef struct table {
    _Alignas(128) uint64_t turns[RANKS_MAX][16]; /* a line of the cache or two for each */
    unsigned char bytes[2][RANKS_MAX][ROOM_BYTES];
} table;

typedef struct ranks_bench {
    table *at;
    int rank, ranks, rounds;
    bool simulated;
    uint64_t turn, room, from; /* elements of the buffer, and where the next call's begin */
    float *d_in;
    jr_context *context;
    jr_group_plan *plan;
    jr_plan *one;
    double us[MEASURES][ROUNDS_MAX];
} ranks_bench;

/* A rank that writes turn n + 2 has read all of turn n + 1, for which the others had to read turn n. */
static int gather(void *user, const void *mine, size_t bytes, void *all) {
    ranks_bench *own = user;
    const uint64_t turn = ++own->turn;
    if (bytes > ROOM_BYTES) return 1;
    memcpy(own->at->bytes[turn % 2][own->rank], mine, bytes);
    __atomic_store_n(&own->at->turns[own->rank][0], turn, __ATOMIC_RELEASE);
    for (int r = 0; r < own->ranks; r++) {
        while (__atomic_load_n(&own->at->turns[r][0], __ATOMIC_ACQUIRE) < turn) {
        }
        memcpy((char *)all + (size_t)r * bytes, own->at->bytes[turn % 2][r], bytes);
    }
    return 0;
}

static void gather_bytes(ranks_bench *own) {
    enum { BYTES = 64 };
    unsigned char mine[BYTES] = {0}, all[RANKS_MAX * BYTES];
    bench_demand(gather(own, mine, BYTES, all) == 0, "gathering failed");
}

/* ---- measuring ---- */

static void reduce(ranks_bench *own, int what, uint64_t count) {
    own->from = own->from + 2 * count <= own->room ? own->from + count : 0;
    const void *const arrays[] = {own->d_in + own->from};
    const void *const *const in[] = {arrays};
    const jr_group_parts parts = JR_INIT(jr_group_parts, .d_in = in, .counts = &count);
    jr_value value = {.as.f32 = 0};
    if (what == VALUE) bench_check(jr_group_plan_value(own->plan, &parts, &value), "reducing by the group");
    if (what == ONE) bench_check(jr_plan_value(own->one, arrays, count, NULL, &value), "reducing by one");
    const double elements = (double)count * (what == VALUE ? own->ranks : 1);
    bench_demand(fabs((double)value.as.f32 - elements / 2) < elements / 10, "the sum of %g elements is %g", elements,
                 (double)value.as.f32);
}

/* All begin at a time. */
static double measure(ranks_bench *own, int what, uint64_t count) {
    gather_bytes(own);
    const double begin_ms = jr_clock_ms();
    if (what == ALLGATHER)
        gather_bytes(own);
    else
        reduce(own, what, count);
    return (jr_clock_ms() - begin_ms) * 1e3;
}

static void measure_count(ranks_bench *own, uint64_t count) {
    static const char *const names[] = {"value", "allgather", "one"};
    for (int round = -1; round < own->rounds; round++) /* the first one warms up */
        for (int what = 0; what < MEASURES; what++) {
            const double us = measure(own, what, count);
            if (round >= 0) own->us[what][round] = us;
        }
    for (int what = 0; own->rank == 0 && what < MEASURES; what++) {
        const double median = bench_median(own->us[what], own->rounds); /* sorted now */
        printf("%d,%llu,%s,%.2f,%.2f\n", own->ranks, (unsigned long long)count, names[what], median, own->us[what][0]);
    }
    fflush(stdout);
}

/* ---- ranks ---- */

/* Values from 0 to 1 that differ: places times 2^32 by the golden ratio. */
static void fill(ranks_bench *own) {
    float *host = malloc(own->room * sizeof *host);
    bench_demand(host != NULL, "no host memory");
    for (uint64_t i = 0; i < own->room; i++) host[i] = (float)(((uint32_t)i * 2654435769u) >> 8) * 0x1p-24f;
    bench_check(jr_memory_new(own->context, own->room * sizeof *host, (void **)&own->d_in), "allocating");
    bench_check(jr_memory_write(own->context, own->d_in, host, own->room * sizeof *host), "copying");
    free(host);
}

static void work(ranks_bench *own, const uint64_t *counts, int count_count) {
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F32);
    char device[32];
    jr_group *group = NULL;
    snprintf(device, sizeof device, own->simulated ? "sim" : "cuda:%d", own->rank);
    const jr_group_options options = JR_INIT(jr_group_options, .devices = device, .allgather = gather, .user = own,
                                             .rank = own->rank, .ranks = own->ranks);
    bench_check(jr_group_open(&options, &group), "opening a group");
    own->context = jr_group_context(group, 0);
    bench_check(jr_group_plan_create(group, &spec, &own->plan), "making a plan");
    bench_check(jr_plan_create(own->context, &spec, &own->one), "making a plan of one");
    for (int i = 0; i < count_count; i++)
        if (own->room < counts[i]) own->room = counts[i];
    fill(own);
    if (own->rank == 0) printf("ranks,elements,measure,median_us,least_us\n");
    for (int i = 0; i < count_count; i++) measure_count(own, counts[i]);
    jr_group_plan_destroy(own->plan);
    jr_plan_destroy(own->one);
    jr_memory_free(own->context, own->d_in);
    jr_group_close(group);
}

/* One that fails ends the others, which would wait for it. */
static bool wait_for_ranks(const pid_t *pids, int ranks) {
    bool failed = false;
    int state;
    while (wait(&state) > 0) {
        for (int r = 0; state != 0 && !failed && r < ranks; r++) kill(pids[r], SIGKILL);
        failed = failed || state != 0;
    }
    return !failed;
}

static bool is_simulated(const char *kind) {
    if (kind == NULL) kind = getenv("JITREDUCE_DEVICE");
    return kind != NULL && strncmp(kind, "sim", 3) == 0;
}

int main(int argc, char **argv) {
    static const uint64_t usual[COUNTS_USUAL] = {1 << 10, 1 << 20, 1 << 24};
    static ranks_bench own;
    uint64_t counts[COUNTS_USUAL];
    pid_t pids[RANKS_MAX];
    own.simulated = is_simulated(argc > 1 ? argv[1] : NULL);
    own.rounds = argc > 2 ? bench_number(argv[2]) : own.simulated ? 1 : 101;
    own.ranks = argc > 3 ? bench_number(argv[3]) : own.simulated ? 2 : 1;
    own.room = own.simulated ? 1 << 12 : 1 << 26;
    const int given = argc > 4 ? argc - 4 : 0, count_count = given > 0 ? given : own.simulated ? 1 : COUNTS_USUAL;
    bench_demand(own.rounds >= 1 && own.rounds <= ROUNDS_MAX && own.ranks >= 1 && own.ranks <= RANKS_MAX &&
                     given <= COUNTS_USUAL,
                 "%d rounds, %d ranks, %d counts: 1 to %d, 1 to %d, at most %d", own.rounds, own.ranks, given,
                 ROUNDS_MAX, RANKS_MAX, COUNTS_USUAL);
    for (int i = 0; i < count_count; i++) counts[i] = given > 0 ? (uint64_t)bench_number(argv[4 + i]) : usual[i];
    own.at = mmap(NULL, sizeof *own.at, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    bench_demand(own.at != MAP_FAILED, "no shared memory");
    for (; own.rank < own.ranks; own.rank++) {
        pids[own.rank] = fork();
        bench_demand(pids[own.rank] >= 0, "no process for rank %d", own.rank);
        if (pids[own.rank] > 0) continue;
        work(&own, counts, count_count);
        return 0;
    }
    return wait_for_ranks(pids, own.ranks) ? 0 : 1;
}
