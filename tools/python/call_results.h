/* The results of a replayed call: their memory, then the arrays of the caller's class. */
#ifndef PYTHON_CALL_RESULTS_H
#define PYTHON_CALL_RESULTS_H

#include "call_record.h"
#include "py_number.h"

typedef struct pj_results {
    void *address;
    const dl_exchange *table;     /* of a class that exchanges arrays */
    dl_managed *managed;          /* as many as there are parts, one after the other */
    int parts, taken;             /* those that became arrays */
    PyObject *memory;             /* of jitreduce.DeviceArray */
    PyObject *made[PJ_PARTS_MAX]; /* of CuPy */
    jr_stream stream;             /* the default one as 1, as Python's layer has it */
    dl_device device;
} pj_results;

/* Makes memory for the results of a run. false: with an exception, or Python's layer is to make it. */
bool pj_results_make(pj_state *state, pj_record *record, const pj_key *key, const pj_run *run, pj_results *results);

/* The arrays, which take the memory over: one, or a tuple. NULL with an exception. */
PyObject *pj_results_take(const pj_state *state, const pj_record *record, pj_results *results);

/* Lets go of memory that no array took. */
void pj_results_release(pj_results *results);

#endif
