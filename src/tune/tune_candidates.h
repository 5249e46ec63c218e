/* Candidates: the tunings that a search tries, each once. */
#ifndef JR_TUNE_TUNE_CANDIDATES_H
#define JR_TUNE_TUNE_CANDIDATES_H

#include "trial.h"

enum { JR_CANDIDATES_MAX = 384, JR_CANDIDATES_BEST = 3 };

typedef struct jr_candidates_list {
    jr_tune_candidate items[JR_CANDIDATES_MAX];
    int count;
    int done; /* the first ones that were measured or have failed */
} jr_candidates_list;

/* Each algorithm that is applicable, with the tuning that the estimate gives it. */
void jr_candidates_add_algorithms(const jr_trials *trials, jr_candidates_list *list);

/* Adds all unroll factors and blocks that are powers of two (of four on the simulator), for the algorithms whose best
 * so far is not much slower than the best of all. */
void jr_candidates_add_grid(const jr_trials *trials, jr_candidates_list *list);

/* Adds the neighbours of the best so far: the next unroll factors, blocks, and blocks per multiprocessor. */
void jr_candidates_add_neighbours(const jr_trials *trials, jr_candidates_list *list);

/* Finds the best that were measured, the best first; returns how many there are, `most` at most. */
int jr_candidates_best(jr_candidates_list *list, jr_tune_candidate *best[], int most);

#endif
