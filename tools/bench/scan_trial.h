/* Contestants of scan_bench: plans of the library, peers and a copy. */
#ifndef JR_BENCH_SCAN_TRIAL_H
#define JR_BENCH_SCAN_TRIAL_H

#include "scan_stage.h"

enum {
    SCAN_PEERS_MAX = 4,
    SCAN_ALGORITHMS = 6,
    SCAN_TUNINGS_MAX = 10,
    SCAN_TRIALS_MAX = SCAN_ALGORITHMS + SCAN_PEERS_MAX + SCAN_TUNINGS_MAX + 3 /* flat, plain, copy */
};

/* Tunings that are measured besides what the library chooses. */
typedef struct scan_tuning {
    jr_algorithm algorithm;
    int block, unroll;
} scan_tuning;
typedef struct scan_tunings {
    bool alone; /* next to the library's choice, without every algorithm of a scan */
    int count;
    scan_tuning items[SCAN_TUNINGS_MAX];
} scan_tunings;

typedef enum scan_contestant { SCAN_OURS, SCAN_PLAIN, SCAN_FLAT, SCAN_PEER, SCAN_COPY } scan_contestant;

typedef struct scan_trial {
    const scan_stage *stage;
    scan_contestant kind;
    char name[48];
    jr_plan *plan;
    const peer *other;
    void *handle;
} scan_trial;

/* Makes the contestants: first what the library chooses; each algorithm of a scan and each of the tunings, the flat
 * reduction, for comparison with that of runs; of exact sums the plain ones; peers that can do it; last the copy.
 * Returns how many; 0, with a line on standard error, where the library does not take the work. */
int scan_trials_make(const scan_stage *stage, const scan_tunings *tunings, const peer *const *peers, int peer_count,
                     scan_trial trials[SCAN_TRIALS_MAX]);
void scan_trial_free(scan_trial *trial);

/* Puts a run on the stream; user: a scan_trial. */
jr_status scan_trial_run(void *user, uint64_t run, jr_stream stream);

/* Runs once more over results that are spoilt, and counts the wrong ones. */
uint64_t scan_trial_wrong(scan_trial *trial);

#endif
