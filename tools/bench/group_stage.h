/* What the benchmarks of groups share: GPUs, counts, a buffer of elements and one of results on each GPU, and a peer.
 */
#ifndef JR_BENCH_GROUP_STAGE_H
#define JR_BENCH_GROUP_STAGE_H

#include "bench.h"
#include "bench/group_peer.h"

enum { GROUP_ROUNDS_MAX = 1001, GROUP_DEVICES_MAX = 16, GROUP_COUNTS_MAX = 16, GROUP_COUNTS_USUAL = 4 };

typedef struct group_stage {
    jr_group *group;
    size_t devices;
    bool simulated;
    int ordinals[GROUP_DEVICES_MAX], rounds, count_count;
    uint64_t counts[GROUP_COUNTS_MAX], most; /* elements of a GPU */
    uint64_t room;                           /* elements of a GPU's buffer */
    float *d_in[GROUP_DEVICES_MAX], *d_out[GROUP_DEVICES_MAX];
    const group_peer *peer; /* NULL: none */
    void *handle;           /* of the peer */
} group_stage;

/* Reads the command line: devices, rounds, and from argv[counts_at] on the counts. Without them all GPUs are opened
 * (JITREDUCE_DEVICE=sim: all simulated ones), for 101 rounds and the usual counts, on the simulator one round and the
 * first count. */
void group_stage_open(int argc, char **argv, int counts_at, const uint64_t usual[GROUP_COUNTS_USUAL],
                      group_stage *stage);
/* Allocates room elements, made by element from their place and their GPU's, and out_count results on each GPU. */
void group_stage_fill(group_stage *stage, uint64_t room, uint64_t out_count, float (*element)(uint64_t, size_t));
/* Opens the peer that path names, for the GPUs and their room; "-": none. */
void group_stage_open_peer(group_stage *stage, const char *path);
void group_stage_close(group_stage *stage);

/* The elements of one call: count on each GPU, from place at on. Points into itself: not to be copied. */
typedef struct group_call {
    const void *arrays[GROUP_DEVICES_MAX];
    const void *const *in[GROUP_DEVICES_MAX];
    uint64_t counts[GROUP_DEVICES_MAX];
    jr_group_parts parts;
} group_call;
void group_stage_call(const group_stage *stage, uint64_t at, uint64_t count, group_call *made);

/* Prints a row: the median and the least of the rounds' times. Sorts them. */
void group_stage_print(const group_stage *stage, uint64_t count, const char *measure, const char *contestant,
                       double *us);

#endif
