/* A work of group_bench: which measures and contestants it has, and what a call of each is. */
#ifndef JR_BENCH_GROUP_WORKS_H
#define JR_BENCH_GROUP_WORKS_H

#include "group_stage.h"

enum { BATCH = 20, MEASURES_MAX = 3 };
enum { PEER = 3, CONTESTANTS }; /* the peer is the last one of each work */
enum { GROUP, TURNS, ONE };     /* of sum; of ranks the second is ALLGATHER; of scan there are GROUP and ONE */
enum { ALLGATHER = TURNS, SORTS = 2 };
enum { SCALAR, DEVICES }; /* measures of sum */

typedef struct group_bench {
    const struct group_work *work;
    group_stage stage;
    jr_group *turns; /* of the same GPUs */
    jr_group_plan *plans[SORTS];
    jr_allreduce *ways[PEER]; /* of sum by GROUP and TURNS; of fold each way that can be used */
    jr_plan *one;
    bool missing[PEER]; /* contestants of fold */
    float sum;          /* of the last call */
    double us[MEASURES_MAX][CONTESTANTS][GROUP_ROUNDS_MAX];
} group_bench;

typedef struct group_work {
    const char *name;
    uint64_t usual[GROUP_COUNTS_USUAL];
    const char *measures[MEASURES_MAX], *contestants[PEER];
    int before;      /* calls before the timed ones */
    uint64_t room;   /* elements of a GPU's buffer at least, so that calls have different ones */
    bool has_arrays; /* as many results as elements, else one */
    float (*element)(uint64_t place, size_t device);
    void (*make)(group_bench *bench);
    void (*call)(group_bench *bench, int what, int who, group_call *made);
    void (*check)(const group_bench *bench, int what, int who, uint64_t count);
} group_work;

extern const group_work group_works[];
extern const int group_work_count;

const char *group_contestant(const group_bench *bench, int who);
bool group_is_there(const group_bench *bench, int who);
/* Waits until the results of a contestant's calls are there; what gives a number has been waited for. */
void group_wait(const group_bench *bench, int what, int who);

#endif
