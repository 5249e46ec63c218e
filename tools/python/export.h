/* Exports arrays by DLPack. */
#ifndef PYTHON_EXPORT_H
#define PYTHON_EXPORT_H

#include "py_module.h"

/* array.dlpack(versioned): a capsule that keeps the array until nobody uses it. */
PyObject *pj_export_capsule(PyObject *self, PyObject *versioned);

/* array.as_class(class): the array as one of a class with an exchange table, which keeps it. */
PyObject *pj_export_as(PyObject *self, PyObject *class);

#endif
