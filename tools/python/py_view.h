/* Reads addresses and layouts of other libraries' arrays. */
#ifndef PYTHON_VIEW_H
#define PYTHON_VIEW_H

#include "py_module.h"

/* Array.of(x): by the exchange table of x's class, else as a buffer. */
PyObject *pj_view_of(PyObject *class, PyObject *object);

/* Array.of_capsule(capsule, stream): from the capsule of x.__dlpack__(stream=stream). */
PyObject *pj_view_of_capsule(PyObject *class, PyObject *args);

/* Array.like(class, type, count, device, stream): memory of a class with an exchange table. */
PyObject *pj_view_like(PyObject *class, PyObject *args);

/* Array.at(owner, type, shape, strides, address, readonly, device, id, stream): memory that an object owns. */
PyObject *pj_view_at(PyObject *class, PyObject *args);

#endif
