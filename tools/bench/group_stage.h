/* What the works of group_bench share: GPUs, counts, a buffer of elements and one of results on each GPU, a peer, and
 * ranks. */
#ifndef JR_BENCH_GROUP_STAGE_H
#define JR_BENCH_GROUP_STAGE_H

#include "bench.h"
#include "bench/group_peer.h"

enum { GROUP_ROUNDS_MAX = 1001, GROUP_DEVICES_MAX = 16, GROUP_COUNTS_MAX = 16, GROUP_COUNTS_USUAL = 4 };

typedef struct group_ranks group_ranks; /* processes that share memory */

typedef struct group_stage {
    jr_group *group;
    size_t devices, all; /* of this process, of all ranks */
    bool simulated;
    int ordinals[GROUP_DEVICES_MAX], rounds, count_count;
    uint64_t counts[GROUP_COUNTS_MAX], most; /* elements of a GPU */
    uint64_t room, at;                       /* elements of a GPU's buffer; where the next call's begin */
    float *d_in[GROUP_DEVICES_MAX], *d_out[GROUP_DEVICES_MAX];
    const group_peer *peer; /* NULL: none */
    void *handle;           /* of the peer */
    group_ranks *ranks;     /* NULL: one process */
} group_stage;

/* Reads DEVICES [ROUNDS [PEER.so|- [COUNT...]]], and opens the devices. Without them all GPUs are opened
 * (JITREDUCE_DEVICE=sim: all simulated ones), for 101 rounds and the usual counts, on the simulator one round and the
 * first count. ranks: 0, or how many processes are forked, which have a device each; it returns in each of them. */
void group_stage_open(int argc, char **argv, const uint64_t usual[GROUP_COUNTS_USUAL], int ranks, group_stage *stage);
/* Allocates room elements, made by element from their place and their GPU's, and out_count results on each GPU. */
void group_stage_fill(group_stage *stage, uint64_t room, uint64_t out_count, float (*element)(uint64_t, size_t));
/* Opens the peer that path names, for the GPUs and their room; "-": none. */
void group_stage_open_peer(group_stage *stage, const char *path);
void group_stage_close(group_stage *stage);

/* The elements of one call: count on each GPU. Points into itself: not to be copied. */
typedef struct group_call {
    const void *arrays[GROUP_DEVICES_MAX];
    const void *const *in[GROUP_DEVICES_MAX];
    uint64_t counts[GROUP_DEVICES_MAX];
    jr_group_parts parts;
} group_call;
/* Each call takes the elements after those of the last call, so that small data are not in the caches. */
void group_stage_next(group_stage *stage, uint64_t count, group_call *made);

/* Exchanges 64 bytes of each rank; nothing without ranks. */
void group_stage_gather(group_stage *stage);

/* Prints a row on the first rank: the median and the least of the rounds' times. Sorts them. */
void group_stage_print(const group_stage *stage, uint64_t count, const char *measure, const char *contestant,
                       double *us);

/* group_ranks.c: forks so many processes, each of which it returns in, with its number; the caller's process ends with
 * them, and fails if one of them does. */
group_ranks *group_ranks_fork(int ranks);
int group_ranks_number(const group_ranks *own);
/* jr_group_options.allgather; user: group_ranks. Through shared memory, which all ranks poll. */
int group_ranks_gather(void *user, const void *mine, size_t bytes, void *all);

#endif
