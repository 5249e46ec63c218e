/* Reductions of arrays in host memory. */
#ifndef PYTHON_REDUCE_H
#define PYTHON_REDUCE_H

#include "py_module.h"

/* reduce(context, spec, arrays) -> tuple of numbers, one for each operator. */
PyObject *pj_reduce(PyObject *module, PyObject *const *args, Py_ssize_t count);

#endif
