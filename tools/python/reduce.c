/* Reductions of arrays in host memory: all elements to numbers, or some axes to arrays. Python runs on meanwhile. */
#include "reduce.h"

#include <stdlib.h>
#include <string.h>

#include "call.h"
#include "errors.h"
#include "number.h"

PyObject *pj_reduce(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    pj_call call;
    if (count != 3) return pj_call_arguments("reduce", 3, count);
    if (!pj_call_take(module, args, &call)) return NULL;
    jr_value values[JR_OPS_MAX];
    jr_status status;
    Py_BEGIN_ALLOW_THREADS;
    status = jr_reduce_host_arrays(call.context, &call.spec->spec, call.data, call.count, values);
    Py_END_ALLOW_THREADS;
    if (status) return pj_raise(call.state);
    PyObject *tuple = PyTuple_New(call.spec->layout.count);
    for (int i = 0; tuple && i < call.spec->layout.count; i++) {
        PyObject *number = pj_number_of(&values[i]);
        if (!number || PyTuple_SetItem(tuple, i, number)) Py_CLEAR(tuple);
    }
    return tuple;
}

/* Results of several operators lie side by side, those of each go into an array of its own. */
static void spread(const jr_result_layout *layout, uint64_t count, const char *from, char *const *to) {
    for (int op = 0; op < layout->count; op++) {
        size_t bytes = jr_type_size(layout->types[op]);
        const char *at = from + layout->offsets[op];
        for (uint64_t i = 0; i < count; i++, at += layout->bytes) memcpy(to[op] + i * bytes, at, bytes);
    }
}

/* The reduction without the GIL; false: no memory for the results side by side. */
static bool run(const pj_call *call, const jr_axis *axis, uint64_t count, char *const *to, jr_status *status) {
    const jr_result_layout *layout = &call->spec->layout;
    bool direct = layout->count == 1 && layout->bytes == jr_type_size(layout->types[0]); /* no list of one */
    char *results = direct ? to[0] : malloc(count * layout->bytes + 1);
    if (!results) return false;
    *status = jr_reduce_host_axis(call->context, &call->spec->spec, call->data, axis, results);
    if (*status == JR_OK && !direct) spread(layout, count, results, to);
    if (!direct) free(results);
    return true;
}

static int take_axes(PyObject *tuple, int dimensions, int axes[JR_DIMENSIONS_MAX]) {
    uint64_t numbers[JR_DIMENSIONS_MAX];
    int count = pj_call_sizes(tuple, JR_DIMENSIONS_MAX, numbers);
    for (int i = 0; i < count; i++) {
        if (numbers[i] >= (uint64_t)dimensions) {
            PyErr_SetString(PyExc_ValueError, "there is no such axis");
            return -1;
        }
        axes[i] = (int)numbers[i];
    }
    return count;
}

/* Where each operator's results go; false with an exception. */
static bool take_results(const pj_call *call, PyObject *tuple, uint64_t count, char *to[JR_OPS_MAX]) {
    const jr_result_layout *layout = &call->spec->layout;
    if (PyTuple_Size(tuple) != layout->count) {
        if (!PyErr_Occurred()) PyErr_Format(PyExc_ValueError, "there are %d results", layout->count);
        return false;
    }
    for (int i = 0; i < layout->count; i++) {
        pj_array *array =
            pj_array_writable(call->state, PyTuple_GetItem(tuple, i), count * jr_type_size(layout->types[i]));
        if (!array) return false;
        to[i] = array->address;
    }
    return true;
}

PyObject *pj_reduce_axes(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    pj_call call;
    uint64_t shape[JR_DIMENSIONS_MAX], segments = 0, elements = 1;
    int axes[JR_DIMENSIONS_MAX];
    char *to[JR_OPS_MAX];
    if (count != 6) return pj_call_arguments("reduce_axes", 6, count);
    int dimensions = pj_call_take(module, args, &call) ? pj_call_sizes(args[3], JR_DIMENSIONS_MAX, shape) : -1;
    int axis_count = dimensions < 0 ? -1 : take_axes(args[4], dimensions, axes);
    if (axis_count < 0) return NULL;
    for (int i = 0; i < dimensions; i++) elements *= shape[i];
    if (elements != call.count)
        return PyErr_Format(PyExc_ValueError, "the shape has %llu elements, the arrays %llu",
                            (unsigned long long)elements, (unsigned long long)call.count);
    jr_axis axis =
        JR_INIT(jr_axis, .shape = shape, .dimensions = dimensions, .axes = axes, .axis_count = (size_t)axis_count);
    jr_segment_layout layout = JR_INIT(jr_segment_layout);
    if (jr_segment_layout_of(&axis, &layout, &segments)) return pj_raise(call.state);
    if (!take_results(&call, args[5], segments, to)) return NULL;
    jr_status status = JR_OK;
    bool done;
    Py_BEGIN_ALLOW_THREADS;
    done = run(&call, &axis, segments, to, &status);
    Py_END_ALLOW_THREADS;
    if (!done) return PyErr_NoMemory();
    return status ? pj_raise(call.state) : Py_NewRef(Py_None);
}
