/* The extension module jitreduce._jitreduce: a thin layer over the library; the package's Python files stand on it. */
#include "py_module.h"

#include <stddef.h>

#include "array.h"
#include "arrow.h"
#include "call_record.h"
#include "errors.h"
#include "py_context.h"
#include "py_exchange.h"
#include "py_memory.h"
#include "py_number.h"
#include "py_plan.h"
#include "py_spec.h"
#include "quick.h"

static int add_type(PyObject *module, PyType_Spec *spec, PyTypeObject **type) {
    *type = (PyTypeObject *)PyType_FromModuleAndSpec(module, spec, NULL);
    return *type ? PyModule_AddType(module, *type) : -1;
}

/* The types, and where the state keeps each. */
static const struct type_row {
    PyType_Spec *spec;
    size_t offset;
} types[] = {
    {&pj_context_spec, offsetof(pj_state, context)}, {&pj_array_spec, offsetof(pj_state, array)},
    {&pj_spec_spec, offsetof(pj_state, spec)},       {&pj_memory_spec, offsetof(pj_state, memory)},
    {&pj_kernel_spec, offsetof(pj_state, kernel)},   {&pj_plan_spec, offsetof(pj_state, plan)},
    {&pj_quick_spec, offsetof(pj_state, quick)},     {&pj_quick_method_spec, offsetof(pj_state, quick_method)},
    {&pj_stream_spec, offsetof(pj_state, stream)},   {&pj_graph_spec, offsetof(pj_state, graph)},
    {&pj_state_spec, offsetof(pj_state, state)},
};

static PyTypeObject **type_at(PyObject *module, size_t row) {
    return (PyTypeObject **)(void *)((char *)PyModule_GetState(module) + types[row].offset);
}

/* The names that calls are recorded by. */
static const struct name_row {
    const char *text;
    size_t offset;
} name_rows[] = {
    {"where", offsetof(pj_names, where)},
    {"out", offsetof(pj_names, out)},
    {"stream", offsetof(pj_names, stream)},
    {"dtype", offsetof(pj_names, dtype)},
    {"context", offsetof(pj_names, context)},
    {"value", offsetof(pj_names, value)},
    {"_array", offsetof(pj_names, array)},
    {"_memory", offsetof(pj_names, memory)},
    {"_context", offsetof(pj_names, context_of)},
    {"shape", offsetof(pj_names, shape)},
    {"size", offsetof(pj_names, size)},
    {"strides", offsetof(pj_names, strides)},
    {"data", offsetof(pj_names, data)},
    {"ptr", offsetof(pj_names, ptr)},
    {"_c_contiguous", offsetof(pj_names, c_contiguous)},
    {"device_id", offsetof(pj_names, device_id)},
    {"str", offsetof(pj_names, str)},
    {"cupy", offsetof(pj_names, cupy)},
    {"cuda", offsetof(pj_names, cuda)},
    {"get_current_stream", offsetof(pj_names, get_current_stream)},
    {"mem", offsetof(pj_names, mem)},
    {"cupy_backends.cuda.stream", offsetof(pj_names, cupy_stream)},
    {"__pyx_capi__", offsetof(pj_names, cython)},
    {"get_current_stream_ptr", offsetof(pj_names, current_stream)},
};

static PyObject **name_at(PyObject *module, size_t row) {
    return (PyObject **)(void *)((char *)&((pj_state *)PyModule_GetState(module))->names + name_rows[row].offset);
}

static int fill_names(PyObject *module) {
    int failed = 0;
    for (size_t i = 0; i < sizeof name_rows / sizeof *name_rows; i++)
        failed |= (*name_at(module, i) = PyUnicode_InternFromString(name_rows[i].text)) == NULL;
    return failed;
}

static int find_method(PyObject *module) {
    PyObject *types_module = PyImport_ImportModule("types");
    PyObject *method = types_module ? PyObject_GetAttrString(types_module, "MethodType") : NULL;
    Py_XDECREF(types_module);
    ((pj_state *)PyModule_GetState(module))->method = method;
    return method == NULL;
}

static PyObject *take_class(PyTypeObject **place, PyObject *class) {
    if (!PyType_Check(class)) return PyErr_Format(PyExc_TypeError, "%R is no class", class);
    PyTypeObject *old = *place;
    *place = (PyTypeObject *)Py_NewRef(class);
    Py_XDECREF((PyObject *)old);
    return Py_NewRef(Py_None);
}

/* own(class): that of the package's own arrays. */
static PyObject *take_own(PyObject *module, PyObject *class) {
    return take_class(&((pj_state *)PyModule_GetState(module))->own, class);
}

/* reduction(class): that of Reductions, which do not change once they are made. */
static PyObject *take_reduction(PyObject *module, PyObject *class) {
    return take_class(&((pj_state *)PyModule_GetState(module))->reduction, class);
}

static int fill(PyObject *module) {
    int failed = pj_errors_add(module, PyModule_GetState(module));
    for (size_t i = 0; i < sizeof types / sizeof *types && !failed; i++)
        failed = add_type(module, types[i].spec, type_at(module, i));
    if (failed || fill_names(module) || find_method(module) ||
        PyModule_AddStringConstant(module, "version", jr_version()))
        return -1;
    return pj_log_begin();
}

static int traverse(PyObject *module, visitproc visit, void *arg) {
    Py_VISIT(((pj_state *)PyModule_GetState(module))->errors);
    Py_VISIT((PyObject *)((pj_state *)PyModule_GetState(module))->own);
    Py_VISIT((PyObject *)((pj_state *)PyModule_GetState(module))->reduction);
    Py_VISIT(((pj_state *)PyModule_GetState(module))->method);
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) Py_VISIT(*type_at(module, i));
    return 0;
}

static int clear(PyObject *module) {
    Py_CLEAR(((pj_state *)PyModule_GetState(module))->errors);
    Py_CLEAR(((pj_state *)PyModule_GetState(module))->own);
    Py_CLEAR(((pj_state *)PyModule_GetState(module))->reduction);
    Py_CLEAR(((pj_state *)PyModule_GetState(module))->method);
    for (size_t i = 0; i < sizeof name_rows / sizeof *name_rows; i++) Py_CLEAR(*name_at(module, i));
    pj_exchange_forget(PyModule_GetState(module));
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) Py_CLEAR(*type_at(module, i));
    return 0;
}

static PyMethodDef functions[] = {
    {"reduce", PJ_FAST(pj_reduce), METH_FASTCALL, "Reduces all elements of arrays in host memory to numbers."},
    {"reduce_axes", PJ_FAST(pj_reduce_axes), METH_FASTCALL, "Reduces axes of arrays in host memory."},
    {"reduce_pieces", PJ_FAST(pj_reduce_pieces), METH_FASTCALL, "Reduces pieces of arrays in host memory."},
    {"reduce_runs", PJ_FAST(pj_reduce_runs), METH_FASTCALL, "Reduces runs of equal keys in host memory."},
    {"many_table", PJ_FAST(pj_many_table), METH_FASTCALL, "Where many arrays lie, as plans are given it."},
    {"many", PJ_FAST(pj_many), METH_FASTCALL, "Reduces many arrays in host memory, or applies to them."},
    {"scan", PJ_FAST(pj_scan), METH_FASTCALL, "Scans arrays in host memory along an axis."},
    {"arrow_array", pj_arrow_array, METH_VARARGS, "The numbers of an array of Arrow, and which are no nulls."},
    {"arrow_chunks", pj_arrow_chunks, METH_O, "The schema and the arrays of a stream of Arrow."},
    {"scan_pieces", PJ_FAST(pj_scan_pieces), METH_FASTCALL, "Scans pieces of arrays in host memory."},
    {"exchanges", pj_exchange_has, METH_O, "Whether a class exchanges arrays by DLPack's table."},
    {"forget", pj_quick_forget, METH_NOARGS, "Forgets plans of the default context, which has changed."},
    {"own", take_own, METH_O, "Takes the class of the package's own arrays."},
    {"reduction", take_reduction, METH_O, "Takes the class of Reductions."},
    {"report", pj_report, METH_VARARGS, "Reports what a call ran, so that it can be replayed."},
    {"state_look", pj_state_look, METH_O, "What a state in bytes is of."},
    {"shown", pj_show, METH_O, "The repr of an object, shortened where it is long."},
    {"type_found", pj_type_found, METH_O, "The short name of a type that has a name, or None."},
    {"doctor", PJ_FAST(pj_doctor), METH_FASTCALL, "The libraries found on this machine."},
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
    .m_doc = "The C part of the package jitreduce, without public names.",
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
