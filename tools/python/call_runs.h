/* Replays reductions of runs of equal keys. */
#ifndef PYTHON_CALL_RUNS_H
#define PYTHON_CALL_RUNS_H

#include "call_record.h"

/* Does a run whose arrays and stream are there, and waits for the number of runs. The keys of the runs, their results
 * and counts; NULL: with an exception, or the call is Python's layer's. */
PyObject *pj_runs_replay(pj_state *state, const pj_record *record, const pj_key *key, pj_run *run);

#endif
