/* A reduction by its name, with a fast path for arrays of classes with DLPack's exchange table. */
#ifndef PYTHON_QUICK_H
#define PYTHON_QUICK_H

#include "py_module.h"

extern PyType_Spec pj_quick_spec;

/* forget(): the default context is another one now. */
PyObject *pj_quick_forget(PyObject *module, PyObject *unused);

#endif
