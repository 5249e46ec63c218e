/* An array as the library sees it: address, type, shape, strides; of someone else's memory, or with memory of its own.
 */
#ifndef PYTHON_ARRAY_H
#define PYTHON_ARRAY_H

#include "module.h"

enum { PJ_DIMENSIONS_MAX = 64 };

typedef struct pj_array {
    PyObject_HEAD void *address;
    jr_type type;
    int dimensions;
    bool readonly;
    Py_ssize_t shape[PJ_DIMENSIONS_MAX], strides[PJ_DIMENSIONS_MAX]; /* in bytes */
    Py_buffer buffer;                                                /* of whom the memory is; obj NULL: of nobody */
    void *own;                                                       /* memory of its own; NULL: none */
} pj_array;

extern PyType_Spec pj_array_spec;

/* Returns the array if it is one of so many bytes at least that may be written; else NULL with an exception. */
pj_array *pj_array_writable(const pj_state *state, PyObject *object, uint64_t bytes);

/* Returns the bytes of all elements. */
uint64_t pj_array_bytes(const pj_array *array);

#endif
