/* Failed calls of the library as exceptions: a class for each status. */
#ifndef PYTHON_ERRORS_H
#define PYTHON_ERRORS_H

#include "py_module.h"

/* Adds Error and its subclasses to the module, and to state->errors. 0, or -1 with an exception. */
int pj_errors_add(PyObject *module, pj_state *state);

/* Raises what jr_last_error of this thread says. Always NULL. */
PyObject *pj_raise(const pj_state *state);

#endif
