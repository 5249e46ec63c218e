/* Exports arrays by DLPack: a capsule with what keeps the array alive. */
#include "export.h"

#include <stdlib.h>

#include "array.h"
#include "py_exchange.h"

typedef struct exported {
    dl_managed managed;
    dl_legacy legacy;
    PyObject *array;
    int64_t sizes[2 * PJ_DIMENSIONS_MAX];
} exported;

/* Whoever lets go of it need not have the GIL; some do when Python has ended, and its memory is the system's again. */
static void release(exported *gone) {
    if (!Py_IsInitialized()) return;
    PyGILState_STATE had = PyGILState_Ensure();
    Py_DECREF(gone->array);
    PyGILState_Release(had);
    free(gone);
}

static void release_managed(dl_managed *managed) {
    release(managed->self);
}

static void release_legacy(dl_legacy *managed) {
    release(managed->self);
}

/* A capsule that nobody used. */
static void drop(PyObject *capsule) {
    if (PyCapsule_IsValid(capsule, "dltensor_versioned"))
        release_managed(PyCapsule_GetPointer(capsule, "dltensor_versioned"));
    else if (PyCapsule_IsValid(capsule, "dltensor"))
        release_legacy(PyCapsule_GetPointer(capsule, "dltensor"));
}

static dl_tensor tensor_of(const pj_array *array, int64_t *sizes) {
    int64_t bytes = (int64_t)jr_type_size(array->type);
    for (int i = 0; i < array->dimensions; i++) {
        sizes[i] = array->shape[i];
        sizes[array->dimensions + i] = array->strides[i] / bytes;
    }
    return (dl_tensor){.data = array->address,
                       .device = array->device,
                       .dimensions = array->dimensions,
                       .type = pj_exchange_type_of(array->type),
                       .shape = sizes,
                       .strides = sizes + array->dimensions};
}

static exported *make(PyObject *self) {
    const pj_array *array = (const pj_array *)self;
    exported *made = calloc(1, sizeof *made);
    if (!made) {
        PyErr_NoMemory();
        return NULL;
    }
    dl_tensor tensor = tensor_of(array, made->sizes);
    made->managed = (dl_managed){.version = {DL_MAJOR, DL_MINOR},
                                 .self = made,
                                 .deleter = release_managed,
                                 .flags = array->readonly ? DL_READ_ONLY : 0,
                                 .tensor = tensor};
    made->legacy = (dl_legacy){.tensor = tensor, .self = made, .deleter = release_legacy};
    made->array = Py_NewRef(self);
    return made;
}

PyObject *pj_export_capsule(PyObject *self, PyObject *versioned) {
    int is_versioned = PyObject_IsTrue(versioned);
    if (is_versioned < 0) return NULL;
    if (!is_versioned && ((const pj_array *)self)->readonly) {
        PyErr_SetString(PyExc_BufferError, "the array is read-only, which DLPack before version 1 cannot express");
        return NULL;
    }
    exported *made = make(self);
    if (!made) return NULL;
    PyObject *capsule = is_versioned ? PyCapsule_New(&made->managed, "dltensor_versioned", drop)
                                     : PyCapsule_New(&made->legacy, "dltensor", drop);
    if (!capsule) release(made);
    return capsule;
}

PyObject *pj_export_as(PyObject *self, PyObject *class) {
    pj_state *state = PyType_GetModuleState(Py_TYPE(self));
    const dl_exchange *table = PyType_Check(class) ? pj_exchange_find(state, (PyTypeObject *)class) : NULL;
    if (!table || !table->import)
        return PyErr_Occurred() ? NULL : PyErr_Format(PyExc_TypeError, "%R takes no arrays of others", class);
    exported *made = make(self);
    return made ? pj_exchange_import(table, &made->managed) : NULL;
}
