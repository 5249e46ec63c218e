/* Ranks of group_bench: forked processes, whose transport is shared memory that all poll, so that what is left is what
 * groups take themselves. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "group_stage.h"

enum { RANKS_MAX = 16, ROOM_BYTES = 1 << 16 };

/* What ranks share: whose turn is how far, and two turns' bytes of each. */
typedef struct table {
    _Alignas(128) uint64_t turns[RANKS_MAX][16]; /* a line of the cache or two for each */
    unsigned char bytes[2][RANKS_MAX][ROOM_BYTES];
} table;

struct group_ranks {
    table *at;
    int rank, ranks;
    uint64_t turn;
};

/* One that fails ends the others, which would wait for it. */
_Noreturn static void wait_for_ranks(const pid_t *pids, int ranks) {
    bool failed = false;
    int state;
    while (wait(&state) > 0) {
        for (int r = 0; state != 0 && !failed && r < ranks; r++) kill(pids[r], SIGKILL);
        failed = failed || state != 0;
    }
    exit(failed ? 1 : 0);
}

group_ranks *group_ranks_fork(int ranks) {
    pid_t pids[RANKS_MAX];
    bench_demand(ranks >= 1 && ranks <= RANKS_MAX, "%d ranks: 1 to %d", ranks, RANKS_MAX);
    group_ranks *own = calloc(1, sizeof *own);
    bench_demand(own != NULL, "no host memory");
    own->ranks = ranks;
    own->at = mmap(NULL, sizeof *own->at, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    bench_demand(own->at != MAP_FAILED, "no shared memory");
    for (; own->rank < ranks; own->rank++) {
        pids[own->rank] = fork();
        bench_demand(pids[own->rank] >= 0, "no process for rank %d", own->rank);
        if (pids[own->rank] == 0) return own;
    }
    wait_for_ranks(pids, ranks);
}

int group_ranks_number(const group_ranks *own) {
    return own->rank;
}

/* A rank that writes turn n + 2 has read all of turn n + 1, for which the others had to read turn n. */
int group_ranks_gather(void *user, const void *mine, size_t bytes, void *all) {
    group_ranks *own = user;
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
