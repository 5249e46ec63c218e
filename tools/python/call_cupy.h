/* CuPy's arrays, whose class has no exchange table, as replayed calls see and make them: by their members. */
#ifndef PYTHON_CALL_CUPY_H
#define PYTHON_CALL_CUPY_H

#include "call_seen.h"

/* Sees an array: address, type, device, shape and strides. flat: an array in C order is seen with one axis. false:
 * perhaps with an exception. */
bool pj_cupy_see(pj_state *state, pj_seen *seen, bool flat);

/* Finds the stream on which CuPy works now, for an array of its. false: perhaps with an exception. */
bool pj_cupy_stream(pj_state *state, pj_seen *seen);

/* Memory of CuPy's for many results of one form, each of which is used once. All 0: none yet. */
typedef struct pj_cupy_places {
    PyObject *mem;     /* that results keep; NULL: none */
    PyObject *pointer; /* the class of pointers to it */
    PyObject *shape;   /* of each result */
    char *address;     /* of the first place */
    uint64_t offset;   /* of the first place in mem */
    int device;
    jr_stream stream;
    int next, count;
} pj_cupy_places;

/* Makes arrays of a class for all parts of results, in CuPy's memory, and finds where the first result is. places: what
 * an earlier call with the same form left there. false: perhaps with an exception; then none are made. */
bool pj_cupy_make(pj_state *state, const pj_seen *like, const pj_form *form, pj_cupy_places *places,
                  PyObject *made[PJ_PARTS_MAX], void **address);

/* Makes memory for one result of a form, which no other shares; the caller lets go of it. false: perhaps with an
 * exception. pj_cupy_shape: results have the form's shape now, which takes no more memory. */
bool pj_cupy_reserve(const pj_state *state, const pj_seen *like, const pj_form *form, pj_cupy_places *place);
bool pj_cupy_shape(const pj_form *form, pj_cupy_places *place);

/* Makes the array of one part there. NULL with an exception. */
PyObject *pj_cupy_part(pj_state *state, const pj_seen *like, const pj_form *form, int part,
                       const pj_cupy_places *place);

/* What CuPy's class is called with to make an array of memory. strides: NULL: the array lies in C order. */
typedef struct pj_cupy_new {
    PyObject *shape, *dtype, *pointer, *strides;
} pj_cupy_new;

/* Makes an array of that class. NULL with an exception. */
PyObject *pj_cupy_new_array(pj_state *state, PyTypeObject *class, const pj_cupy_new *given);

/* Lets go of the memory, which results keep. */
void pj_cupy_leave(pj_cupy_places *places);

#endif
