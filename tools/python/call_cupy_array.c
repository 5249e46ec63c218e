/* CuPy's arrays, made as their class makes them but without its two functions of Python, which take two thirds of the
 * time: the class's base, which is C's, makes an object, and the base's _init is given the arguments. That is done
 * where the first array of a class that was made so equals the one that the class made. */
#include "call_cupy.h"

static PyObject *make_by_class(PyTypeObject *class, const pj_cupy_new *given) {
    return PyObject_CallFunctionObjArgs((PyObject *)class, given->shape, given->dtype, given->pointer, given->strides,
                                        NULL);
}

static PyObject *make_by_base(PyTypeObject *class, PyObject *init, const pj_cupy_new *given) {
    const newfunc make = (newfunc)PyType_GetSlot(PyType_GetSlot(class, Py_tp_base), Py_tp_new);
    PyObject *nothing = PyTuple_New(0), *made = nothing && make ? make(class, nothing, NULL) : NULL;
    PyObject *done = made ? PyObject_CallFunctionObjArgs(init, made, given->shape, given->dtype, given->pointer,
                                                         given->strides, NULL)
                          : NULL;
    Py_XDECREF(nothing);
    if (!done) Py_CLEAR(made);
    Py_XDECREF(done);
    return made;
}

static bool is_equal(PyObject *one, PyObject *other, const char *name) {
    PyObject *of_one = PyObject_GetAttrString(one, name),
             *of_other = of_one ? PyObject_GetAttrString(other, name) : NULL;
    const bool equal = of_other && PyObject_RichCompareBool(of_one, of_other, Py_EQ) == 1;
    Py_XDECREF(of_one);
    Py_XDECREF(of_other);
    return equal;
}

static bool are_equal(PyObject *one, PyObject *other) {
    static const char *const names[] = {"shape", "strides", "dtype", "size", "_c_contiguous", "_f_contiguous", "base"};
    PyObject *at_one = PyObject_GetAttrString(one, "data"), *at_other = PyObject_GetAttrString(other, "data");
    bool equal = Py_TYPE(one) == Py_TYPE(other) && at_one && at_other && is_equal(at_one, at_other, "ptr");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) equal = equal && is_equal(one, other, names[i]);
    Py_XDECREF(at_one);
    Py_XDECREF(at_other);
    return equal;
}

/* The base's _init, if arrays are made by it as by the class; NULL: they are not. */
static PyObject *look_for_init(PyTypeObject *class, const pj_cupy_new *given) {
    PyObject *base = PyType_GetSlot(class, Py_tp_base), *init = PyObject_GetAttrString(base, "_init");
    PyObject *one = init ? make_by_base(class, init, given) : NULL, *other = one ? make_by_class(class, given) : NULL;
    if (!other || !are_equal(one, other)) Py_CLEAR(init);
    PyErr_Clear();
    Py_XDECREF(one);
    Py_XDECREF(other);
    return init;
}

PyObject *pj_cupy_new_array(pj_state *state, PyTypeObject *class, const pj_cupy_new *given) {
    if (state->cupy_made != class) {
        PyObject *init = look_for_init(class, given), *old_class = (PyObject *)state->cupy_made,
                 *old = state->cupy_init;
        state->cupy_made = (PyTypeObject *)Py_NewRef((PyObject *)class);
        state->cupy_init = init;
        Py_XDECREF(old_class);
        Py_XDECREF(old);
    }
    PyObject *init = Py_XNewRef(state->cupy_init);
    PyObject *made = init ? make_by_base(class, init, given) : make_by_class(class, given);
    Py_XDECREF(init);
    return made;
}
