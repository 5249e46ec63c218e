/* Reads addresses and layouts of other libraries' arrays: buffers, DLPack's exchange tables or capsules, or named
 * members. */
#include "py_view.h"

#include <string.h>

#include "array.h"
#include "errors.h"
#include "py_exchange.h"
#include "py_number.h"

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
                                      : "elements of format '%s' (%zd bytes) cannot be reduced: only integers, floats "
                                        "and booleans can",
                     format, buffer->itemsize);
        return false;
    }
    array->address = buffer->buf;
    if (buffer->ndim > PJ_DIMENSIONS_MAX) {
        PyErr_Format(PyExc_ValueError, "%d dimensions; %d are the most", buffer->ndim, PJ_DIMENSIONS_MAX);
        return false;
    }
    array->dimensions = buffer->ndim;
    array->readonly = buffer->readonly != 0;
    if (buffer->ndim == 0) return true; /* it need not have arrays of them */
    memcpy(array->shape, buffer->shape, (size_t)buffer->ndim * sizeof *array->shape);
    Py_ssize_t next = buffer->itemsize;
    for (int i = buffer->ndim - 1; i >= 0; next *= array->shape[i], i--)
        array->strides[i] = buffer->strides ? buffer->strides[i] : next; /* buffers of ctypes have no strides */
    return true;
}

/* Reads a DLPack tensor; false with an exception. */
static bool take_tensor(pj_array *array, const dl_tensor *tensor) {
    array->type = pj_exchange_type(tensor->type);
    if (array->type == JR_TYPE_NONE) return pj_exchange_type_wrong(tensor->type);
    if (tensor->dimensions < 0 || tensor->dimensions > PJ_DIMENSIONS_MAX) {
        PyErr_Format(PyExc_ValueError, "%d dimensions; %d are the most", (int)tensor->dimensions, PJ_DIMENSIONS_MAX);
        return false;
    }
    Py_ssize_t bytes = (Py_ssize_t)jr_type_size(array->type), next = bytes;
    array->address = tensor->data ? (char *)tensor->data + tensor->offset_bytes : NULL;
    array->dimensions = tensor->dimensions;
    array->device = tensor->device;
    for (int i = tensor->dimensions - 1; i >= 0; next *= array->shape[i], i--) {
        array->shape[i] = (Py_ssize_t)tensor->shape[i];
        array->strides[i] = tensor->strides ? (Py_ssize_t)tensor->strides[i] * bytes : next;
    }
    return true;
}

static bool take_managed(pj_array *array, dl_managed *managed) {
    if (managed->version.major != DL_MAJOR) {
        PyErr_Format(PyExc_BufferError, "the array is exported in version %u of DLPack; jitreduce knows version %d",
                     managed->version.major, DL_MAJOR);
        return false;
    }
    array->readonly = (managed->flags & DL_READ_ONLY) != 0;
    return take_tensor(array, &managed->tensor);
}

/* The array, and the stream on which its class works now. */
static bool take_exchange(pj_array *array, const dl_exchange *table, PyObject *object) {
    void *stream = NULL;
    if (table->export(object, &array->managed) != 0 || !array->managed) {
        if (!PyErr_Occurred()) PyErr_SetString(PyExc_BufferError, "the array does not export its memory");
        return false;
    }
    if (!take_managed(array, array->managed)) return false;
    if (array->device.type != DL_CPU && table->current_stream &&
        table->current_stream((dl_device_type)array->device.type, array->device.id, &stream) != 0)
        return false;
    array->stream = stream;
    return true;
}

/* A capsule that __dlpack__ gave, which is used up. */
static bool take_capsule(pj_array *array, PyObject *capsule) {
    if (PyCapsule_IsValid(capsule, "dltensor_versioned")) {
        array->managed = PyCapsule_GetPointer(capsule, "dltensor_versioned");
        PyCapsule_SetName(capsule, "used_dltensor_versioned");
        return take_managed(array, array->managed);
    }
    if (PyCapsule_IsValid(capsule, "dltensor")) {
        array->legacy = PyCapsule_GetPointer(capsule, "dltensor");
        PyCapsule_SetName(capsule, "used_dltensor");
        return take_tensor(array, &array->legacy->tensor);
    }
    return pj_raise_shown(PyExc_ValueError, capsule,
                          "%U is not a DLPack capsule, or was used already: each serves for one array", NULL) != NULL;
}

static PyObject *finished(pj_array *array, bool fine) {
    if (array && fine) return (PyObject *)array;
    Py_XDECREF((PyObject *)array);
    return NULL;
}

PyObject *pj_view_of(PyObject *class, PyObject *object) {
    pj_state *state = PyType_GetModuleState((PyTypeObject *)class);
    const dl_exchange *table = pj_exchange_find(state, Py_TYPE(object));
    if (PyErr_Occurred()) return NULL;
    pj_array *array = pj_array_new((PyTypeObject *)class);
    return finished(array, array && (table ? take_exchange(array, table, object) : take_buffer(array, object)));
}

PyObject *pj_view_of_capsule(PyObject *class, PyObject *args) {
    PyObject *capsule;
    unsigned long long stream;
    if (!PyArg_ParseTuple(args, "OK:of_capsule", &capsule, &stream)) return NULL;
    pj_array *array = pj_array_new((PyTypeObject *)class);
    if (array) array->stream = (jr_stream)(uintptr_t)stream;
    return finished(array, array && take_capsule(array, capsule));
}

PyObject *pj_view_like(PyObject *class, PyObject *args) {
    PyObject *whose, *name;
    long long count;
    unsigned long long stream;
    dl_device device;
    jr_type type;
    if (!PyArg_ParseTuple(args, "O!UL(ii)K:like", &PyType_Type, &whose, &name, &count, &device.type, &device.id,
                          &stream) ||
        !pj_type_find(name, &type))
        return NULL;
    const dl_exchange *table = pj_exchange_find(PyType_GetModuleState((PyTypeObject *)class), (PyTypeObject *)whose);
    if (!table || !table->allocate) return PyErr_Format(PyExc_TypeError, "%R makes no arrays for others", whose);
    pj_array *array = pj_array_new((PyTypeObject *)class);
    if (!array) return NULL;
    int64_t shape = count;
    array->stream = (jr_stream)(uintptr_t)stream;
    array->managed = pj_exchange_allocate(table, type, device, 1, &shape);
    return finished(array, array->managed && take_managed(array, array->managed));
}

PyObject *pj_view_at(PyObject *class, PyObject *args) {
    PyObject *owner, *name, *shape, *strides;
    unsigned long long address, stream;
    int device, id, readonly;
    if (!PyArg_ParseTuple(args, "OUO!O!KpiiK:at", &owner, &name, &PyTuple_Type, &shape, &PyTuple_Type, &strides,
                          &address, &readonly, &device, &id, &stream))
        return NULL;
    pj_array *array = pj_array_new((PyTypeObject *)class);
    if (!array) return NULL;
    array->owner = Py_NewRef(owner);
    array->address = (void *)(uintptr_t)address;
    array->readonly = readonly != 0;
    array->device = (dl_device){device, id};
    array->stream = (jr_stream)(uintptr_t)stream;
    bool fine = pj_type_find(name, &array->type) && (array->dimensions = pj_array_sizes(shape, array->shape)) >= 0;
    int strides_count = fine ? pj_array_sizes(strides, array->strides) : -1;
    if (fine && strides_count >= 0 && strides_count != array->dimensions)
        PyErr_SetString(PyExc_ValueError, "the numbers of strides and dimensions differ");
    return finished(array, fine && strides_count == array->dimensions);
}
