/* Ranks of groups for tests: threads of one process, or processes, and transports between them. */
#ifndef TESTS_SUPPORT_RANK_CASE_H
#define TESTS_SUPPORT_RANK_CASE_H

#include <stdbool.h>

#include "jitreduce/group.h"

enum { RANKS_MAX = 3 };

/* What a rank does. options: with its rank, and the way to the others. Must not assert: returns 0 when all is well. */
typedef int rank_body(const jr_group_options *options, void *user);

/* Changes what a rank gives the others; call: which exchange of the group it is, from 0 on. NULL: nothing. */
typedef void rank_forge(int rank, int call, unsigned char *bytes, size_t count);

/* Runs a body in `ranks` threads, and asserts that each returned 0. What ranks give differs in size: each is cut to the
 * shortest. */
void ranks_in_threads(int ranks, rank_body *body, rank_forge *forge, void *user);

/* Runs it in as many processes, and writes what each has returned, -1 if it was killed. loss: this rank is, in its
 * call-th exchange, before it gives anything; -1: none. A lost rank is found by all others; one whose way hangs
 * instead, by the limit on waits, its own, too. Asserts that all end within a minute. */
typedef struct rank_loss {
    int rank, call;
    bool hangs;
} rank_loss;
void ranks_in_processes(int ranks, rank_body *body, rank_loss loss, int results[RANKS_MAX]);

/* The same of several cases, all with a rank that hangs or all without, of which as many run at a time as the machine
 * has processors for (a process takes a second to open a GPU's context, most of which it waits); of those with one,
 * which wait for their limits, some more. */
typedef struct rank_trial {
    int ranks;
    rank_body *body;
    rank_loss loss;
    int results[RANKS_MAX];
} rank_trial;
void ranks_in_trials(rank_trial *trials, size_t count);

/* Prints what failed in a rank, and returns the line, for a body to return. */
#define RANK_FAILS_UNLESS(condition)                                                                                   \
    do {                                                                                                               \
        if (!(condition)) return rank_says(options->rank, #condition, __LINE__);                                       \
    } while (0)
int rank_says(int rank, const char *condition, int line);

#endif
