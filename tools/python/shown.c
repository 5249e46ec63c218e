/* Shows any object in a message: one whose own way to show itself raises, or that shows pages, spoils none. */
#include "shown.h"

enum { SHOWN_MAX = 120 };

static PyObject *class_of(PyObject *object) {
    PyErr_Clear();
    PyObject *name = PyType_GetName(Py_TYPE(object));
    PyObject *text = name ? PyUnicode_FromFormat("<an object of %U>", name) : NULL;
    Py_XDECREF(name);
    return text;
}

/* No more than fits a message; the last ones are dots. */
static PyObject *cut(PyObject *text) {
    if (PyUnicode_GetLength(text) <= SHOWN_MAX) return text;
    PyObject *head = PyUnicode_Substring(text, 0, SHOWN_MAX), *made = head ? PyUnicode_FromFormat("%U...", head) : NULL;
    Py_XDECREF(head);
    Py_DECREF(text);
    return made;
}

PyObject *pj_shown(PyObject *object) {
    PyErr_Clear();
    PyObject *text = PyObject_Repr(object);
    return text ? cut(text) : class_of(object);
}

PyObject *pj_show(PyObject *module, PyObject *object) {
    (void)module;
    return pj_shown(object);
}

PyObject *pj_raise_shown(PyObject *error, PyObject *object, const char *words, const char *name) {
    PyObject *text = pj_shown(object);
    if (text) PyErr_Format(error, words, text, name);
    Py_XDECREF(text);
    return NULL;
}
