/* An object that stands for a function of the package: how it is called, and what else Python asks of functions. */
#ifndef PYTHON_NAMED_H
#define PYTHON_NAMED_H

#include "py_module.h"

/* ---- calls ---- */

/* PEP 590's vectorcall, which needs no tuple and no dict of arguments. The stable ABI has it only since 3.12; these are
 * its values, which in 3.11 (Include/cpython/object.h and abstract.h) do not change any more. */
/* args: the positional arguments, then the named ones. names: a tuple of str, or NULL without named ones. */
typedef PyObject *(*pj_vector)(PyObject *self, PyObject *const *args, size_t counted, PyObject *names);

/* The flag of a type whose member __vectorcalloffset__ says where its objects have their pj_vector. */
enum { PJ_HAS_VECTOR = 1 << 11 };

/* The number of arguments without names, of a count whose highest bit says something else. */
static inline Py_ssize_t pj_vector_count(size_t counted) {
    return (Py_ssize_t)(counted & (SIZE_MAX >> 1));
}

/* Calls a function with such arguments. count: without names. */
PyObject *pj_vector_call(PyObject *function, PyObject *const *args, Py_ssize_t count, PyObject *names);

/* ---- what else is asked ---- */

/* The first member of such an object. */
typedef struct pj_named {
    PyObject_HEAD pj_vector vector;
    PyObject *weak; /* references to it */
    PyObject *function, *name;
} pj_named;

PyObject *pj_named_show(PyObject *self);

/* Pickled by its name. */
PyObject *pj_named_reduce(PyObject *self, PyObject *unused);

/* __get__ of the object: as a member of a class it does not bind, like functions of C. Since it has __get__, Python's
 * inspect, and so help(), takes it for a function. */
PyObject *pj_named_bind(PyObject *self, PyObject *object, PyObject *type);

/* What else is asked of it, its name and module among it, is the function's. */
PyObject *pj_named_get(PyObject *self, PyObject *name);

/* Its text, which help() asks the type for. */
extern PyGetSetDef pj_named_texts[];

#endif
