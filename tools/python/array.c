/* An array as the library sees it: a view of what others export, or memory of its own that it exports as a buffer. */
#include "array.h"

#include <stdlib.h>
#include <string.h>

#include "array_pack.h"
#include "py_exchange.h"
#include "py_number.h"
#include "py_view.h"
#include "words.h"

static const char *format_of(jr_type type) {
    static const char *const names[] = {
        [JR_I32] = "i", [JR_U32] = "I", [JR_I64] = "l", [JR_U64] = "L", [JR_F32] = "f", [JR_F64] = "d",
        [JR_I8] = "b",  [JR_U8] = "B",  [JR_I16] = "h", [JR_U16] = "H", [JR_F16] = "e", [JR_BOOL] = "?"};
    return type < (jr_type)(sizeof names / sizeof *names) ? names[type] : NULL;
}

pj_array *pj_array_new(PyTypeObject *type) {
    pj_array *array = (pj_array *)((allocfunc)PyType_GetSlot(type, Py_tp_alloc))(type, 0);
    if (array) array->device.type = DL_CPU;
    return array;
}

uint64_t pj_array_bytes(const pj_array *array) {
    uint64_t bytes = jr_type_size(array->type);
    for (int i = 0; i < array->dimensions; i++) bytes *= (uint64_t)array->shape[i];
    return bytes;
}

int pj_array_sizes(PyObject *tuple, Py_ssize_t sizes[PJ_DIMENSIONS_MAX]) {
    Py_ssize_t count = PyTuple_Size(tuple);
    if (count < 0 || count > PJ_DIMENSIONS_MAX) {
        if (count > 0)
            PyErr_Format(PyExc_ValueError, "%zd dimensions; at most %d are possible", count, PJ_DIMENSIONS_MAX);
        return -1;
    }
    for (Py_ssize_t i = 0; i < count; i++) {
        sizes[i] = PyLong_AsSsize_t(PyTuple_GetItem(tuple, i));
        if (sizes[i] == -1 && PyErr_Occurred()) return -1;
    }
    return (int)count;
}

/* Array(type, shape, strides): memory of its own, not set. */
static PyObject *make_array(PyTypeObject *type, PyObject *args, PyObject *keywords) {
    PyObject *name, *shape, *strides;
    if (keywords || !PyArg_ParseTuple(args, "UO!O!:Array", &name, &PyTuple_Type, &shape, &PyTuple_Type, &strides)) {
        if (keywords) PyErr_SetString(PyExc_TypeError, "Array(type, shape, strides) takes no keywords");
        return NULL;
    }
    pj_array *array = pj_array_new(type);
    if (!array) return NULL;
    array->dimensions = 0;
    if (pj_type_find(name, &array->type) && pj_array_sizes(strides, array->strides) >= 0 &&
        (array->dimensions = pj_array_sizes(shape, array->shape)) >= 0) {
        uint64_t bytes = pj_array_bytes(array);
        array->address = array->own = malloc(bytes > 0 ? bytes : 1);
        if (array->own) return (PyObject *)array;
        PyErr_Format(PyExc_MemoryError, "no host memory for %llu bytes of results", (unsigned long long)bytes);
    }
    Py_DECREF((PyObject *)array);
    return NULL;
}

static void free_array(PyObject *self) {
    PyTypeObject *type = Py_TYPE(self);
    pj_array *array = (pj_array *)self;
    PyObject *error, *value, *trace; /* others' deleters may be Python's */
    PyErr_Fetch(&error, &value, &trace);
    if (array->buffer.obj) PyBuffer_Release(&array->buffer);
    if (array->managed && array->managed->deleter) array->managed->deleter(array->managed);
    if (array->legacy && array->legacy->deleter) array->legacy->deleter(array->legacy);
    Py_XDECREF(array->owner);
    PyErr_Restore(error, value, trace);
    free(array->own);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DECREF(type);
}

bool pj_array_is_c_ordered(const pj_array *array) {
    Py_ssize_t next = (Py_ssize_t)jr_type_size(array->type);
    for (int i = array->dimensions - 1; i >= 0; next *= array->shape[i], i--)
        if (array->shape[i] != 1 && array->strides[i] != next) return pj_array_bytes(array) == 0;
    return true;
}

static int get_buffer(PyObject *self, Py_buffer *buffer, int flags) {
    pj_array *array = (pj_array *)self;
    bool asks_strides = (flags & PyBUF_STRIDES) == PyBUF_STRIDES;
    const char *wrong = array->device.type != DL_CPU                     ? "host memory is required, not"
                        : !format_of(array->type)                        ? "buffers have no format for"
                        : array->readonly && (flags & PyBUF_WRITABLE)    ? "read-only memory:"
                        : !asks_strides && !pj_array_is_c_ordered(array) ? "the consumer must accept strides of"
                        : (flags & PyBUF_F_CONTIGUOUS) == PyBUF_F_CONTIGUOUS && array->dimensions > 1
                            ? "Fortran order is required, unlike that of"
                        : (flags & PyBUF_C_CONTIGUOUS) == PyBUF_C_CONTIGUOUS && !pj_array_is_c_ordered(array)
                            ? "C order is required, unlike that of"
                            : NULL;
    if (wrong) {
        PyErr_Format(PyExc_BufferError, "%s an array of %s", wrong, pj_type_word(array->type));
        return -1;
    }
    *buffer = (Py_buffer){.buf = array->address,
                          .obj = Py_NewRef(self),
                          .len = (Py_ssize_t)pj_array_bytes(array),
                          .itemsize = (Py_ssize_t)jr_type_size(array->type),
                          .readonly = array->readonly,
                          .ndim = array->dimensions,
                          .format = flags & PyBUF_FORMAT ? (char *)format_of(array->type) : NULL,
                          .shape = flags & PyBUF_ND ? array->shape : NULL,
                          .strides = asks_strides ? array->strides : NULL};
    return 0;
}

/* store(number): its one element. */
static PyObject *store(PyObject *self, PyObject *number) {
    pj_array *array = (pj_array *)self;
    jr_value value;
    if (pj_array_bytes(array) != jr_type_size(array->type) || array->readonly || array->device.type != DL_CPU) {
        PyErr_SetString(PyExc_ValueError, "a number can only be stored into a writable array of one element");
        return NULL;
    }
    if (!pj_value_of(array->type, number, &value)) return NULL;
    memcpy(array->address, value.as.bytes, jr_type_size(array->type));
    return Py_NewRef(Py_None);
}

static PyObject *sizes_of(const pj_array *array, const Py_ssize_t *sizes) {
    PyObject *tuple = PyTuple_New(array->dimensions);
    for (int i = 0; tuple && i < array->dimensions; i++)
        if (PyTuple_SetItem(tuple, i, PyLong_FromSsize_t(sizes[i]))) Py_CLEAR(tuple);
    return tuple;
}

static PyObject *get_shape(PyObject *self, void *unused) {
    (void)unused;
    return sizes_of((pj_array *)self, ((pj_array *)self)->shape);
}

static PyObject *get_strides(PyObject *self, void *unused) {
    (void)unused;
    return sizes_of((pj_array *)self, ((pj_array *)self)->strides);
}

static PyObject *get_type(PyObject *self, void *unused) {
    (void)unused;
    return PyUnicode_FromString(jr_type_name(((pj_array *)self)->type));
}

static PyObject *get_readonly(PyObject *self, void *unused) {
    (void)unused;
    return PyBool_FromLong(((pj_array *)self)->readonly);
}

static PyObject *get_address(PyObject *self, void *unused) {
    (void)unused;
    return PyLong_FromVoidPtr(((pj_array *)self)->address);
}

static PyObject *get_device(PyObject *self, void *unused) {
    (void)unused;
    return Py_BuildValue("(ii)", (int)((pj_array *)self)->device.type, (int)((pj_array *)self)->device.id);
}

static PyObject *get_stream(PyObject *self, void *unused) {
    (void)unused;
    return PyLong_FromVoidPtr(((pj_array *)self)->stream);
}

static PyGetSetDef members[] = {
    {"shape", get_shape, NULL, "Elements along each dimension.", NULL},
    {"strides", get_strides, NULL, "Bytes from one element to the next along each dimension.", NULL},
    {"type", get_type, NULL, "The elements' type by the library's name, 'f32'.", NULL},
    {"readonly", get_readonly, NULL, "Whether the memory is read-only.", NULL},
    {"address", get_address, NULL, "Where it is.", NULL},
    {"device", get_device, NULL, "DLPack's kind of device, and its number.", NULL},
    {"stream", get_stream, NULL, "The stream that writes its elements; 0: the default one.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyMethodDef methods[] = {
    {"of", pj_view_of, METH_O | METH_CLASS, "A view of an object's memory."},
    {"of_capsule", pj_view_of_capsule, METH_VARARGS | METH_CLASS, "A view of the array in a DLPack capsule."},
    {"at", pj_view_at, METH_VARARGS | METH_CLASS, "A view of memory at an address."},
    {"like", pj_view_like, METH_VARARGS | METH_CLASS, "Memory of a class that exchanges arrays."},
    {"as_class", pj_export_as, METH_O, "The array as one of a class that exchanges arrays."},
    {"packed", pj_array_packed, METH_O, "A copy without gaps, whose axes lie in an order."},
    {"dlpack", pj_export_capsule, METH_O, "A capsule of DLPack."},
    {"store", store, METH_O, "Stores a number into the one element."},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot slots[] = {
    {Py_tp_new, (void *)make_array},
    {Py_tp_dealloc, (void *)free_array},
    {Py_tp_getset, members},
    {Py_tp_methods, methods},
    {Py_bf_getbuffer, (void *)get_buffer},
    {Py_tp_doc, (void *)"An array of numbers, in others' memory or its own."},
    {0, NULL},
};

PyType_Spec pj_array_spec = PJ_TYPE("Array", pj_array, slots, 0);

pj_array *pj_array_writable(const pj_state *state, PyObject *object, uint64_t bytes) {
    pj_array *array = (pj_array *)object;
    if (Py_TYPE(object) == state->array && array->device.type == DL_CPU && !array->readonly &&
        pj_array_bytes(array) >= bytes)
        return array;
    PyErr_Format(PyExc_ValueError, "results need a writable Array in host memory of at least %llu bytes",
                 (unsigned long long)bytes);
    return NULL;
}
