/* Numbers of Python and values of the library. */
#ifndef PYTHON_NUMBER_H
#define PYTHON_NUMBER_H

#include "py_module.h"

/* Makes a Python number (of a struct bytes) of a value. */
PyObject *pj_number_of(const jr_value *value);

/* Makes a tuple of the numbers of values. */
PyObject *pj_numbers_of(int count, const jr_value *values);

/* Makes a value of a type of a Python number. false with an exception: no number, or outside the type. */
bool pj_value_of(jr_type type, PyObject *number, jr_value *value);

/* Finds a type by its short name. false with an exception. */
bool pj_type_find(PyObject *name, jr_type *type);

/* type_found(name), for Python's layer: the short name of the type that the library knows by a name; None: of none. */
PyObject *pj_type_found(PyObject *module, PyObject *name);

#endif
