/* A caller's kernel as an object of Python: compiled when made, launched with arguments that are given as their bytes.
 */
#include "kernel.h"

#include "context.h"
#include "errors.h"

enum { TEXTS_MAX = 256, ARGUMENTS_MAX = 256, PARAMETER_BYTES_MAX = 32764 };

typedef struct pj_kernel {
    PyObject_HEAD PyObject *context; /* owns the kernel */
    jr_kernel *kernel;
} pj_kernel;

/* ((name, text), ...): as many, or -1 with an exception. The texts live as long as the tuple. */
static Py_ssize_t take_named(PyObject *pairs, jr_named_text named[TEXTS_MAX]) {
    Py_ssize_t count = PyTuple_Size(pairs);
    if (count > TEXTS_MAX)
        PyErr_Format(PyExc_ValueError, "%zd constants or headers; %d are the most", count, TEXTS_MAX);
    for (Py_ssize_t i = 0; i < count && !PyErr_Occurred(); i++)
        (void)PyArg_ParseTuple(PyTuple_GetItem(pairs, i), "ss", &named[i].name, &named[i].text);
    return PyErr_Occurred() ? -1 : count;
}

static Py_ssize_t take_options(PyObject *texts, const char *options[TEXTS_MAX]) {
    Py_ssize_t count = PyTuple_Size(texts);
    if (count > TEXTS_MAX) PyErr_Format(PyExc_ValueError, "%zd options or folders; %d are the most", count, TEXTS_MAX);
    for (Py_ssize_t i = 0; i < count && !PyErr_Occurred(); i++)
        options[i] = PyUnicode_AsUTF8AndSize(PyTuple_GetItem(texts, i), NULL);
    return PyErr_Occurred() ? -1 : count;
}

/* Kernel(context, name, source, entry, constants, headers, options, include_folders, toolkit_headers) */
static PyObject *make_kernel(PyTypeObject *type, PyObject *args, PyObject *keywords) {
    const pj_state *state = PyType_GetModuleState(type);
    PyObject *context, *constants, *headers, *options, *folders;
    jr_program program = JR_INIT(jr_program);
    char *names[] = {
        (char *)"context", (char *)"name",    (char *)"source",          (char *)"entry",           (char *)"constants",
        (char *)"headers", (char *)"options", (char *)"include_folders", (char *)"toolkit_headers", NULL};
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "O!sssO!O!O!O!p:Kernel", names, state->context, &context,
                                     &program.name, &program.source, &program.entry, &PyTuple_Type, &constants,
                                     &PyTuple_Type, &headers, &PyTuple_Type, &options, &PyTuple_Type, &folders,
                                     &program.toolkit_headers))
        return NULL;
    jr_named_text constant_texts[TEXTS_MAX], header_texts[TEXTS_MAX];
    const char *option_texts[TEXTS_MAX], *folder_texts[TEXTS_MAX];
    Py_ssize_t constant_count = take_named(constants, constant_texts);
    Py_ssize_t header_count = constant_count < 0 ? -1 : take_named(headers, header_texts);
    Py_ssize_t option_count = header_count < 0 ? -1 : take_options(options, option_texts);
    Py_ssize_t folder_count = option_count < 0 ? -1 : take_options(folders, folder_texts);
    if (folder_count < 0) return NULL;
    program.constants = constant_texts, program.constant_count = (size_t)constant_count;
    program.headers = header_texts, program.header_count = (size_t)header_count;
    program.options = option_texts, program.option_count = (size_t)option_count;
    program.include_folders = folder_texts, program.include_folder_count = (size_t)folder_count;
    jr_kernel *kernel = NULL;
    jr_status status;
    Py_BEGIN_ALLOW_THREADS;
    status = jr_kernel_get(((pj_context *)context)->context, &program, &kernel);
    Py_END_ALLOW_THREADS;
    if (status) return pj_raise(state);
    pj_kernel *made = (pj_kernel *)((allocfunc)PyType_GetSlot(type, Py_tp_alloc))(type, 0);
    if (!made) return NULL;
    made->context = Py_NewRef(context);
    made->kernel = kernel;
    return (PyObject *)made;
}

static void free_kernel(PyObject *self) {
    PyTypeObject *type = Py_TYPE(self);
    Py_XDECREF(((pj_kernel *)self)->context);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DECREF(type);
}

static bool take_three(PyObject *tuple, unsigned sizes[3]) {
    return PyArg_ParseTuple(tuple, "I|II:three", &sizes[0], &sizes[1], &sizes[2]) != 0;
}

/* (bytes, ...): cuLaunchKernel's pointers to the arguments. The driver reads as many as the kernel has. Where it does
 * not tell how many these are, those that are not given are zeros. */
static bool take_arguments(PyObject *tuple, void *arguments[ARGUMENTS_MAX]) {
    static const char zeros[PARAMETER_BYTES_MAX];
    Py_ssize_t count = PyTuple_Size(tuple);
    for (int i = 0; i < ARGUMENTS_MAX; i++) arguments[i] = (void *)zeros;
    if (count > ARGUMENTS_MAX) PyErr_Format(PyExc_ValueError, "%zd arguments; %d are the most", count, ARGUMENTS_MAX);
    for (Py_ssize_t i = 0; i < count && !PyErr_Occurred(); i++)
        arguments[i] = PyBytes_AsString(PyTuple_GetItem(tuple, i));
    return !PyErr_Occurred();
}

/* launch(grid, block, shared_bytes, stream, arguments) */
static PyObject *launch(PyObject *self, PyObject *args) {
    jr_launch wanted = JR_INIT(jr_launch);
    PyObject *grid, *block, *tuple;
    void *arguments[ARGUMENTS_MAX];
    unsigned long long stream;
    if (!PyArg_ParseTuple(args, "O!O!IKO!:launch", &PyTuple_Type, &grid, &PyTuple_Type, &block, &wanted.shared_bytes,
                          &stream, &PyTuple_Type, &tuple) ||
        !take_three(grid, wanted.grid) || !take_three(block, wanted.block) || !take_arguments(tuple, arguments))
        return NULL;
    wanted.stream = (jr_stream)(uintptr_t)stream;
    jr_status status;
    Py_BEGIN_ALLOW_THREADS;
    status = jr_kernel_launch(((pj_kernel *)self)->kernel, &wanted, arguments);
    Py_END_ALLOW_THREADS;
    return status ? pj_raise(PyType_GetModuleState(Py_TYPE(self))) : Py_NewRef(Py_None);
}

static PyObject *info(PyObject *self, PyObject *unused) {
    (void)unused;
    jr_kernel_info found = JR_INIT(jr_kernel_info);
    if (jr_kernel_info_get(((pj_kernel *)self)->kernel, &found)) return pj_raise(PyType_GetModuleState(Py_TYPE(self)));
    return Py_BuildValue("{s:i,s:i,s:i,s:i,s:i,s:i,s:i}", "registers", found.registers, "shared_bytes",
                         found.shared_bytes, "local_bytes", found.local_bytes, "constant_bytes", found.constant_bytes,
                         "max_threads_per_block", found.max_threads_per_block, "parameter_count", found.parameter_count,
                         "parameter_bytes", found.parameter_bytes);
}

static PyMethodDef methods[] = {
    {"launch", launch, METH_VARARGS, "Launches the kernel on a stream."},
    {"info", info, METH_NOARGS, "What the kernel takes."},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot slots[] = {
    {Py_tp_new, (void *)make_kernel},
    {Py_tp_dealloc, (void *)free_kernel},
    {Py_tp_methods, methods},
    {Py_tp_doc, (void *)"A kernel of the caller's."},
    {0, NULL},
};

PyType_Spec pj_kernel_spec = {
    .name = "jitreduce._jitreduce.Kernel",
    .basicsize = (int)sizeof(pj_kernel),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = slots,
};
