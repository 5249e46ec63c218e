/* Hands arguments in a vector on to functions that may want them in a tuple and a dict. */
#include "vector.h"

static PyObject *tuple_of(PyObject *const *values, Py_ssize_t count) {
    PyObject *made = PyTuple_New(count);
    for (Py_ssize_t i = 0; made && i < count; i++)
        if (PyTuple_SetItem(made, i, Py_NewRef(values[i]))) Py_CLEAR(made);
    return made;
}

static PyObject *dict_of(PyObject *const *values, PyObject *names) {
    PyObject *made = PyDict_New();
    const Py_ssize_t count = names ? PyTuple_Size(names) : 0;
    for (Py_ssize_t i = 0; made && i < count; i++)
        if (PyDict_SetItem(made, PyTuple_GetItem(names, i), values[i])) Py_CLEAR(made);
    return made;
}

PyObject *pj_vector_call(PyObject *function, PyObject *const *args, Py_ssize_t count, PyObject *names) {
    PyObject *tuple = tuple_of(args, count), *dict = tuple ? dict_of(args + count, names) : NULL;
    PyObject *result = dict ? PyObject_Call(function, tuple, dict) : NULL;
    Py_XDECREF(tuple);
    Py_XDECREF(dict);
    return result;
}
