/* Many arrays: a table of their addresses, counts and types, which plans and calls on host memory are given as bytes.
 */
#include "py_module.h"

#include <stdlib.h>

#include "array.h"
#include "call_seen.h"
#include "errors.h"
#include "py_call.h"
#include "py_context.h"
#include "py_exchange.h"
#include "py_spec.h"

/* What is made of a list of arrays. */
typedef struct table {
    pj_state *state;
    PyObject *see;  /* see(array, index) -> Array, of what is not seen here */
    PyObject *kept; /* the Arrays that it gave */
    bool writes;    /* elements are replaced */
    jr_array *arrays;
    pj_seen first; /* of the first array: device and stream */
    Py_ssize_t count;
} table;

/* Do elements fill memory without gaps, in any order of the axes? strides: in elements. */
static bool is_dense(int dimensions, const int64_t *shape, const int64_t *strides, uint64_t count) {
    uint64_t next = 1;
    unsigned long long left = (1ull << dimensions) - 1;
    if (count <= 1) return true;
    for (int round = 0; round < dimensions; round++) {
        int found = -1;
        for (int i = 0; i < dimensions && found < 0; i++)
            if ((left >> i & 1) && (shape[i] == 1 || (strides[i] > 0 && (uint64_t)strides[i] == next))) found = i;
        if (found < 0) return false;
        left &= ~(1ull << found);
        next *= (uint64_t)shape[found];
    }
    return true;
}

static bool take_seen(table *made, Py_ssize_t index, const pj_seen *seen) {
    const jr_type type = pj_exchange_type(seen->type);
    if (made->writes && seen->readonly)
        return PyErr_Format(PyExc_ValueError, "arrays[%zd] is read-only", index) != NULL;
    if (type == JR_TYPE_NONE) return pj_exchange_type_wrong(seen->type) != NULL;
    if (!is_dense(seen->dimensions, seen->shape, seen->strides, seen->count))
        return PyErr_Format(PyExc_ValueError, "arrays[%zd] has gaps between its elements: pass a copy", index) != NULL;
    if (index > 0 && (seen->device.type != made->first.device.type || seen->device.id != made->first.device.id))
        return PyErr_Format(PyExc_ValueError, "arrays[%zd] is on another device than arrays[0]", index) != NULL;
    made->arrays[index] = (jr_array){.data = seen->data, .count = seen->count, .type = type};
    return true;
}

/* An Array, of any memory. */
static bool take_array(table *made, Py_ssize_t index, PyObject *object) {
    const pj_array *array = (const pj_array *)object;
    pj_seen seen = {.data = array->address,
                    .type = pj_exchange_type_of(array->type),
                    .device = array->device,
                    .readonly = array->readonly,
                    .dimensions = array->dimensions,
                    .count = 1,
                    .stream = (uintptr_t)array->stream == 1 ? NULL : array->stream};
    const Py_ssize_t bytes = (Py_ssize_t)jr_type_size(array->type);
    bool whole = array->dimensions <= PJ_FORM_DIMENSIONS;
    for (int i = 0; i < array->dimensions && whole; i++) {
        seen.shape[i] = array->shape[i];
        seen.strides[i] = array->strides[i] / bytes;
        seen.count *= (uint64_t)array->shape[i];
        whole = array->strides[i] % bytes == 0;
    }
    if (!whole) return PyErr_Format(PyExc_ValueError, "arrays[%zd] has gaps between its elements", index) != NULL;
    if (index == 0) made->first = seen;
    return take_seen(made, index, &seen);
}

static bool take(table *made, Py_ssize_t index, PyObject *object) {
    pj_seen seen;
    if (Py_TYPE(object) != made->state->array &&
        pj_see(made->state, object, made->writes ? PJ_WRITTEN : PJ_READ, &seen)) {
        if (index == 0) {
            made->first = seen;
            if (!pj_seen_stream(made->state, &made->first, NULL)) return false;
        }
        return take_seen(made, index, &seen);
    }
    PyObject *number = PyLong_FromSsize_t(index);
    PyObject *array = number ? PyObject_CallFunctionObjArgs(made->see, object, number, NULL) : NULL;
    const bool fine = array && PyList_Append(made->kept, array) == 0 && take_array(made, index, array);
    Py_XDECREF(number);
    Py_XDECREF(array);
    return fine;
}

/* The names of the arrays' types: a set. */
static PyObject *types_of(const table *made) {
    uint64_t seen = 0;
    PyObject *set = PySet_New(NULL);
    for (Py_ssize_t i = 0; i < made->count && set; i++) {
        const jr_type type = made->arrays[i].type;
        if (seen >> type & 1) continue;
        seen |= 1ull << type;
        PyObject *name = PyUnicode_FromString(jr_type_name(type));
        if (!name || PySet_Add(set, name) != 0) Py_CLEAR(set);
        Py_XDECREF(name);
    }
    return set;
}

/* many_table(arrays, see, writes) -> (table, Arrays that see gave, names of types, device's kind, its number, stream).
 */
PyObject *pj_many_table(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    if (count != 3) return pj_call_arguments("many_table", 3, count);
    table made = {
        .state = PyModule_GetState(module), .see = args[1], .kept = PyList_New(0), .writes = args[2] == Py_True};
    made.count = PyTuple_Size(args[0]);
    made.arrays = made.count >= 0 ? calloc((size_t)made.count + 1, sizeof *made.arrays) : NULL;
    bool fine = made.kept && (made.arrays || (!PyErr_Occurred() && PyErr_NoMemory()));
    for (Py_ssize_t i = 0; i < made.count && fine; i++) fine = take(&made, i, PyTuple_GetItem(args[0], i));
    PyObject *result = NULL;
    PyObject *types = fine ? types_of(&made) : NULL;
    if (types)
        result = Py_BuildValue("(y#OOiiK)", (const char *)made.arrays, made.count * (Py_ssize_t)sizeof *made.arrays,
                               made.kept, types, made.first.device.type, made.first.device.id,
                               (unsigned long long)(uintptr_t)made.first.stream);
    Py_XDECREF(types);
    free(made.arrays);
    Py_XDECREF(made.kept);
    return result;
}

bool pj_many_layout(PyObject *bytes, jr_segment_layout *layout) {
    char *arrays;
    Py_ssize_t size;
    if (PyBytes_AsStringAndSize(bytes, &arrays, &size) != 0) return false;
    layout->kind = JR_SEGMENTS_ARRAYS;
    layout->arrays = (const jr_array *)(const void *)arrays;
    layout->array_count = (uint64_t)size / sizeof(jr_array);
    return true;
}

/* many(context, spec, table, out): of host memory. out: None, or an Array with room for the results. */
PyObject *pj_many(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    const pj_state *state = PyModule_GetState(module);
    jr_segment_layout layout = JR_INIT(jr_segment_layout);
    if (count != 4) return pj_call_arguments("many", 4, count);
    if (Py_TYPE(args[0]) != state->context || Py_TYPE(args[1]) != state->spec)
        return PyErr_Format(PyExc_TypeError, "many takes a Context and a Spec");
    if (!pj_many_layout(args[2], &layout)) return NULL;
    const jr_spec *spec = &((const pj_spec *)args[1])->spec;
    const uint64_t bytes = (layout.array_count + 1) * ((const pj_spec *)args[1])->layout.bytes;
    const pj_array *out = args[3] == Py_None ? NULL : pj_array_writable(state, args[3], spec->apply ? 1 : bytes);
    if (!out && args[3] != Py_None) return NULL;
    const jr_work work =
        JR_INIT(jr_work, .spec = spec, .layout = &layout, .kind = spec->apply ? JR_WORK_APPLY : JR_WORK_REDUCE);
    const jr_work_data data = JR_INIT(jr_work_data, .out = out ? out->address : NULL);
    jr_status status;
    Py_BEGIN_ALLOW_THREADS;
    status = jr_work_run_host(((pj_context *)args[0])->context, &work, &data);
    Py_END_ALLOW_THREADS;
    return status ? pj_raise(state) : Py_NewRef(Py_None);
}
