/* What Python asks of functions besides to call them, of an object that stands for a function of the package. */
#ifndef PYTHON_NAMED_H
#define PYTHON_NAMED_H

#include "vector.h"

/* The first member of such an object. */
typedef struct pj_named {
    PyObject_HEAD pj_vector vector;
    PyObject *weak; /* references to it */
    PyObject *function, *name;
} pj_named;

PyObject *pj_named_show(PyObject *self);

/* Pickled by its name. */
PyObject *pj_named_reduce(PyObject *self, PyObject *unused);

/* As a member of a class it stays what it is, as functions of C do. That it can be asked tells Python's inspect, and so
 * help(), that it is a function. */
PyObject *pj_named_bind(PyObject *self, PyObject *object, PyObject *type);

/* What else is asked of it, its name and module among it, is the function's. */
PyObject *pj_named_get(PyObject *self, PyObject *name);

/* Its text, which help() asks the type for. */
extern PyGetSetDef pj_named_texts[];

#endif
