/* Calls and shows an object that stands for a function of the package. */
#include "named.h"

/* ---- calls: arguments in a vector are handed on to functions that may want them in a tuple and a dict ---- */

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

/* ---- what else is asked ---- */

PyObject *pj_named_show(PyObject *self) {
    return PyUnicode_FromFormat("<function jitreduce.%U>", ((pj_named *)self)->name);
}

PyObject *pj_named_reduce(PyObject *self, PyObject *unused) {
    (void)unused;
    return Py_NewRef(((pj_named *)self)->name);
}

PyObject *pj_named_bind(PyObject *self, PyObject *object, PyObject *type) {
    (void)object;
    (void)type;
    return Py_NewRef(self);
}

static PyObject *get_text(PyObject *self, void *unused) {
    (void)unused;
    return PyObject_GetAttrString(((pj_named *)self)->function, "__doc__");
}

PyObject *pj_named_get(PyObject *self, PyObject *name) {
    static const char *const functions[] = {"__name__",  "__qualname__", "__defaults__",    "__kwdefaults__",
                                            "__class__", "__code__",     "__annotations__", "__globals__"};
    PyObject *function = ((pj_named *)self)->function;
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (PyUnicode_CompareWithASCIIString(name, functions[i]) == 0) return PyObject_GetAttr(function, name);
    if (PyUnicode_CompareWithASCIIString(name, "__module__") == 0) return PyUnicode_FromString("jitreduce");
    if (PyUnicode_CompareWithASCIIString(name, "__wrapped__") == 0) return Py_NewRef(function);
    return PyObject_GenericGetAttr(self, name);
}

PyGetSetDef pj_named_texts[] = {
    {"__doc__", get_text, NULL, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};
