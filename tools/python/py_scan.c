/* Scans of arrays in host memory, along one axis or in pieces. Python runs on meanwhile. */
#include "py_module.h"

#include <stdlib.h>
#include <string.h>

#include "errors.h"
#include "plan_layout.h"
#include "py_call.h"
#include "py_number.h"

/* The three axes, and what comes first of each scan. */
typedef struct shape3 {
    uint64_t outer, length, inner;
    size_t bytes; /* of a result */
    jr_work_kind kind;
    const jr_value *lead;    /* NULL: nothing */
    const pj_strides *apart; /* where arrays with gaps lie; NULL: they have none */
} shape3;

/* Copies the results of scans to after the initial numbers of each row. */
static void spread(const shape3 *shape, const char *from, char *to) {
    uint64_t row = shape->inner * shape->bytes, plane = shape->length * row;
    for (uint64_t outer = 0; outer < shape->outer; outer++, from += plane, to += plane) {
        for (uint64_t i = 0; i < shape->inner; i++, to += shape->bytes) memcpy(to, shape->lead->as.bytes, shape->bytes);
        if (plane > 0) memcpy(to, from, plane);
    }
}

/* The scan without the GIL; false: no memory for results that are moved afterwards. */
static bool run(const pj_call *call, const shape3 *shape, char *to, jr_status *status) {
    bool direct = shape->lead == NULL || (shape->outer == 1 && shape->inner == 1 && shape->length > 0);
    char *results = direct ? to + (shape->lead ? shape->bytes : 0) : malloc(call->count * shape->bytes + 1);
    if (!results) return false;
    uint64_t sizes[] = {shape->outer, shape->length, shape->inner};
    jr_axis axis = JR_INIT(jr_axis, .shape = sizes, .dimensions = 3, .axis = 1);
    jr_work work = JR_INIT(jr_work, .spec = &call->spec->spec, .kind = shape->kind);
    if (shape->apart)
        work.axis = &shape->apart->axis;
    else if (shape->outer != 1 || shape->inner != 1 || shape->kind == JR_WORK_APPLY)
        work.axis = &axis;
    jr_work_data data = JR_INIT(jr_work_data, .in = call->data, .count = call->count, .out = results);
    *status = call->count == 0 ? JR_OK : jr_work_run_host(call->context, &work, &data);
    if (*status == JR_OK && !direct) spread(shape, results, to);
    if (*status == JR_OK && direct && shape->lead) memcpy(to, shape->lead->as.bytes, shape->bytes);
    if (!direct) free(results);
    return true;
}

PyObject *pj_scan(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    pj_call call;
    uint64_t sizes[3];
    jr_value lead;
    if (count != 7 && count != 10) return pj_call_arguments("scan", 7, count);
    if (!pj_call_take(module, args, &call) || pj_call_sizes(args[3], 3, sizes) < 0) return NULL;
    if (PyTuple_Size(args[3]) != 3 || sizes[0] * sizes[1] * sizes[2] != call.count)
        return PyErr_Format(PyExc_ValueError, "the shape does not have three axes with the elements of the arrays");
    if (!pj_call_rows(call.spec, args[2], sizes[1])) return NULL;
    pj_strides apart = {.count = 0};
    if (count == 10 && !(pj_strides_axis(args[7], args[8], &apart) && pj_strides_take(args[9], &apart))) return NULL;
    jr_type type = call.spec->layout.types[0];
    if (args[5] != Py_None && !pj_value_of(type, args[5], &lead)) return NULL;
    shape3 shape = {.outer = sizes[0],
                    .length = sizes[1],
                    .inner = sizes[2],
                    .bytes = jr_type_size(type),
                    .kind = call.spec->spec.apply           ? JR_WORK_APPLY
                            : PyObject_IsTrue(args[6]) == 1 ? JR_WORK_SCAN_EXCLUSIVE
                                                            : JR_WORK_SCAN_INCLUSIVE,
                    .lead = args[5] == Py_None ? NULL : &lead,
                    .apart = count == 10 ? &apart : NULL};
    uint64_t places = shape.outer * (shape.length + (shape.lead != NULL)) * shape.inner;
    pj_array *results = pj_array_writable(call.state, args[4], places * shape.bytes);
    if (!results) return NULL;
    jr_status status = JR_OK;
    bool done;
    Py_BEGIN_ALLOW_THREADS;
    done = run(&call, &shape, results->address, &status);
    Py_END_ALLOW_THREADS;
    if (!done) return PyErr_NoMemory();
    return status ? pj_raise(call.state) : Py_NewRef(Py_None);
}

/* Where pieces begin, of an Array of keys or of offsets; false with an exception. */
static bool take_pieces(const pj_call *call, PyObject *object, bool keyed, jr_segment_layout *layout,
                        jr_work_data *data) {
    const pj_array *by = (const pj_array *)object;
    bool fine = Py_TYPE(object) == call->state->array && by->device.type == DL_CPU && by->dimensions == 1 &&
                pj_array_is_c_ordered(by) &&
                (keyed ? (uint64_t)by->shape[0] == call->count : by->type == JR_U64 && by->shape[0] > 0);
    if (!fine)
        return PyErr_Format(PyExc_ValueError, "one key per element, or offsets of u64, are required in host memory") !=
               NULL;
    layout->kind = keyed ? JR_SEGMENTS_KEYS : JR_SEGMENTS_OFFSETS;
    if (keyed) {
        layout->key_type = by->type;
        data->keys = by->address;
    } else {
        data->offsets = by->address;
        data->segments = (uint64_t)by->shape[0] - 1;
    }
    return true;
}

PyObject *pj_scan_pieces(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    pj_call call;
    if (count != 7) return pj_call_arguments("scan_pieces", 7, count);
    if (!pj_call_take(module, args, &call)) return NULL;
    jr_segment_layout layout = JR_INIT(jr_segment_layout);
    jr_work_data data = JR_INIT(jr_work_data, .in = call.data, .count = call.count);
    if (!take_pieces(&call, args[3], PyObject_IsTrue(args[4]) == 1, &layout, &data)) return NULL;
    const pj_array *results =
        pj_array_writable(call.state, args[5], call.count * jr_type_size(call.spec->layout.types[0]));
    if (!results) return NULL;
    data.out = results->address;
    const jr_work work =
        JR_INIT(jr_work, .spec = &call.spec->spec, .layout = &layout,
                .kind = PyObject_IsTrue(args[6]) == 1 ? JR_WORK_SCAN_EXCLUSIVE : JR_WORK_SCAN_INCLUSIVE);
    jr_status status = JR_OK;
    Py_BEGIN_ALLOW_THREADS;
    if (call.count > 0) status = jr_work_run_host(call.context, &work, &data);
    Py_END_ALLOW_THREADS;
    return status ? pj_raise(call.state) : Py_NewRef(Py_None);
}
