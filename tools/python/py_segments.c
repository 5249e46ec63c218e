/* Reductions of arrays in host memory: of all elements to numbers, of segments to arrays. Python runs on meanwhile. */
#include "py_module.h"

#include <stdlib.h>
#include <string.h>

#include "errors.h"
#include "plan_layout.h"
#include "py_call.h"
#include "py_number.h"

/* All elements of a shape as one segment, whose results become values. */
static jr_status reduce_apart(const pj_call *call, const jr_axis *axis, jr_value *values) {
    const jr_result_layout *layout = &call->spec->layout;
    char *results = malloc(layout->bytes);
    if (!results) return JR_ERROR_OUT_OF_MEMORY;
    jr_status status = jr_work_run_host(call->context, &JR_INIT(jr_work, .spec = &call->spec->spec, .axis = axis),
                                        &JR_INIT(jr_work_data, .in = call->data, .out = results));
    for (int op = 0; op < layout->count && status == JR_OK; op++) {
        values[op] = (jr_value){.type = layout->types[op]};
        memcpy(&values[op].as, results + layout->offsets[op], jr_type_size(layout->types[op]));
    }
    free(results);
    return status;
}

/* reduce(context, spec, arrays[, shape, axes, strides]): with strides, which all axes are reduced of. */
PyObject *pj_reduce(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    pj_call call;
    pj_strides apart = {.count = 0};
    if (count != 3 && count != 6) return pj_call_arguments("reduce", 3, count);
    if (!pj_call_take(module, args, &call)) return NULL;
    if (count == 6 && (!pj_strides_axis(args[3], args[4], &apart) || !pj_strides_take(args[5], &apart))) return NULL;
    jr_value values[JR_OPS_MAX];
    jr_status status;
    Py_BEGIN_ALLOW_THREADS;
    status = apart.count > 0
                 ? reduce_apart(&call, &apart.axis, values)
                 : jr_work_run_host(call.context, &JR_INIT(jr_work, .spec = &call.spec->spec),
                                    &JR_INIT(jr_work_data, .in = call.data, .count = call.count, .values = values));
    Py_END_ALLOW_THREADS;
    if (status) return pj_raise(call.state);
    return pj_numbers_of(call.spec->layout.count, values);
}

/* ---- segments ---- */

/* The segments of a call, and how many of them there are or can be. */
typedef struct pieces {
    jr_segment_layout layout;
    const jr_axis *axis; /* instead of layout, where elements lie apart; else NULL */
    jr_work_data segments;
    uint64_t room, count; /* results that there may be; results that came */
} pieces;

/* Results of several operators lie side by side, those of each go into an array of its own. */
static void spread(const jr_result_layout *layout, uint64_t count, const char *from, char *const *to) {
    for (int op = 0; op < layout->count; op++) {
        size_t bytes = jr_type_size(layout->types[op]);
        const char *at = from + layout->offsets[op];
        for (uint64_t i = 0; i < count; i++, at += layout->bytes) memcpy(to[op] + i * bytes, at, bytes);
    }
}

/* The reduction without the GIL; false: no memory for the results side by side. */
static bool reduce(const pj_call *call, pieces *of, char *const *to, jr_status *status) {
    const jr_result_layout *layout = &call->spec->layout;
    bool direct = layout->count == 1 && layout->bytes == jr_type_size(layout->types[0]); /* no list of one */
    char *results = direct ? to[0] : malloc(of->room * layout->bytes + 1);
    if (!results) return false;
    of->segments.in = call->data;
    of->segments.out = results;
    *status = jr_work_run_host(
        call->context,
        &JR_INIT(jr_work, .spec = &call->spec->spec, .layout = of->axis ? NULL : &of->layout, .axis = of->axis),
        &of->segments);
    if (*status == JR_OK && !direct) spread(layout, of->count, results, to);
    if (!direct) free(results);
    return true;
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

/* Reduces the segments into a tuple of Arrays. The number of results, or NULL with an exception. */
static PyObject *run(const pj_call *call, pieces *of, PyObject *results) {
    char *to[JR_OPS_MAX];
    if (!take_results(call, results, of->room, to)) return NULL;
    jr_status status = JR_OK;
    bool done;
    Py_BEGIN_ALLOW_THREADS;
    done = reduce(call, of, to, &status);
    Py_END_ALLOW_THREADS;
    if (!done) return PyErr_NoMemory();
    return status ? pj_raise(call->state) : PyLong_FromUnsignedLongLong(of->count);
}

static pieces of_kind(jr_segment_kind kind) {
    return (pieces){.layout = JR_INIT(jr_segment_layout, .kind = kind), .segments = JR_INIT(jr_work_data)};
}

/* ---- axes ---- */

PyObject *pj_reduce_axes(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    pj_call call;
    pj_strides apart = {.count = 0};
    uint64_t elements = 1;
    if (count != 6 && count != 7) return pj_call_arguments("reduce_axes", 6, count);
    if (!pj_call_take(module, args, &call) || !pj_strides_axis(args[3], args[4], &apart)) return NULL;
    for (int i = 0; i < apart.axis.dimensions; i++) elements *= apart.shape[i];
    if (elements != call.count)
        return PyErr_Format(PyExc_ValueError, "the shape has %llu elements, the arrays %llu",
                            (unsigned long long)elements, (unsigned long long)call.count);
    pieces of = of_kind(0);
    if (jr_segment_layout_of(&apart.axis, &of.layout, &of.segments.segments)) return pj_raise(call.state);
    if (count == 7 && !pj_strides_take(args[6], &apart)) return NULL;
    if (apart.count > 0) of.axis = &apart.axis;
    of.room = of.count = of.segments.segments;
    return run(&call, &of, args[5]);
}

/* ---- pieces and runs ---- */

/* An Array in host memory whose elements are C-ordered; NULL with an exception. */
static const pj_array *take_array(const pj_state *state, PyObject *object, const char *what) {
    const pj_array *array = (pj_array *)object;
    if (Py_TYPE(object) == state->array && array->device.type == DL_CPU && pj_array_is_c_ordered(array)) return array;
    PyErr_Format(PyExc_TypeError, "%s must be a C-ordered Array in host memory", what);
    return NULL;
}

PyObject *pj_reduce_pieces(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    pj_call call;
    if (count != 5) return pj_call_arguments("reduce_pieces", 5, count);
    if (!pj_call_take(module, args, &call)) return NULL;
    const pj_array *offsets = take_array(call.state, args[3], "offsets");
    if (!offsets) return NULL;
    uint64_t numbers = pj_array_bytes(offsets) / sizeof(uint64_t);
    const uint64_t *numbered = offsets->address;
    if (offsets->type != JR_U64 || numbers == 0 || numbered[numbers - 1] > call.count)
        return PyErr_Format(PyExc_ValueError, "offsets must be u64, one more than there are pieces");
    pieces of = of_kind(JR_SEGMENTS_OFFSETS);
    of.segments.offsets = numbered;
    of.room = of.count = of.segments.segments = numbers - 1;
    return run(&call, &of, args[4]);
}

PyObject *pj_reduce_runs(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    pj_call call;
    if (count != 6) return pj_call_arguments("reduce_runs", 6, count);
    if (!pj_call_take(module, args, &call)) return NULL;
    const pj_array *keys = take_array(call.state, args[3], "keys");
    if (!keys) return NULL;
    const pj_array *run_keys = pj_array_writable(call.state, args[4], pj_array_bytes(keys));
    if (!run_keys) return NULL;
    if (pj_array_bytes(keys) / jr_type_size(keys->type) != call.count || run_keys->type != keys->type)
        return PyErr_Format(PyExc_ValueError, "one key per element is required, and room for as many keys of runs");
    pieces of = of_kind(JR_SEGMENTS_KEYS);
    of.layout.key_type = keys->type;
    of.segments.keys = keys->address;
    of.segments.count = of.room = call.count;
    of.segments.run_keys = run_keys->address;
    of.segments.run_count = &of.count;
    return run(&call, &of, args[5]);
}
