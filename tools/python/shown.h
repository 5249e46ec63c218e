/* Objects of Python as they are shown in messages. */
#ifndef PYTHON_SHOWN_H
#define PYTHON_SHOWN_H

#include "py_module.h"

/* Returns what an object shows itself as, cut where it is long; its class where that fails, as for integers of many
 * thousand digits. A new reference; NULL with MemoryError only. Exceptions of before are gone. */
PyObject *pj_shown(PyObject *object);

/* shown(object), for Python's layer. */
PyObject *pj_show(PyObject *module, PyObject *object);

/* Raises an error whose format `words` has one %U for the object, followed by those for further arguments. Returns
 * NULL. */
PyObject *pj_raise_shown(PyObject *error, PyObject *object, const char *words, const char *name);

#endif
