/* A function of the package by its name, with fast paths for arrays in device memory. */
#ifndef PYTHON_QUICK_H
#define PYTHON_QUICK_H

#include "py_module.h"

extern PyType_Spec pj_quick_spec;

/* forget(): the default context is another one now. */
PyObject *pj_quick_forget(PyObject *module, PyObject *unused);

#endif
