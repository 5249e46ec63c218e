/* Objects that end without the GIL. While Python itself ends, it ends every thread that takes the GIL again in another
 * interpreter than the one that ends last: objects of an interpreter that is still there then must keep it. */
#include "ending.h"

/* At its end an interpreter clears sys, too. */
static bool is_ending(void) {
    PyObject *raised, *value, *trace, *function = PySys_GetObject("is_finalizing");
    if (!function || function == Py_None) return true;
    PyErr_Fetch(&raised, &value, &trace);
    PyObject *told = PyObject_CallNoArgs(function);
    const bool ending = told != Py_False;
    Py_XDECREF(told);
    PyErr_Restore(raised, value, trace);
    return ending;
}

PyThreadState *pj_leave_python(void) {
    return is_ending() ? NULL : PyEval_SaveThread();
}

void pj_enter_python(PyThreadState *left) {
    if (left) PyEval_RestoreThread(left);
}
