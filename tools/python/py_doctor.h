/* What the library finds on this machine, and its log on standard error, as the setting JITREDUCE_LOG asks for it. */
#ifndef PYTHON_DOCTOR_H
#define PYTHON_DOCTOR_H

#include "py_module.h"

/* doctor(nvrtc) -> list of (component, origin, path, chosen, detail). nvrtc: a path or None. */
PyObject *pj_doctor(PyObject *module, PyObject *const *args, Py_ssize_t count);

/* variables() -> list of (name, text, value or None). */
PyObject *pj_variables(PyObject *module, PyObject *unused);

/* Installs the log once, when the module is imported: lines of the level that JITREDUCE_LOG names, and above. Warns of
 * another value; -1: with a Python error set, where warnings are errors. */
int pj_log_begin(void);

#endif
