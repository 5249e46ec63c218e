/* Kept states of exact sums as objects of Python. */
#ifndef PYTHON_EXACT_H
#define PYTHON_EXACT_H

#include "py_module.h"

extern PyType_Spec pj_exact_spec;

/* exact_look(bytes) -> (names of the operators, names of the inputs' types, elements gone through, of these added). */
PyObject *pj_exact_look(PyObject *module, PyObject *bytes);

#endif
