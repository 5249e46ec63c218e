/* An array as the library sees it: a view of what others export, or memory of its own that it exports as a buffer. */
#include "array.h"

#include <stdlib.h>
#include <string.h>

#include "number.h"

/* A letter of struct's for each type that has one; of "l" the size decides. */
static const struct {
    const char *letters;
    jr_type of_size[9]; /* by bytes of an element */
} formats[] = {
    {"?", {[1] = JR_BOOL}},
    {"bhilqn", {[1] = JR_I8, [2] = JR_I16, [4] = JR_I32, [8] = JR_I64}},
    {"BHILQN", {[1] = JR_U8, [2] = JR_U16, [4] = JR_U32, [8] = JR_U64}},
    {"efd", {[2] = JR_F16, [4] = JR_F32, [8] = JR_F64}},
};

static const char *format_of(jr_type type) {
    static const char *const names[] = {
        [JR_I32] = "i", [JR_U32] = "I", [JR_I64] = "l", [JR_U64] = "L", [JR_F32] = "f", [JR_F64] = "d",
        [JR_I8] = "b",  [JR_U8] = "B",  [JR_I16] = "h", [JR_U16] = "H", [JR_F16] = "e", [JR_BOOL] = "?"};
    return type < (jr_type)(sizeof names / sizeof *names) ? names[type] : NULL;
}

static jr_type type_of_format(const char *format, Py_ssize_t bytes) {
    if (format == NULL) format = "B";
    if (strchr("@=<", format[0]) && format[0] != '\0') format++;
    if (format[0] == '\0' || format[1] != '\0' || bytes < 1 || bytes > 8) return JR_TYPE_NONE;
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (strchr(formats[i].letters, format[0])) return formats[i].of_size[bytes];
    return JR_TYPE_NONE;
}

static bool take_buffer(pj_array *array, PyObject *object) {
    Py_buffer *buffer = &array->buffer;
    if (PyObject_GetBuffer(object, buffer, PyBUF_RECORDS_RO)) return false;
    array->type = type_of_format(buffer->format, buffer->itemsize);
    if (array->type == JR_TYPE_NONE) {
        const char *format = buffer->format ? buffer->format : "B";
        PyErr_Format(PyExc_TypeError,
                     format[0] == '>' ? "elements of format '%s' are big-endian: x.astype(x.dtype.newbyteorder('=')) "
                                        "makes them native"
                                      : "elements of format '%s' (%zd bytes) are no integers, floats or booleans that "
                                        "can be reduced",
                     format, buffer->itemsize);
        return false;
    }
    array->address = buffer->buf;
    array->dimensions = buffer->ndim;
    array->readonly = buffer->readonly != 0;
    memcpy(array->shape, buffer->shape, (size_t)buffer->ndim * sizeof *array->shape);
    memcpy(array->strides, buffer->strides, (size_t)buffer->ndim * sizeof *array->strides);
    return true;
}

static pj_array *new_array(PyTypeObject *type) {
    return (pj_array *)((allocfunc)PyType_GetSlot(type, Py_tp_alloc))(type, 0);
}

/* Array.of(x): a view of an object's memory. */
static PyObject *view_of(PyObject *class, PyObject *object) {
    pj_array *array = new_array((PyTypeObject *)class);
    if (array && take_buffer(array, object)) return (PyObject *)array;
    Py_XDECREF((PyObject *)array);
    return NULL;
}

uint64_t pj_array_bytes(const pj_array *array) {
    uint64_t bytes = jr_type_size(array->type);
    for (int i = 0; i < array->dimensions; i++) bytes *= (uint64_t)array->shape[i];
    return bytes;
}

static int take_sizes(PyObject *tuple, Py_ssize_t sizes[PJ_DIMENSIONS_MAX]) {
    Py_ssize_t count = PyTuple_Size(tuple);
    if (count < 0 || count > PJ_DIMENSIONS_MAX) {
        if (count > 0) PyErr_Format(PyExc_ValueError, "%zd dimensions; %d are the most", count, PJ_DIMENSIONS_MAX);
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
    pj_array *array = new_array(type);
    if (!array) return NULL;
    array->dimensions = 0;
    if (pj_type_find(name, &array->type) && take_sizes(strides, array->strides) >= 0 &&
        (array->dimensions = take_sizes(shape, array->shape)) >= 0) {
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
    if (array->buffer.obj) PyBuffer_Release(&array->buffer);
    free(array->own);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DECREF(type);
}

static bool is_c_ordered(const pj_array *array) {
    Py_ssize_t next = (Py_ssize_t)jr_type_size(array->type);
    for (int i = array->dimensions - 1; i >= 0; next *= array->shape[i], i--)
        if (array->shape[i] != 1 && array->strides[i] != next) return pj_array_bytes(array) == 0;
    return true;
}

static int get_buffer(PyObject *self, Py_buffer *buffer, int flags) {
    pj_array *array = (pj_array *)self;
    bool asks_strides = (flags & PyBUF_STRIDES) == PyBUF_STRIDES;
    const char *wrong =
        !format_of(array->type)                       ? "buffers have no format for"
        : array->readonly && (flags & PyBUF_WRITABLE) ? "the memory may only be read of"
        : !asks_strides && !is_c_ordered(array)       ? "without strides there is no view of"
        : (flags & PyBUF_F_CONTIGUOUS) == PyBUF_F_CONTIGUOUS && array->dimensions > 1 ? "Fortran order is not told of"
        : (flags & PyBUF_C_CONTIGUOUS) == PyBUF_C_CONTIGUOUS && !is_c_ordered(array)  ? "C order is not that of"
                                                                                      : NULL;
    if (wrong) {
        PyErr_Format(PyExc_BufferError, "%s an array of %s", wrong, jr_type_name(array->type));
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
    if (pj_array_bytes(array) != jr_type_size(array->type) || array->readonly) {
        PyErr_SetString(PyExc_ValueError, "a number can be stored into a writable array of one element only");
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

static PyGetSetDef members[] = {
    {"shape", get_shape, NULL, "Elements along each dimension.", NULL},
    {"strides", get_strides, NULL, "Bytes from one element to the next along each dimension.", NULL},
    {"type", get_type, NULL, "The elements' type by the library's name, 'f32'.", NULL},
    {"readonly", get_readonly, NULL, "Whether the memory may only be read.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyMethodDef methods[] = {
    {"of", view_of, METH_O | METH_CLASS, "A view of an object's memory."},
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

PyType_Spec pj_array_spec = {
    .name = "jitreduce._jitreduce.Array",
    .basicsize = (int)sizeof(pj_array),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = slots,
};

pj_array *pj_array_writable(const pj_state *state, PyObject *object, uint64_t bytes) {
    pj_array *array = (pj_array *)object;
    if (Py_TYPE(object) == state->array && !array->readonly && pj_array_bytes(array) >= bytes) return array;
    PyErr_Format(PyExc_ValueError, "results go into a writable Array of at least %llu bytes",
                 (unsigned long long)bytes);
    return NULL;
}
