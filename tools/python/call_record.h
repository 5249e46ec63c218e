/* Records of calls: what Python's layer did for a call, so that the next call with an equal key is replayed without it.
 *
 * A call that no record fits runs Python's layer, which reports what it ran (pj_report); one report makes a record. */
#ifndef PYTHON_CALL_RECORD_H
#define PYTHON_CALL_RECORD_H

#include "call_cupy.h"
#include "call_key.h"
#include "py_plan.h"

/* What becomes of the results. */
typedef enum pj_outcome {
    PJ_NEW,   /* arrays of the class of the first one */
    PJ_OUT,   /* the caller's array */
    PJ_VALUE, /* numbers, which are waited for */
    PJ_RUNS,  /* arrays of the keys of runs and of their results, whose number is waited for */
    PJ_BOUND  /* the same, as long as the keys, and their number; nothing is waited for */
} pj_outcome;

typedef struct pj_record {
    int users; /* the table, and calls that are being replayed */
    uint64_t hash;
    unsigned generation;
    pj_plan *plan;
    PyObject *owner; /* jitreduce.Context of results that are DeviceArrays */
    pj_outcome outcome;
    int inputs;                   /* arrays by their place */
    int64_t moved[JR_INPUTS_MAX]; /* bytes from an array's address to where it is read, masks included */
    uint64_t count;               /* of elements that are read; 0: those of the first array */
    bool masked, tupled;          /* the results are a tuple; of runs those between keys and counts */
    bool counted;                 /* of PJ_RUNS and PJ_BOUND: counts follow the results */
    pj_form form;                 /* of PJ_NEW */
    pj_places *places;            /* for results; NULL: not made */
    pj_cupy_places cupys;         /* of CuPy's arrays */
    int word_count, object_count;
    uint64_t *words;
    PyObject **objects;
} pj_record;

enum { PJ_SETS = 64, PJ_WAYS = 4 };

/* The records of one function: those that were used last of each set. */
typedef struct pj_records {
    pj_record *(*sets)[PJ_WAYS]; /* NULL: none yet */
} pj_records;

/* Makes a record of a plan without a key: of all elements of one array, whose result is new. NULL with an exception. */
pj_record *pj_record_of_plan(pj_plan *plan, unsigned generation);

/* Finds the record of a key. The caller leaves it. NULL: none. */
pj_record *pj_records_find(const pj_records *records, const pj_key *key, unsigned generation);

/* Calls a function, and keeps a record of what it reports. Returns its result. */
PyObject *pj_records_call(pj_state *state, pj_records *records, PyObject *function, const pj_arguments *given,
                          const pj_key *key);

/* Leaves all records. */
void pj_records_clear(pj_records *records);

/* Are results those of runs of keys, which are the first array? */
static inline bool pj_record_is_of_runs(const pj_record *record) {
    return record->outcome == PJ_RUNS || record->outcome == PJ_BOUND;
}

/* Lets go of a record. record: may be NULL. */
void pj_record_leave(pj_record *record);

/* report(plan, owner, x, inputs, masked, outcome, shape, order[, moved, count]): Python's layer ran a plan, once, for
 * the call whose first array is x. inputs: without a mask; outcome: "new", "out", "value", "runs" or "bound"; shape and
 * order of the results' axes. moved, count: bytes from each array's address to where it is read, and how many elements
 * are, where these are not the arrays' own. */
PyObject *pj_report(PyObject *module, PyObject *args);

#endif
