/* Kept states of exact sums: elements are added, other states, too; they are written as bytes, and finished.
 *
 * A state is used by one thread at a time, without the GIL: its lock is taken once the GIL is let go of. */
#include "py_module.h"

#include <stdlib.h>

#include "errors.h"
#include "py_call.h"
#include "py_number.h"

typedef struct exact {
    PyObject_HEAD PyObject *context, *spec; /* keep what the state points to */
    jr_exact_state *state;
    jr_plan *plan; /* of device memory; NULL: not made */
    void *d_left;  /* what its runs leave, in device memory */
    void *left;    /* the same in host memory */
    PyThread_type_lock lock;
} exact;

static jr_context *context_of(const exact *self) {
    return ((pj_context *)self->context)->context;
}

static const pj_spec *spec_of(const exact *self) {
    return (const pj_spec *)self->spec;
}

static const pj_state *module_of(const exact *self) {
    return PyType_GetModuleState(Py_TYPE((PyObject *)self));
}

static PyObject *finished(const exact *self, jr_status status) {
    if (status == JR_ERROR_OUT_OF_MEMORY && jr_last_error()->status != status) return PyErr_NoMemory();
    return status ? pj_raise(module_of(self)) : Py_NewRef(Py_None);
}

/* ExactState(context, spec) */
static PyObject *make(PyTypeObject *type, PyObject *args, PyObject *keywords) {
    const pj_state *state = PyType_GetModuleState(type);
    PyObject *context, *spec;
    char *names[] = {(char *)"context", (char *)"spec", NULL};
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "O!O!:ExactState", names, state->context, &context, state->spec,
                                     &spec))
        return NULL;
    exact *made = (exact *)((allocfunc)PyType_GetSlot(type, Py_tp_alloc))(type, 0);
    if (!made) return NULL;
    made->context = Py_NewRef(context);
    made->spec = Py_NewRef(spec);
    made->lock = PyThread_allocate_lock();
    jr_status status = made->lock ? JR_OK : JR_ERROR_OUT_OF_MEMORY;
    Py_BEGIN_ALLOW_THREADS;
    if (status == JR_OK) status = jr_exact_state_create(context_of(made), &spec_of(made)->spec, &made->state);
    Py_END_ALLOW_THREADS;
    if (status == JR_OK) return (PyObject *)made;
    (void)(made->lock ? pj_raise(state) : PyErr_NoMemory());
    Py_DECREF((PyObject *)made);
    return NULL;
}

static void destroy(PyObject *self) {
    PyTypeObject *type = Py_TYPE(self);
    exact *made = (exact *)self;
    Py_BEGIN_ALLOW_THREADS;
    if (made->d_left) jr_memory_free(context_of(made), made->d_left);
    jr_plan_destroy(made->plan);
    jr_exact_state_destroy(made->state);
    Py_END_ALLOW_THREADS;
    free(made->left);
    if (made->lock) PyThread_free_lock(made->lock);
    Py_XDECREF(made->context);
    Py_XDECREF(made->spec);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DECREF(type);
}

/* ---- elements ---- */

typedef struct part {
    const void *data[JR_INPUTS_MAX];
    uint64_t count;
    bool host;
    jr_stream stream; /* of device memory */
} part;

static jr_status prepare(exact *self) {
    if (self->left) return JR_OK;
    jr_work work = JR_INIT(jr_work, .spec = &spec_of(self)->spec, .kind = JR_WORK_STATE);
    jr_status status = self->plan ? JR_OK : jr_work_plan_create(context_of(self), &work, &self->plan);
    size_t bytes = status == JR_OK ? jr_plan_result_bytes(self->plan) : 0;
    if (status == JR_OK && !self->d_left) status = jr_memory_new(context_of(self), bytes, &self->d_left);
    if (status == JR_OK && !(self->left = malloc(bytes))) status = JR_ERROR_OUT_OF_MEMORY;
    return status;
}

static jr_status fold_device(exact *self, const part *added) {
    jr_status status = prepare(self);
    if (status != JR_OK) return status;
    jr_work_data device = JR_INIT(jr_work_data, .in = added->data, .count = added->count, .out = self->d_left,
                                  .first = jr_exact_state_elements(self->state));
    status = jr_work_plan_run(self->plan, &device, NULL, added->stream);
    if (status == JR_OK) status = jr_stream_wait(context_of(self), added->stream);
    if (status == JR_OK)
        status = jr_memory_read(context_of(self), self->left, self->d_left, jr_plan_result_bytes(self->plan));
    return status == JR_OK ? jr_exact_state_fold_plan(self->state, self->plan, self->left, added->count) : status;
}

static jr_status fold(exact *self, const part *added) {
    if (!added->host) return fold_device(self, added);
    return jr_exact_state_fold_host(self->state, added->data, added->count, jr_exact_state_elements(self->state));
}

/* add(arrays, stream): stream is None of arrays in host memory. */
static PyObject *add(PyObject *self, PyObject *const *args, Py_ssize_t count) {
    exact *to = (exact *)self;
    part added = {.host = true};
    if (count != 2) return pj_call_arguments("add", 2, count);
    added.host = args[1] == Py_None;
    if (!pj_call_arrays(module_of(to), spec_of(to), args[0], added.host, added.data, &added.count)) return NULL;
    unsigned long long number = added.host ? 0 : PyLong_AsUnsignedLongLong(args[1]);
    if (PyErr_Occurred()) return NULL;
    added.stream = number == 1 ? NULL : (jr_stream)(uintptr_t)number; /* 1 is the default stream's other name */
    jr_status status;
    Py_BEGIN_ALLOW_THREADS;
    PyThread_acquire_lock(to->lock, WAIT_LOCK);
    status = fold(to, &added);
    PyThread_release_lock(to->lock);
    Py_END_ALLOW_THREADS;
    return finished(to, status);
}

/* ---- bytes ---- */

static PyObject *add_bytes(PyObject *self, PyObject *bytes) {
    exact *to = (exact *)self;
    char *address;
    Py_ssize_t size;
    if (PyBytes_AsStringAndSize(bytes, &address, &size)) return NULL;
    jr_status status;
    Py_BEGIN_ALLOW_THREADS;
    PyThread_acquire_lock(to->lock, WAIT_LOCK);
    status = jr_exact_state_add_bytes(to->state, address, (size_t)size);
    PyThread_release_lock(to->lock);
    Py_END_ALLOW_THREADS;
    return finished(to, status);
}

static jr_status write_all(const exact *self, char **bytes, size_t *size) {
    jr_status status = jr_exact_state_write(self->state, NULL, 0, size);
    if (status != JR_OK) return status;
    *bytes = malloc(*size);
    return *bytes ? jr_exact_state_write(self->state, *bytes, *size, size) : JR_ERROR_OUT_OF_MEMORY;
}

static PyObject *to_bytes(PyObject *self, PyObject *unused) {
    exact *from = (exact *)self;
    char *bytes = NULL;
    size_t size = 0;
    (void)unused;
    jr_status status;
    Py_BEGIN_ALLOW_THREADS;
    PyThread_acquire_lock(from->lock, WAIT_LOCK);
    status = write_all(from, &bytes, &size);
    PyThread_release_lock(from->lock);
    Py_END_ALLOW_THREADS;
    PyObject *made = status == JR_OK ? PyBytes_FromStringAndSize(bytes, (Py_ssize_t)size) : finished(from, status);
    free(bytes);
    return made;
}

/* A tuple of names of the first `count` of what is named. */
static PyObject *names_of(int count, const int *numbers, const char *(*name)(int)) {
    PyObject *tuple = PyTuple_New(count);
    for (int i = 0; tuple && i < count; i++)
        if (PyTuple_SetItem(tuple, i, PyUnicode_FromString(name(numbers[i])))) Py_CLEAR(tuple);
    return tuple;
}

static const char *op_name(int op) {
    return jr_op_name((jr_op)op);
}

static const char *type_name(int type) {
    return jr_type_name((jr_type)type);
}

PyObject *pj_exact_look(PyObject *module, PyObject *bytes) {
    char *address;
    Py_ssize_t size;
    jr_exact_state_info info = JR_INIT(jr_exact_state_info);
    int ops[JR_OPS_MAX], types[JR_INPUTS_MAX];
    if (PyBytes_AsStringAndSize(bytes, &address, &size)) return NULL;
    if (jr_exact_state_look(address, (size_t)size, &info)) return pj_raise(PyModule_GetState(module));
    for (int i = 0; i < info.op_count; i++) ops[i] = (int)info.ops[i];
    for (int i = 0; i < info.input_count; i++) types[i] = (int)info.types[i];
    return Py_BuildValue("(NNKK)", names_of(info.op_count, ops, op_name), names_of(info.input_count, types, type_name),
                         (unsigned long long)info.elements, (unsigned long long)info.kept);
}

/* ---- the end ---- */

static PyObject *value(PyObject *self, PyObject *unused) {
    exact *from = (exact *)self;
    jr_value values[JR_OPS_MAX + 1];
    (void)unused;
    jr_status status;
    Py_BEGIN_ALLOW_THREADS;
    PyThread_acquire_lock(from->lock, WAIT_LOCK);
    status = jr_exact_state_value(from->state, values);
    PyThread_release_lock(from->lock);
    Py_END_ALLOW_THREADS;
    if (status) return finished(from, status);
    return pj_numbers_of(spec_of(from)->layout.count, values);
}

static PyObject *get_elements(PyObject *self, void *unused) {
    exact *from = (exact *)self;
    uint64_t elements;
    (void)unused;
    Py_BEGIN_ALLOW_THREADS;
    PyThread_acquire_lock(from->lock, WAIT_LOCK);
    elements = jr_exact_state_elements(from->state);
    PyThread_release_lock(from->lock);
    Py_END_ALLOW_THREADS;
    return PyLong_FromUnsignedLongLong(elements);
}

static PyGetSetDef members[] = {
    {"elements", get_elements, NULL, "The number of elements added so far.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyMethodDef methods[] = {
    {"add", PJ_FAST(add), METH_FASTCALL, "Adds the elements of arrays."},
    {"add_bytes", add_bytes, METH_O, "Adds a state given as bytes."},
    {"to_bytes", to_bytes, METH_NOARGS, "Writes it."},
    {"value", value, METH_NOARGS, "The results over all elements so far, one per operator."},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot slots[] = {
    {Py_tp_new, (void *)make},
    {Py_tp_dealloc, (void *)destroy},
    {Py_tp_getset, members},
    {Py_tp_methods, methods},
    {Py_tp_doc, (void *)"Exact sums that are kept."},
    {0, NULL},
};

PyType_Spec pj_exact_spec = {
    .name = "jitreduce._jitreduce.ExactState",
    .basicsize = (int)sizeof(exact),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = slots,
};
