/* An array as the library sees it: address, type, shape, strides, device; of someone else's memory, or with memory of
 * its own. */
#ifndef PYTHON_ARRAY_H
#define PYTHON_ARRAY_H

#include "dlpack.h"
#include "py_module.h"

enum { PJ_DIMENSIONS_MAX = 64 };

typedef struct pj_array {
    PyObject_HEAD void *address;
    jr_type type;
    int dimensions;
    bool readonly;
    Py_ssize_t shape[PJ_DIMENSIONS_MAX], strides[PJ_DIMENSIONS_MAX]; /* in bytes */
    dl_device device;
    jr_stream stream;    /* of device memory: on which its elements are made */
    Py_buffer buffer;    /* owner of the memory, if it is a buffer; else obj is NULL */
    dl_managed *managed; /* owner of the memory, or NULL */
    dl_legacy *legacy;
    PyObject *owner; /* owner of the memory, or NULL */
    void *own;       /* memory of its own; NULL: none */
} pj_array;

extern PyType_Spec pj_array_spec;

/* Makes one without memory, in host memory as far as is known; NULL with an exception. */
pj_array *pj_array_new(PyTypeObject *type);

/* Takes the sizes of a tuple. Their number, or -1 with an exception. */
int pj_array_sizes(PyObject *tuple, Py_ssize_t sizes[PJ_DIMENSIONS_MAX]);

/* Returns the array if it is one in host memory of so many bytes at least that may be written; else NULL with an
 * exception. */
pj_array *pj_array_writable(const pj_state *state, PyObject *object, uint64_t bytes);

/* Returns the bytes of all elements. */
uint64_t pj_array_bytes(const pj_array *array);

/* True if the elements are contiguous, in C order. */
bool pj_array_is_c_ordered(const pj_array *array);

#endif
