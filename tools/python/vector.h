/* PEP 590's way of calls, which makes no tuple and no dict of arguments. The stable interface tells of it since 3.12
 * only; these are its values, which in 3.11 (Include/cpython/object.h and abstract.h) do not change any more. */
#ifndef PYTHON_VECTOR_H
#define PYTHON_VECTOR_H

#include "py_module.h"

/* args: the arguments, and behind them those that have the names. names: a tuple of str, or NULL: none. */
typedef PyObject *(*pj_vector)(PyObject *self, PyObject *const *args, size_t counted, PyObject *names);

/* The flag of a type whose member __vectorcalloffset__ says where its objects have their pj_vector. */
enum { PJ_HAS_VECTOR = 1 << 11 };

/* The number of arguments without names, of a count whose highest bit says something else. */
static inline Py_ssize_t pj_vector_count(size_t counted) {
    return (Py_ssize_t)(counted & (SIZE_MAX >> 1));
}

/* Calls a function with such arguments. count: without names. */
PyObject *pj_vector_call(PyObject *function, PyObject *const *args, Py_ssize_t count, PyObject *names);

#endif
