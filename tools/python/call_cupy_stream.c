/* The stream on which CuPy works now: asked for in C, where its Cython modules share a function for that, else in
 * Python.
 */
#include "call_cupy.h"

/* CuPy's function in C; NULL: this version shares none of that type. */
static pj_cupy_current look_for_current(const pj_state *state) {
    static const char *const type = "intptr_t (void)";
    PyObject *module = PyImport_GetModule(state->names.cupy_stream);
    PyObject *shared = module ? PyObject_GetAttr(module, state->names.cython) : NULL;
    PyObject *capsule = shared ? PyObject_GetItem(shared, state->names.current_stream) : NULL;
    void *found = capsule && PyCapsule_IsValid(capsule, type) ? PyCapsule_GetPointer(capsule, type) : NULL;
    PyErr_Clear();
    Py_XDECREF(module);
    Py_XDECREF(shared);
    Py_XDECREF(capsule);
    return (pj_cupy_current)(uintptr_t)found;
}

static bool ask_python(const pj_state *state, void **handle) {
    PyObject *cupy = PyImport_GetModule(state->names.cupy);
    PyObject *cuda = cupy ? PyObject_GetAttr(cupy, state->names.cuda) : NULL;
    PyObject *current = cuda ? PyObject_CallMethodObjArgs(cuda, state->names.get_current_stream, NULL) : NULL;
    PyObject *number = current ? PyObject_GetAttr(current, state->names.ptr) : NULL;
    *handle = number ? PyLong_AsVoidPtr(number) : NULL;
    Py_XDECREF(cupy);
    Py_XDECREF(cuda);
    Py_XDECREF(current);
    Py_XDECREF(number);
    return number && !PyErr_Occurred();
}

bool pj_cupy_stream(pj_state *state, pj_seen *seen) {
    void *handle = NULL;
    if (state->cupy_class != Py_TYPE(seen->object)) {
        state->cupy_class = Py_TYPE(seen->object);
        state->cupy_current = look_for_current(state);
    }
    if (!state->cupy_current) {
        if (!ask_python(state, &handle)) return false;
    } else {
        const intptr_t number = state->cupy_current();
        if (number <= 0 && PyErr_Occurred()) return false;
        handle = (jr_stream)(uintptr_t)number;
    }
    seen->stream = (uintptr_t)handle == 1 ? NULL : handle;
    return true;
}
