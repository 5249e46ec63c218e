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
    Py_buffer buffer;    /* of whom the memory is; obj NULL: of nobody */
    dl_managed *managed; /* likewise; NULL: of nobody */
    dl_legacy *legacy;
    PyObject *owner; /* likewise */
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

/* Tells whether the elements lie one behind the other in C order. */
bool pj_array_is_c_ordered(const pj_array *array);

#endif
