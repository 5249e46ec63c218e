/* Device memory as an object of Python: freed when nothing uses it any more, before its context is closed. */
#include "memory.h"

#include "array.h"
#include "context.h"
#include "errors.h"

typedef struct pj_memory {
    PyObject_HEAD PyObject *context;
    void *address;
    uint64_t bytes;
} pj_memory;

static jr_context *context_of(const pj_memory *memory) {
    return ((pj_context *)memory->context)->context;
}

/* Memory(context, bytes) */
static PyObject *make_memory(PyTypeObject *type, PyObject *args, PyObject *keywords) {
    const pj_state *state = PyType_GetModuleState(type);
    PyObject *context;
    unsigned long long bytes;
    char *names[] = {(char *)"context", (char *)"bytes", NULL};
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "O!K:Memory", names, state->context, &context, &bytes))
        return NULL;
    pj_memory *made = (pj_memory *)((allocfunc)PyType_GetSlot(type, Py_tp_alloc))(type, 0);
    if (!made) return NULL;
    made->context = Py_NewRef(context);
    made->bytes = bytes;
    if (jr_memory_new(context_of(made), bytes, &made->address) == JR_OK) return (PyObject *)made;
    Py_DECREF((PyObject *)made);
    return pj_raise(state);
}

static void free_memory(PyObject *self) {
    PyTypeObject *type = Py_TYPE(self);
    pj_memory *memory = (pj_memory *)self;
    Py_BEGIN_ALLOW_THREADS;
    if (memory->address) jr_memory_free(context_of(memory), memory->address);
    Py_END_ALLOW_THREADS;
    Py_XDECREF(memory->context);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DECREF(type);
}

/* The Array of as many bytes that is copied from or to; NULL with an exception. */
static pj_array *take_array(const pj_memory *memory, PyObject *object) {
    const pj_state *state = PyType_GetModuleState(Py_TYPE((PyObject *)memory));
    if (Py_TYPE(object) == state->array && ((pj_array *)object)->device.type == DL_CPU &&
        pj_array_bytes((pj_array *)object) == memory->bytes)
        return (pj_array *)object;
    PyErr_Format(PyExc_ValueError, "an Array of %llu bytes in host memory is wanted",
                 (unsigned long long)memory->bytes);
    return NULL;
}

static PyObject *write_memory(PyObject *self, PyObject *from) {
    pj_memory *memory = (pj_memory *)self;
    const pj_array *array = take_array(memory, from);
    if (!array) return NULL;
    jr_status status;
    Py_BEGIN_ALLOW_THREADS;
    status = jr_memory_write(context_of(memory), memory->address, array->address, memory->bytes);
    Py_END_ALLOW_THREADS;
    return status ? pj_raise(PyType_GetModuleState(Py_TYPE(self))) : Py_NewRef(Py_None);
}

static PyObject *read_memory(PyObject *self, PyObject *to) {
    pj_memory *memory = (pj_memory *)self;
    const pj_array *array = take_array(memory, to);
    if (!array || !pj_array_writable(PyType_GetModuleState(Py_TYPE(self)), to, memory->bytes)) return NULL;
    jr_status status;
    Py_BEGIN_ALLOW_THREADS;
    status = jr_memory_read(context_of(memory), array->address, memory->address, memory->bytes);
    Py_END_ALLOW_THREADS;
    return status ? pj_raise(PyType_GetModuleState(Py_TYPE(self))) : Py_NewRef(Py_None);
}

static PyObject *get_address(PyObject *self, void *unused) {
    (void)unused;
    return PyLong_FromVoidPtr(((pj_memory *)self)->address);
}

static PyGetSetDef members[] = {
    {"address", get_address, NULL, "Where it lies in device memory.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyMethodDef methods[] = {
    {"write", write_memory, METH_O, "Copies the bytes of an Array into it, and waits."},
    {"read", read_memory, METH_O, "Copies its bytes into an Array, and waits."},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot slots[] = {
    {Py_tp_new, (void *)make_memory}, {Py_tp_dealloc, (void *)free_memory},  {Py_tp_getset, members},
    {Py_tp_methods, methods},         {Py_tp_doc, (void *)"Device memory."}, {0, NULL},
};

PyType_Spec pj_memory_spec = {
    .name = "jitreduce._jitreduce.Memory",
    .basicsize = (int)sizeof(pj_memory),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = slots,
};
