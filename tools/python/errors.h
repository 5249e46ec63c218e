/* Failed calls of the library as exceptions, a class for each status; and objects of Python as they are shown in
 * messages. */
#ifndef PYTHON_ERRORS_H
#define PYTHON_ERRORS_H

#include "py_module.h"

/* Returns what an object shows itself as, cut where it is long; its class where that fails, as for integers of many
 * thousand digits. A new reference; NULL with MemoryError only. Exceptions of before are gone. */
PyObject *pj_shown(PyObject *object);

/* shown(object), for Python's layer. */
PyObject *pj_show(PyObject *module, PyObject *object);

/* Raises an error whose format `words` has one %U for the object, followed by those for further arguments. Returns
 * NULL. */
PyObject *pj_raise_shown(PyObject *error, PyObject *object, const char *words, const char *name);

/* Adds Error and its subclasses to the module, and to state->errors. 0, or -1 with an exception. */
int pj_errors_add(PyObject *module, pj_state *state);

/* Raises what jr_last_error of this thread says. Always NULL. */
PyObject *pj_raise(const pj_state *state);

#endif
