/* What the library finds on this machine: every candidate for every component, and the variables that it reads. */
#include "py_doctor.h"

#include "errors.h"
#include "py_call.h"

static void add(PyObject *list, PyObject *item) {
    if (!item || PyList_Append(list, item)) PyErr_WriteUnraisable(list);
    Py_XDECREF(item);
}

static void add_finding(void *list, const jr_finding *finding) {
    add(list, Py_BuildValue("(sssOs)", finding->component, finding->origin, finding->path,
                            finding->chosen ? Py_True : Py_False, finding->detail));
}

PyObject *pj_doctor(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    jr_options options = JR_INIT(jr_options);
    if (count != 1) return pj_call_arguments("doctor", 1, count);
    if (args[0] != Py_None && !(options.nvrtc = PyUnicode_AsUTF8AndSize(args[0], NULL))) return NULL;
    PyObject *list = PyList_New(0);
    if (list && jr_doctor(&options, add_finding, list)) {
        Py_DECREF(list);
        return pj_raise(PyModule_GetState(module));
    }
    return list;
}

PyObject *pj_variables(PyObject *module, PyObject *unused) {
    (void)module, (void)unused;
    PyObject *list = PyList_New(0);
    for (int i = 0; list && i < jr_variable_count(); i++) {
        jr_variable variable = jr_variable_get(i);
        add(list, Py_BuildValue("(ssz)", variable.name, variable.text, variable.value));
    }
    return list;
}
