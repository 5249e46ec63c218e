/* A caller's kernel as an object of Python: compiled when made, launched with arguments that are given as their bytes.
 */
#include "py_module.h"

#include <string.h>

#include "array.h"
#include "errors.h"
#include "py_context.h"
#include "py_number.h"
#include "words.h"

enum { TEXTS_MAX = 256, ARGUMENTS_MAX = 256, ROOM_BYTES = 1 << 16 };

typedef struct pj_kernel {
    PyObject_HEAD PyObject *context; /* owns the kernel */
    jr_kernel *kernel;
    jr_watch *watch; /* of the file that has its text; NULL: none is watched */
} pj_kernel;

/* The newest one. */
static jr_kernel *kernel_of(PyObject *self) {
    pj_kernel *own = (pj_kernel *)self;
    if (own->watch) (void)jr_watch_kernel(own->watch, 0, &own->kernel);
    return own->kernel;
}

/* A new object; context: of Python. */
static PyObject *wrap(PyTypeObject *type, PyObject *context, jr_kernel *kernel, jr_watch *watch) {
    pj_kernel *made = (pj_kernel *)((allocfunc)PyType_GetSlot(type, Py_tp_alloc))(type, 0);
    if (made) {
        made->context = Py_NewRef(context);
        made->kernel = kernel;
        made->watch = watch;
    } else {
        jr_watch_end(watch);
    }
    return (PyObject *)made;
}

/* ((name, text), ...): as many, or -1 with an exception. The texts live as long as the tuple. */
static Py_ssize_t take_named(PyObject *pairs, jr_named_text named[TEXTS_MAX]) {
    Py_ssize_t count = PyTuple_Size(pairs);
    if (count > TEXTS_MAX)
        PyErr_Format(PyExc_ValueError, "%zd constants or headers; at most %d are possible", count, TEXTS_MAX);
    for (Py_ssize_t i = 0; i < count && !PyErr_Occurred(); i++)
        (void)PyArg_ParseTuple(PyTuple_GetItem(pairs, i), "ss", &named[i].name, &named[i].text);
    return PyErr_Occurred() ? -1 : count;
}

static Py_ssize_t take_options(PyObject *texts, const char *options[TEXTS_MAX]) {
    Py_ssize_t count = PyTuple_Size(texts);
    if (count > TEXTS_MAX)
        PyErr_Format(PyExc_ValueError, "%zd options or folders; at most %d are possible", count, TEXTS_MAX);
    for (Py_ssize_t i = 0; i < count && !PyErr_Occurred(); i++)
        options[i] = PyUnicode_AsUTF8AndSize(PyTuple_GetItem(texts, i), NULL);
    return PyErr_Occurred() ? -1 : count;
}

/* Kernel(context, name, source, entry, constants, headers, options, include_folders, toolkit_headers, path)
 * source: None: the text is the file `path`, which is watched. */
static PyObject *make_kernel(PyTypeObject *type, PyObject *args, PyObject *keywords) {
    const pj_state *state = PyType_GetModuleState(type);
    PyObject *context, *constants, *headers, *options, *folders;
    const char *path;
    jr_program program = JR_INIT(jr_program);
    char *names[] = {(char *)"context",
                     (char *)"name",
                     (char *)"source",
                     (char *)"entry",
                     (char *)"constants",
                     (char *)"headers",
                     (char *)"options",
                     (char *)"include_folders",
                     (char *)"toolkit_headers",
                     (char *)"path",
                     NULL};
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "O!zzzO!O!O!O!pz:Kernel", names, state->context, &context,
                                     &program.name, &program.source, &program.entry, &PyTuple_Type, &constants,
                                     &PyTuple_Type, &headers, &PyTuple_Type, &options, &PyTuple_Type, &folders,
                                     &program.toolkit_headers, &path))
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
    jr_context *owner = ((pj_context *)context)->context;
    jr_kernel *kernel = NULL;
    jr_watch *watch = NULL;
    jr_status status;
    Py_BEGIN_ALLOW_THREADS;
    status = path ? jr_kernel_watch(owner, &program, path, &watch) : jr_kernel_get(owner, &program, &kernel);
    if (!status && watch) status = jr_watch_kernel(watch, 0, &kernel);
    Py_END_ALLOW_THREADS;
    return status ? pj_raise(state) : wrap(type, context, kernel, watch);
}

/* (name, text of a program or bytes of a file) */
static bool take_part(PyObject *pair, jr_program *program, jr_link_input *part) {
    PyObject *content;
    if (!PyArg_ParseTuple(pair, "sO:part", &part->name, &content)) return false;
    if (PyUnicode_Check(content)) {
        *program = JR_INIT(jr_program, .name = part->name, .source = PyUnicode_AsUTF8AndSize(content, NULL));
        part->program = program;
    } else {
        part->data = PyBytes_AsString(content);
        part->bytes = part->data ? (size_t)PyBytes_Size(content) : 0;
    }
    return !PyErr_Occurred();
}

/* link(context, parts, entry) -> Kernel */
static PyObject *link_kernel(PyObject *type, PyObject *args) {
    const pj_state *state = PyType_GetModuleState((PyTypeObject *)type);
    PyObject *context, *parts;
    const char *entry;
    jr_program programs[TEXTS_MAX];
    jr_link_input inputs[TEXTS_MAX] = {{.name = NULL}};
    if (!PyArg_ParseTuple(args, "O!O!z:link", state->context, &context, &PyTuple_Type, &parts, &entry)) return NULL;
    const Py_ssize_t count = PyTuple_Size(parts);
    if (count > TEXTS_MAX)
        return PyErr_Format(PyExc_ValueError, "%zd parts; at most %d are possible", count, TEXTS_MAX);
    for (Py_ssize_t i = 0; i < count; i++)
        if (!take_part(PyTuple_GetItem(parts, i), &programs[i], &inputs[i])) return NULL;
    jr_context *owner = ((pj_context *)context)->context;
    jr_image *image = NULL;
    jr_kernel *kernel = NULL;
    jr_status status;
    Py_BEGIN_ALLOW_THREADS;
    status = jr_image_link(owner, inputs, (size_t)count, entry, NULL, &image);
    if (!status) status = jr_kernel_load(owner, image, &kernel);
    jr_image_destroy(image);
    Py_END_ALLOW_THREADS;
    return status ? pj_raise(state) : wrap((PyTypeObject *)type, context, kernel, NULL);
}

static void free_kernel(PyObject *self) {
    PyTypeObject *type = Py_TYPE(self);
    jr_watch *watch = ((pj_kernel *)self)->watch;
    Py_BEGIN_ALLOW_THREADS;
    jr_watch_end(watch); /* may wait for a compile */
    Py_END_ALLOW_THREADS;
    Py_XDECREF(((pj_kernel *)self)->context);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DECREF(type);
}

static bool take_three(PyObject *tuple, unsigned sizes[3]) {
    return PyArg_ParseTuple(tuple, "I|II:three", &sizes[0], &sizes[1], &sizes[2]) != 0;
}

/* What a launch is given, until it has been read. */
typedef struct arguments {
    jr_argument given[ARGUMENTS_MAX];
    uint64_t words[ARGUMENTS_MAX]; /* of numbers of Python's and of addresses */
    void *pointers[ARGUMENTS_MAX];
    Py_ssize_t count;
    _Alignas(16) unsigned char room[ROOM_BYTES];
} arguments;

/* An integer of 64 bits, with a sign or without one. */
static bool take_integer(PyObject *number, jr_argument *argument, uint64_t *word) {
    argument->type = JR_I64;
    *word = (uint64_t)PyLong_AsLongLong(number);
    if (!PyErr_Occurred()) return true;
    PyErr_Clear();
    argument->type = JR_U64;
    *word = PyLong_AsUnsignedLongLong(number);
    return !PyErr_Occurred();
}

static bool take_typed(PyObject *pair, jr_argument *argument) {
    PyObject *name, *bytes;
    if (!PyArg_ParseTuple(pair, "US:argument", &name, &bytes) || !pj_type_find(name, &argument->type)) return false;
    argument->kind = JR_ARGUMENT_NUMBER;
    argument->bytes = PyBytes_AsString(bytes);
    return true;
}

/* An Array in device memory, an int, a float, the bytes of a struct, or (type, bytes) of a number that has a type. */
static bool take_argument(const pj_state *state, PyObject *item, jr_argument *argument, uint64_t *word) {
    *argument = (jr_argument){.kind = JR_ARGUMENT_LITERAL, .bytes = word};
    if (PyTuple_Check(item)) return take_typed(item, argument);
    if (PyLong_Check(item)) return take_integer(item, argument, word);
    if (Py_TYPE(item) == state->array) {
        argument->kind = JR_ARGUMENT_POINTER;
        *word = (uint64_t)(uintptr_t)((pj_array *)item)->address;
    } else if (PyFloat_Check(item)) {
        const double number = PyFloat_AsDouble(item);
        argument->type = JR_F64;
        memcpy(word, &number, sizeof number);
    } else {
        argument->kind = JR_ARGUMENT_BYTES;
        argument->bytes = PyBytes_AsString(item);
        argument->count = argument->bytes ? (size_t)PyBytes_Size(item) : 0;
    }
    return !PyErr_Occurred();
}

static bool take_arguments(const pj_state *state, PyObject *tuple, arguments *taken) {
    taken->count = PyTuple_Size(tuple);
    if (taken->count > ARGUMENTS_MAX)
        PyErr_Format(PyExc_ValueError, "%zd arguments; at most %d are possible", taken->count, ARGUMENTS_MAX);
    for (Py_ssize_t i = 0; i < taken->count && !PyErr_Occurred(); i++)
        (void)take_argument(state, PyTuple_GetItem(tuple, i), &taken->given[i], &taken->words[i]);
    return !PyErr_Occurred();
}

static PyObject *raise_words(PyObject *type, const char *message) {
    PyObject *words = pj_words(message);
    if (words) PyErr_SetObject(type, words);
    Py_XDECREF(words);
    return NULL;
}

/* Another number of arguments is a TypeError, as it is of Python's functions. */
static PyObject *raise_arguments(const pj_state *state, const jr_kernel *kernel, Py_ssize_t given) {
    size_t wanted;
    if (jr_kernel_parameters(kernel, NULL, 0, &wanted) == JR_OK && wanted != (size_t)given)
        return raise_words(PyExc_TypeError, jr_last_error()->message);
    return pj_raise(state);
}

/* launch(grid, block, shared_bytes, stream, arguments, cooperative, cluster, priority); cluster: () for none */
static PyObject *launch(PyObject *self, PyObject *args) {
    const pj_state *state = PyType_GetModuleState(Py_TYPE(self));
    jr_kernel *kernel = kernel_of(self);
    jr_launch wanted = JR_INIT(jr_launch);
    PyObject *grid, *block, *tuple, *cluster;
    arguments taken;
    unsigned long long stream;
    if (!PyArg_ParseTuple(args, "O!O!IKO!iO!i:launch", &PyTuple_Type, &grid, &PyTuple_Type, &block,
                          &wanted.shared_bytes, &stream, &PyTuple_Type, &tuple, &wanted.cooperative, &PyTuple_Type,
                          &cluster, &wanted.priority) ||
        !take_three(grid, wanted.grid) || !take_three(block, wanted.block) ||
        (PyTuple_Size(cluster) > 0 && !take_three(cluster, wanted.cluster)) || !take_arguments(state, tuple, &taken))
        return NULL;
    wanted.stream = (jr_stream)(uintptr_t)stream;
    if (jr_kernel_arguments(kernel, taken.given, (size_t)taken.count, taken.room, sizeof taken.room, taken.pointers))
        return raise_arguments(state, kernel, taken.count);
    jr_status status;
    Py_BEGIN_ALLOW_THREADS;
    status = jr_kernel_launch(kernel, &wanted, taken.pointers);
    Py_END_ALLOW_THREADS;
    return status ? pj_raise(state) : Py_NewRef(Py_None);
}

static PyObject *info(PyObject *self, PyObject *unused) {
    (void)unused;
    jr_kernel_info found = JR_INIT(jr_kernel_info);
    if (jr_kernel_info_get(kernel_of(self), &found)) return pj_raise(PyType_GetModuleState(Py_TYPE(self)));
    return Py_BuildValue("{s:i,s:i,s:i,s:i,s:i,s:i,s:i}", "registers", found.registers, "shared_bytes",
                         found.shared_bytes, "local_bytes", found.local_bytes, "constant_bytes", found.constant_bytes,
                         "max_threads_per_block", found.max_threads_per_block, "parameter_count", found.parameter_count,
                         "parameter_bytes", found.parameter_bytes);
}

/* global_find(name) -> (address, bytes) */
static PyObject *global_find(PyObject *self, PyObject *name) {
    const char *text = PyUnicode_AsUTF8AndSize(name, NULL);
    void *address;
    size_t bytes;
    if (!text) return NULL;
    if (jr_kernel_global_find(kernel_of(self), text, &address, &bytes))
        return pj_raise(PyType_GetModuleState(Py_TYPE(self)));
    return Py_BuildValue("(KK)", (unsigned long long)(uintptr_t)address, (unsigned long long)bytes);
}

static PyMethodDef methods[] = {
    {"global_find", global_find, METH_O, "Where a variable of the kernel's module is, and its bytes."},
    {"link", link_kernel, METH_VARARGS | METH_CLASS, "Links programs and files, and loads the kernel."},
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

PyType_Spec pj_kernel_spec = PJ_TYPE("Kernel", pj_kernel, slots, 0);
