/* What the library finds on this machine. */
#ifndef PYTHON_DOCTOR_H
#define PYTHON_DOCTOR_H

#include "py_module.h"

/* doctor(nvrtc) -> list of (component, origin, path, chosen, detail). nvrtc: a path or None. */
PyObject *pj_doctor(PyObject *module, PyObject *const *args, Py_ssize_t count);

/* variables() -> list of (name, text, value or None). */
PyObject *pj_variables(PyObject *module, PyObject *unused);

#endif
