/* Device memory as an object of Python: freed when nothing uses it any more, before its context is closed.
 *
 * To free memory waits for the device. Results therefore are made of memory that results had before, on the same
 * stream: what is still to be done with the ones is done before the others are written. */
#include "py_memory.h"

#include <stdlib.h>

#include "array.h"
#include "ending.h"
#include "errors.h"
#include "py_context.h"

enum { KEPT_BYTES_MAX = 64 << 20, BLOCK_BYTES_MAX = 16 << 20, BLOCK_BYTES_MIN = 256 };

typedef struct pj_memory {
    PyObject_HEAD PyObject *context;
    pj_block *block; /* NULL: of no bytes */
    bool again;      /* all its uses are in the order of its stream */
    uint64_t bytes;  /* of the caller's; the block may have more */
} pj_memory;

static jr_context *context_of(const pj_memory *memory) {
    return ((pj_context *)memory->context)->context;
}

/* ---- blocks ---- */

static pj_block *take_kept(pj_context *context, uint64_t bytes, jr_stream stream) {
    for (pj_block **place = &context->blocks; *place; place = &(*place)->next) {
        pj_block *found = *place;
        if (found->bytes != bytes || found->stream != stream) continue;
        *place = found->next;
        context->block_bytes -= bytes;
        return found;
    }
    return NULL;
}

/* NULL: jr_last_error says why. */
static pj_block *make_block(const pj_context *context, uint64_t bytes, jr_stream stream, jr_status *status) {
    pj_block *made = calloc(1, sizeof *made);
    *status = made ? jr_memory_new(context->context, bytes, &made->address) : JR_ERROR_OUT_OF_MEMORY;
    if (*status != JR_OK) {
        free(made);
        return NULL;
    }
    made->bytes = bytes;
    made->stream = stream;
    return made;
}

static void free_block(const pj_context *context, pj_block *block) {
    PyThreadState *left = pj_leave_python();
    jr_memory_free(context->context, block->address);
    pj_enter_python(left);
    free(block);
}

static void let_go(pj_memory *memory) {
    pj_context *context = (pj_context *)memory->context;
    pj_block *block = memory->block;
    if (!memory->again || context->block_bytes + block->bytes > KEPT_BYTES_MAX) {
        free_block(context, block);
        return;
    }
    block->next = context->blocks;
    context->blocks = block;
    context->block_bytes += block->bytes;
}

void pj_memory_drop(pj_context *context) {
    while (context->blocks) {
        pj_block *gone = context->blocks;
        context->blocks = gone->next;
        free_block(context, gone);
    }
}

/* ---- the object ---- */

static void *address_of(const pj_memory *memory) {
    return memory->block ? memory->block->address : NULL;
}

/* Powers of two, so that what one result had fits the next one. */
static uint64_t round_up(uint64_t bytes) {
    uint64_t rounded = BLOCK_BYTES_MIN;
    while (rounded < bytes) rounded *= 2;
    return rounded;
}

/* Memory of a context, in the order of a stream if it is to be used again. */
static PyObject *make(const pj_state *state, PyObject *context, uint64_t bytes, bool again, jr_stream stream) {
    PyTypeObject *type = state->memory;
    pj_memory *made = (pj_memory *)((allocfunc)PyType_GetSlot(type, Py_tp_alloc))(type, 0);
    if (!made) return NULL;
    made->context = Py_NewRef(context);
    made->bytes = bytes;
    made->again = again && bytes <= BLOCK_BYTES_MAX;
    if (bytes == 0) return (PyObject *)made;
    uint64_t rounded = made->again ? round_up(bytes) : bytes;
    jr_status status = JR_OK;
    if (made->again) made->block = take_kept((pj_context *)context, rounded, stream);
    if (!made->block) made->block = make_block((pj_context *)context, rounded, stream, &status);
    if (made->block) return (PyObject *)made;
    Py_DECREF((PyObject *)made);
    return status == JR_ERROR_OUT_OF_MEMORY ? PyErr_NoMemory() : pj_raise(state);
}

/* Memory(context, bytes, stream): used in the order of a stream; None: anyhow. */
static PyObject *make_memory(PyTypeObject *type, PyObject *args, PyObject *keywords) {
    const pj_state *state = PyType_GetModuleState(type);
    PyObject *context, *stream = Py_None;
    unsigned long long bytes;
    char *names[] = {(char *)"context", (char *)"bytes", (char *)"stream", NULL};
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "O!K|O:Memory", names, state->context, &context, &bytes, &stream))
        return NULL;
    void *handle = stream == Py_None ? NULL : PyLong_AsVoidPtr(stream);
    return PyErr_Occurred() ? NULL : make(state, context, bytes, stream != Py_None, handle);
}

PyObject *pj_memory_new(const pj_state *state, PyObject *context, uint64_t bytes, jr_stream stream) {
    return make(state, context, bytes, true, stream);
}

void *pj_memory_address(PyObject *memory) {
    return address_of((const pj_memory *)memory);
}

static void free_memory(PyObject *self) {
    PyTypeObject *type = Py_TYPE(self);
    pj_memory *memory = (pj_memory *)self;
    if (memory->block) let_go(memory);
    Py_XDECREF(memory->context);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DECREF(type);
}

/* share(): it is used out of its stream's order, too. */
static PyObject *share(PyObject *self, PyObject *unused) {
    (void)unused;
    ((pj_memory *)self)->again = false;
    return Py_NewRef(Py_None);
}

/* The Array of as many bytes that is copied from or to; NULL with an exception. */
static pj_array *take_array(const pj_memory *memory, PyObject *object) {
    const pj_state *state = PyType_GetModuleState(Py_TYPE((PyObject *)memory));
    if (Py_TYPE(object) == state->array && ((pj_array *)object)->device.type == DL_CPU &&
        pj_array_bytes((pj_array *)object) == memory->bytes)
        return (pj_array *)object;
    PyErr_Format(PyExc_ValueError, "an Array of %llu bytes in host memory is required",
                 (unsigned long long)memory->bytes);
    return NULL;
}

static PyObject *write_memory(PyObject *self, PyObject *from) {
    pj_memory *memory = (pj_memory *)self;
    const pj_array *array = take_array(memory, from);
    if (!array) return NULL;
    jr_status status;
    Py_BEGIN_ALLOW_THREADS;
    status = jr_memory_write(context_of(memory), address_of(memory), array->address, memory->bytes);
    Py_END_ALLOW_THREADS;
    return status ? pj_raise(PyType_GetModuleState(Py_TYPE(self))) : Py_NewRef(Py_None);
}

static PyObject *read_memory(PyObject *self, PyObject *to) {
    pj_memory *memory = (pj_memory *)self;
    const pj_array *array = take_array(memory, to);
    if (!array || !pj_array_writable(PyType_GetModuleState(Py_TYPE(self)), to, memory->bytes)) return NULL;
    jr_status status;
    Py_BEGIN_ALLOW_THREADS;
    status = jr_memory_read(context_of(memory), array->address, address_of(memory), memory->bytes);
    Py_END_ALLOW_THREADS;
    return status ? pj_raise(PyType_GetModuleState(Py_TYPE(self))) : Py_NewRef(Py_None);
}

static PyObject *get_address(PyObject *self, void *unused) {
    (void)unused;
    return PyLong_FromVoidPtr(address_of((pj_memory *)self));
}

static PyGetSetDef members[] = {
    {"address", get_address, NULL, "The address in device memory.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyMethodDef methods[] = {
    {"share", share, METH_NOARGS, "Marks it as used outside of the order of its stream, too."},
    {"write", write_memory, METH_O, "Copies the bytes of an Array into it, and waits."},
    {"read", read_memory, METH_O, "Copies its bytes into an Array, and waits."},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot slots[] = {
    {Py_tp_new, (void *)make_memory}, {Py_tp_dealloc, (void *)free_memory},  {Py_tp_getset, members},
    {Py_tp_methods, methods},         {Py_tp_doc, (void *)"Device memory."}, {0, NULL},
};

PyType_Spec pj_memory_spec = PJ_TYPE("Memory", pj_memory, slots, 0);
