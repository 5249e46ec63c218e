/* Plans over device memory as objects of Python: made once, run on any stream, also while that is captured. */
#ifndef PYTHON_PLAN_H
#define PYTHON_PLAN_H

#include "array.h"
#include "py_context.h"
#include "py_exchange.h"
#include "py_spec.h"

/* A stream on which the plan ran, and what it has there. */
typedef struct pj_slot {
    jr_stream stream; /* of a captured run none that there is */
    void *workspace;  /* of runs; NULL: the plan's own, or none */
    jr_plan *valued;  /* for values alone, whose workspace no run uses; NULL: not made */
} pj_slot;

typedef struct pj_plan {
    PyObject_HEAD PyObject *context, *spec; /* keep what the plan points to */
    jr_plan *plan;
    jr_segment_layout layout; /* kind 0: all elements become one result */
    bool scans, exclusive;
    uint64_t elements, segments; /* of a layout; not of keys */
    size_t workspace_bytes;
    PyThread_type_lock lock; /* of slots, and of what they have while a run is put on a stream */
    pj_slot *slots;
    int slot_count;
    bool kept; /* something captured needs it for ever */
} pj_plan;

extern PyType_Spec pj_plan_spec;

/* What one run is given. */
typedef struct pj_run {
    const void *data[JR_INPUTS_MAX];
    uint64_t count;
    void *out;
    jr_stream stream;
    dl_device device;
    const jr_work_data *runs; /* of a layout of keys or offsets: all of the run; else NULL */
    int captured;             /* the stream is: pj_plan_look */
    const dl_exchange *table; /* of a class that makes workspaces of captured runs; NULL: none does */
} pj_run;

/* Lets go of what streams have, when nothing runs there. */
void pj_plan_clear(pj_plan *plan);

/* Looks whether the run's stream is being captured. false with an exception. */
bool pj_plan_look(const pj_plan *plan, pj_run *run);

/* Puts a run on its stream, which was looked at. false with an exception. */
bool pj_plan_start(pj_plan *plan, const pj_run *run);

/* Runs it and waits for the values, one for each operator. false with an exception. */
bool pj_plan_wait(pj_plan *plan, const pj_run *run, jr_value values[JR_OPS_MAX]);

/* Makes Python's numbers of a plan's values: one, or a tuple of several. */
PyObject *pj_plan_numbers(const pj_plan *plan, const jr_value values[JR_OPS_MAX]);

#endif
