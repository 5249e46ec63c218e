/* Copies of arrays whose elements lie with gaps, backwards, or in another order. Python runs on meanwhile. */
#include "array_pack.h"

#include <stdlib.h>
#include <string.h>

#include "array.h"

/* Axes of more than one element, the innermost last. */
typedef struct walk {
    int dimensions;
    size_t bytes; /* of an element */
    Py_ssize_t shape[PJ_DIMENSIONS_MAX], strides[PJ_DIMENSIONS_MAX];
} walk;

/* Elements are copied by a size that the compiler knows. */
#define COPY_LINE(size)                                                                                                \
    for (Py_ssize_t i = 0; i < count; i++, from += stride, to += (size)) memcpy(to, from, size)

static char *copy_line(const walk *of, const char *from, char *to) {
    const Py_ssize_t count = of->shape[of->dimensions - 1], stride = of->strides[of->dimensions - 1];
    switch (of->bytes) {
    case 1: COPY_LINE(1); break;
    case 2: COPY_LINE(2); break;
    case 4: COPY_LINE(4); break;
    default: COPY_LINE(8);
    }
    return to;
}

/* Counts one line further; NULL: that was the last. */
static const char *next_line(const walk *of, Py_ssize_t place[PJ_DIMENSIONS_MAX], const char *from) {
    for (int a = of->dimensions - 2; a >= 0; a--) {
        from += of->strides[a];
        if (++place[a] < of->shape[a]) return from;
        from -= of->shape[a] * of->strides[a];
        place[a] = 0;
    }
    return NULL;
}

static void copy(const walk *of, const char *from, char *to) {
    Py_ssize_t place[PJ_DIMENSIONS_MAX] = {0};
    for (; from; from = next_line(of, place, from)) to = copy_line(of, from, to);
}

/* The walk through an array, and the strides of its copy; false with an exception. */
static bool plan_walk(const pj_array *array, PyObject *order, walk *of, pj_array *made) {
    Py_ssize_t axes[PJ_DIMENSIONS_MAX], step = (Py_ssize_t)jr_type_size(array->type);
    *of = (walk){.bytes = (size_t)step};
    int count = pj_array_sizes(order, axes);
    for (int i = 0; i < count; i++)
        if (count != array->dimensions || axes[i] < 0 || axes[i] >= count)
            return PyErr_Format(PyExc_ValueError, "the order does not have the array's axes") != NULL;
    for (int i = count - 1; i >= 0; step *= array->shape[axes[i]], i--) made->strides[axes[i]] = step;
    for (int i = 0; i < count; i++) {
        if (array->shape[axes[i]] == 1) continue;
        of->shape[of->dimensions] = array->shape[axes[i]];
        of->strides[of->dimensions++] = array->strides[axes[i]];
    }
    if (of->dimensions == 0) of->shape[of->dimensions++] = 1;
    return count >= 0;
}

/* Memory for the copy, and the elements in it; false with an exception. */
static bool fill(const pj_array *array, const walk *of, pj_array *made) {
    made->type = array->type;
    made->dimensions = array->dimensions;
    memcpy(made->shape, array->shape, sizeof made->shape);
    const uint64_t bytes = pj_array_bytes(array);
    made->address = made->own = malloc(bytes + 1);
    if (!made->own)
        return PyErr_Format(PyExc_MemoryError, "no host memory for a copy of %llu bytes without gaps",
                            (unsigned long long)bytes) != NULL;
    Py_BEGIN_ALLOW_THREADS;
    if (bytes > 0) copy(of, array->address, made->own);
    Py_END_ALLOW_THREADS;
    return true;
}

PyObject *pj_array_packed(PyObject *self, PyObject *order) {
    const pj_array *array = (const pj_array *)self;
    if (array->device.type != DL_CPU) return PyErr_Format(PyExc_ValueError, "the array is in device memory");
    pj_array *made = pj_array_new(Py_TYPE(self));
    walk of;
    if (made && plan_walk(array, order, &of, made) && fill(array, &of, made)) return (PyObject *)made;
    Py_XDECREF((PyObject *)made);
    return NULL;
}
