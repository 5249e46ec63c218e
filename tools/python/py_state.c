/* Kept states: elements are added, other states, too; they are written as bytes, and finished.
 *
 * A state is used by one thread at a time, without the GIL: its lock is taken once the GIL is let go of. */
#include "py_module.h"

#include <stdlib.h>

#include "errors.h"
#include "py_call.h"
#include "py_number.h"

typedef struct kept {
    PyObject_HEAD PyObject *context, *spec; /* keep what the state points to */
    char *states;                           /* two: this one, and what is to be merged with it */
    uint64_t count, elements;               /* states: 0 or 1, and elements that it has seen */
    jr_plan *plan;                          /* of device memory; NULL: not made */
    void *d_left;                           /* what its runs leave, in device memory */
    PyThread_type_lock lock;
} kept;

static jr_context *context_of(const kept *self) {
    return ((pj_context *)self->context)->context;
}

static const pj_spec *spec_of(const kept *self) {
    return (const pj_spec *)self->spec;
}

static const pj_state *module_of(const kept *self) {
    return PyType_GetModuleState(Py_TYPE((PyObject *)self));
}

static size_t bytes_of(const kept *self) {
    return spec_of(self)->layout.state_bytes;
}

enum { TOO_MANY = -1 }; /* no status of the library */

static PyObject *finished(const kept *self, jr_status status) {
    if (status == JR_ERROR_OUT_OF_MEMORY && jr_last_error()->status != status) return PyErr_NoMemory();
    if ((int)status == TOO_MANY) {
        PyErr_SetString(PyExc_OverflowError, "a state counts up to 2**64 - 1 elements");
        return NULL;
    }
    return status ? pj_raise(module_of(self)) : Py_NewRef(Py_None);
}

/* State(context, spec) */
static PyObject *make(PyTypeObject *type, PyObject *args, PyObject *keywords) {
    const pj_state *state = PyType_GetModuleState(type);
    PyObject *context, *spec;
    char *names[] = {(char *)"context", (char *)"spec", NULL};
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "O!O!:State", names, state->context, &context, state->spec, &spec))
        return NULL;
    kept *made = (kept *)((allocfunc)PyType_GetSlot(type, Py_tp_alloc))(type, 0);
    if (!made) return NULL;
    made->context = Py_NewRef(context);
    made->spec = Py_NewRef(spec);
    made->lock = PyThread_allocate_lock();
    made->states = malloc(2 * bytes_of(made));
    if (made->lock && made->states) return (PyObject *)made;
    Py_DECREF((PyObject *)made);
    return PyErr_NoMemory();
}

static void destroy(PyObject *self) {
    PyTypeObject *type = Py_TYPE(self);
    kept *made = (kept *)self;
    Py_BEGIN_ALLOW_THREADS;
    if (made->d_left) jr_memory_free(context_of(made), made->d_left);
    jr_plan_destroy(made->plan);
    Py_END_ALLOW_THREADS;
    free(made->states);
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

static jr_status run(const kept *self, jr_work_kind kind, const jr_work_data *data) {
    jr_work work = JR_INIT(jr_work, .spec = &spec_of(self)->spec, .kind = kind);
    return jr_work_run_host(context_of(self), &work, data);
}

/* Merges the second state into this one. */
static jr_status merge(kept *self, uint64_t elements) {
    if (elements > UINT64_MAX - self->elements) return (jr_status)TOO_MANY;
    const void *in[] = {self->states + (self->count > 0 ? 0 : bytes_of(self))};
    jr_work_data both = JR_INIT(jr_work_data, .in = in, .states = self->count + 1, .count = self->elements + elements,
                                .out = self->states);
    jr_status status = run(self, JR_WORK_MERGE_STATES, &both);
    if (status != JR_OK) return status;
    self->count = 1;
    self->elements += elements;
    return JR_OK;
}

static jr_status prepare(kept *self) {
    jr_work work = JR_INIT(jr_work, .spec = &spec_of(self)->spec, .kind = JR_WORK_STATE);
    jr_status status = self->plan ? JR_OK : jr_work_plan_create(context_of(self), &work, &self->plan);
    return status == JR_OK && !self->d_left ? jr_memory_new(context_of(self), bytes_of(self), &self->d_left) : status;
}

static jr_status fold_device(kept *self, const jr_work_data *data, jr_stream stream) {
    jr_work_data device = *data;
    jr_status status = prepare(self);
    device.out = self->d_left;
    if (status == JR_OK) status = jr_work_plan_run(self->plan, &device, NULL, stream);
    if (status == JR_OK) status = jr_stream_wait(context_of(self), stream);
    if (status == JR_OK)
        status = jr_memory_read(context_of(self), self->states + bytes_of(self), self->d_left, bytes_of(self));
    return status;
}

static jr_status fold(kept *self, const part *added) {
    jr_work_data data = JR_INIT(jr_work_data, .in = added->data, .count = added->count, .first = self->elements,
                                .out = self->states + bytes_of(self));
    jr_status status = added->host ? run(self, JR_WORK_STATE, &data) : fold_device(self, &data, added->stream);
    return status == JR_OK ? merge(self, added->count) : status;
}

/* add(arrays, stream): stream is None of arrays in host memory. */
static PyObject *add(PyObject *self, PyObject *const *args, Py_ssize_t count) {
    kept *to = (kept *)self;
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
    kept *to = (kept *)self;
    char *address;
    Py_ssize_t size;
    if (PyBytes_AsStringAndSize(bytes, &address, &size)) return NULL;
    jr_status status;
    uint64_t elements = 0;
    Py_BEGIN_ALLOW_THREADS;
    PyThread_acquire_lock(to->lock, WAIT_LOCK);
    status = jr_state_read(&spec_of(to)->spec, address, (size_t)size, to->states + bytes_of(to), &elements);
    if (status == JR_OK) status = merge(to, elements);
    PyThread_release_lock(to->lock);
    Py_END_ALLOW_THREADS;
    return finished(to, status);
}

/* A state of nothing is made in the second place. */
static jr_status write_all(const kept *self, char **bytes, size_t *size) {
    const jr_spec *spec = &spec_of(self)->spec;
    char *from = self->states + (self->count > 0 ? 0 : bytes_of(self));
    const void *in[] = {from};
    jr_work_data nothing = JR_INIT(jr_work_data, .in = in, .out = from);
    jr_status status = self->count > 0 ? JR_OK : run(self, JR_WORK_MERGE_STATES, &nothing);
    if (status == JR_OK) status = jr_state_write(spec, from, self->elements, NULL, 0, size);
    if (status != JR_OK) return status;
    *bytes = malloc(*size);
    return *bytes ? jr_state_write(spec, from, self->elements, *bytes, *size, size) : JR_ERROR_OUT_OF_MEMORY;
}

static PyObject *to_bytes(PyObject *self, PyObject *unused) {
    kept *from = (kept *)self;
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

PyObject *pj_state_look(PyObject *module, PyObject *bytes) {
    char *address;
    Py_ssize_t size;
    jr_state_info info = JR_INIT(jr_state_info);
    int ops[JR_OPS_MAX], types[JR_INPUTS_MAX];
    if (PyBytes_AsStringAndSize(bytes, &address, &size)) return NULL;
    if (jr_state_look(address, (size_t)size, &info)) return pj_raise(PyModule_GetState(module));
    for (int i = 0; i < info.op_count; i++) ops[i] = (int)info.ops[i];
    for (int i = 0; i < info.input_count; i++) types[i] = (int)info.types[i];
    return Py_BuildValue("(NNii)", names_of(info.op_count, ops, op_name), names_of(info.input_count, types, type_name),
                         info.exact, info.skips_nan);
}

/* ---- the end ---- */

static PyObject *value(PyObject *self, PyObject *unused) {
    kept *from = (kept *)self;
    jr_value values[JR_OPS_MAX + 1];
    (void)unused;
    jr_status status;
    Py_BEGIN_ALLOW_THREADS;
    PyThread_acquire_lock(from->lock, WAIT_LOCK);
    const void *in[] = {from->states};
    jr_work_data all =
        JR_INIT(jr_work_data, .in = in, .states = from->count, .count = from->elements, .values = values);
    status = run(from, JR_WORK_MERGE, &all);
    PyThread_release_lock(from->lock);
    Py_END_ALLOW_THREADS;
    if (status) return finished(from, status);
    return pj_numbers_of(spec_of(from)->layout.count, values);
}

static PyObject *get_elements(PyObject *self, void *unused) {
    kept *from = (kept *)self;
    uint64_t elements;
    (void)unused;
    Py_BEGIN_ALLOW_THREADS;
    PyThread_acquire_lock(from->lock, WAIT_LOCK);
    elements = from->elements;
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
    {Py_tp_doc, (void *)"A state that is kept."},
    {0, NULL},
};

PyType_Spec pj_state_spec = PJ_TYPE("State", kept, slots, 0);
