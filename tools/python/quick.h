/* A function of the package by its name, with fast paths for arrays in device memory. */
#ifndef PYTHON_QUICK_H
#define PYTHON_QUICK_H

#include "py_module.h"

/* QuickMethod: the same of a method, whose object does not change. */
extern PyType_Spec pj_quick_spec, pj_quick_method_spec;

/* forget(): the default context is another one now. */
PyObject *pj_quick_forget(PyObject *module, PyObject *unused);

#endif
