/* An argument that is an array in device memory, as a call that is replayed sees it: without an object of Python. */
#ifndef PYTHON_CALL_SEEN_H
#define PYTHON_CALL_SEEN_H

#include "py_places.h"

/* How an array is seen, and how results of its class are made. */
typedef enum pj_source {
    PJ_NOT_SEEN,
    PJ_EXCHANGED, /* DLPack's exchange table */
    PJ_OWN,       /* jitreduce.DeviceArray */
    PJ_CUPYS      /* members */
} pj_source;

typedef struct pj_seen {
    PyObject *object; /* the caller's */
    pj_source source;
    const dl_exchange *table; /* of PJ_EXCHANGED */
    char *data;
    dl_type type;
    dl_device device;
    bool readonly; /* known only of arrays that are to be written */
    int dimensions;
    int64_t shape[PJ_FORM_DIMENSIONS], strides[PJ_FORM_DIMENSIONS]; /* in elements; 0 where the length is 1 */
    uint64_t count;                                                 /* of elements */
    jr_stream stream;                                               /* on which its elements are made: pj_seen_stream */
} pj_seen;

/* How arrays of a class are seen; PJ_NOT_SEEN, perhaps with an exception: not here. */
pj_source pj_source_of(pj_state *state, PyTypeObject *type, const dl_exchange **table);

/* What an array is seen for. */
typedef enum pj_sight {
    PJ_READ,
    PJ_FLAT,   /* as PJ_READ; an array in C order may be seen with one axis */
    PJ_WRITTEN /* and whether it is read-only */
} pj_sight;

/* Sees an array. false without an exception: it is empty, in host memory, or cannot be seen without Python's layer. */
bool pj_see(pj_state *state, PyObject *object, pj_sight sight, pj_seen *seen);

/* Finds the stream on which the elements are made. before: another array of the call, or NULL. false: perhaps with an
 * exception. */
bool pj_seen_stream(pj_state *state, pj_seen *seen, const pj_seen *before);

#endif
