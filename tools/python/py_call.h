/* The arguments that every reduction and scan has: context, spec and arrays. */
#ifndef PYTHON_CALL_H
#define PYTHON_CALL_H

#include "array.h"
#include "py_context.h"
#include "py_spec.h"

typedef struct pj_call {
    const pj_state *state;
    jr_context *context;
    const pj_spec *spec;
    const void *data[JR_INPUTS_MAX];
    uint64_t count; /* elements of each array */
} pj_call;

/* Takes the first three arguments: Context, Spec, tuple of as many Arrays, of as many elements, as the spec has inputs.
 * false with an exception. All of them live as long as the arguments. */
bool pj_call_take(PyObject *module, PyObject *const *args, pj_call *call);

/* Takes a tuple of as many Arrays, of as many elements and of the types, as a spec wants, all in host or all in device
 * memory: where each begins, and their elements. false with an exception. */
bool pj_call_arrays(const pj_state *state, const pj_spec *wanted, PyObject *arrays, bool host,
                    const void *data[JR_INPUTS_MAX], uint64_t *count);

/* Whether each array that all rows share has the elements of one row. false with an exception. */
bool pj_call_rows(const pj_spec *wanted, PyObject *arrays, uint64_t length);

/* Says that a function takes so many arguments. Always NULL. */
PyObject *pj_call_arguments(const char *function, int wanted, Py_ssize_t given);

/* Takes a tuple of at most `most` sizes. Their number, or -1 with an exception. */
int pj_call_sizes(PyObject *tuple, int most, uint64_t *sizes);

#endif
