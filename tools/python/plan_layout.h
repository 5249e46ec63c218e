/* How the elements of a plan are divided, as Python's layer says it. */
#ifndef PYTHON_PLAN_LAYOUT_H
#define PYTHON_PLAN_LAYOUT_H

#include "py_plan.h"

/* The strides of each array, in elements; count 0: all lie in C order. */
typedef struct pj_strides {
    uint64_t shape[JR_DIMENSIONS_MAX];
    int axes[JR_DIMENSIONS_MAX];
    int64_t numbers[JR_INPUTS_MAX][JR_DIMENSIONS_MAX];
    const int64_t *arrays[JR_INPUTS_MAX];
    jr_axis axis; /* of all of that */
    int count;
} pj_strides;

/* (shape, axes): what jr_axis says; None: all elements at once; "offsets"; another name: the type of keys. false with
 * an exception. */
bool pj_plan_layout(pj_plan *made, PyObject *shape, PyObject *axes, pj_strides *apart);

/* Takes a shape and the axes that are reduced, tuples of numbers. false with an exception. */
bool pj_strides_axis(PyObject *shape, PyObject *axes, pj_strides *apart);

/* Takes a tuple of strides for each array, or None. false with an exception. */
bool pj_strides_take(PyObject *tuple, pj_strides *apart);

#endif
