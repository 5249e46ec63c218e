/* Copies of arrays whose elements lie with gaps, backwards, or in another order. */
#ifndef PYTHON_ARRAY_PACK_H
#define PYTHON_ARRAY_PACK_H

#include "py_module.h"

/* packed(order): a copy in memory of its own, without gaps, whose axes lie in that order, the outermost first. The
 * array is in host memory. */
PyObject *pj_array_packed(PyObject *self, PyObject *order);

#endif
