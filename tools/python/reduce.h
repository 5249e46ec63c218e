/* Reductions of arrays in host memory. */
#ifndef PYTHON_REDUCE_H
#define PYTHON_REDUCE_H

#include "module.h"

/* reduce(context, spec, arrays) -> tuple of numbers, one for each operator. */
PyObject *pj_reduce(PyObject *module, PyObject *const *args, Py_ssize_t count);

/* reduce_axes(context, spec, arrays, shape, axes, results): axes of the C-ordered arrays of that shape are reduced
 * away; each operator's results go into one of the Arrays `results`, in C order of the axes that are left. */
PyObject *pj_reduce_axes(PyObject *module, PyObject *const *args, Py_ssize_t count);

#endif
