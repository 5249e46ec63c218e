/* The extension module jitreduce._jitreduce: a thin layer over the library; the package's Python files stand on it. */
#include "module.h"

#include "array.h"
#include "context.h"
#include "doctor.h"
#include "errors.h"
#include "reduce.h"
#include "scan.h"
#include "spec.h"

static int add_type(PyObject *module, PyType_Spec *spec, PyTypeObject **type) {
    *type = (PyTypeObject *)PyType_FromModuleAndSpec(module, spec, NULL);
    return *type ? PyModule_AddType(module, *type) : -1;
}

static int fill(PyObject *module) {
    pj_state *state = PyModule_GetState(module);
    return pj_errors_add(module, state) || add_type(module, &pj_context_spec, &state->context) ||
                   add_type(module, &pj_array_spec, &state->array) || add_type(module, &pj_spec_spec, &state->spec) ||
                   PyModule_AddStringConstant(module, "version", jr_version())
               ? -1
               : 0;
}

static int traverse(PyObject *module, visitproc visit, void *arg) {
    pj_state *state = PyModule_GetState(module);
    Py_VISIT(state->errors);
    Py_VISIT(state->context);
    Py_VISIT(state->array);
    Py_VISIT(state->spec);
    return 0;
}

static int clear(PyObject *module) {
    pj_state *state = PyModule_GetState(module);
    Py_CLEAR(state->errors);
    Py_CLEAR(state->context);
    Py_CLEAR(state->array);
    Py_CLEAR(state->spec);
    return 0;
}

static PyMethodDef functions[] = {
    {"reduce", PJ_FAST(pj_reduce), METH_FASTCALL, "Reduces all elements of arrays in host memory to numbers."},
    {"reduce_axes", PJ_FAST(pj_reduce_axes), METH_FASTCALL, "Reduces axes of arrays in host memory."},
    {"scan", PJ_FAST(pj_scan), METH_FASTCALL, "Scans arrays in host memory along an axis."},
    {"doctor", PJ_FAST(pj_doctor), METH_FASTCALL, "What the library finds on this machine."},
    {"variables", pj_variables, METH_NOARGS, "The environment variables that the library reads."},
    {NULL, NULL, 0, NULL},
};

static PyModuleDef_Slot slots[] = {
    {Py_mod_exec, (void *)fill},
    {0, NULL},
};

static PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,
    .m_name = "jitreduce._jitreduce",
    .m_doc = "What the package jitreduce stands on; no names for users.",
    .m_size = sizeof(pj_state),
    .m_methods = functions,
    .m_slots = slots,
    .m_traverse = traverse,
    .m_clear = clear,
};

PyMODINIT_FUNC PyInit__jitreduce(void);
PyMODINIT_FUNC PyInit__jitreduce(void) {
    return PyModuleDef_Init(&definition);
}
