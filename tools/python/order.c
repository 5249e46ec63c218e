/* The streams of a context: waits for them, and orders one after the other. */
#include "order.h"

#include "array.h"
#include "errors.h"
#include "py_context.h"

static jr_context *context_of(PyObject *self) {
    return ((pj_context *)self)->context;
}

static PyObject *finished(PyObject *self, jr_status status) {
    return status ? pj_raise(PyType_GetModuleState(Py_TYPE(self))) : Py_NewRef(Py_None);
}

static jr_stream stream_of(unsigned long long number) {
    return number == 1 ? NULL : (jr_stream)(uintptr_t)number;
}

PyObject *pj_order_wait(PyObject *self, PyObject *stream) {
    bool all = stream == Py_None;
    unsigned long long number = all ? 0 : PyLong_AsUnsignedLongLong(stream);
    if (PyErr_Occurred()) return NULL;
    jr_status status;
    Py_BEGIN_ALLOW_THREADS;
    status = all ? jr_context_wait(context_of(self)) : jr_stream_wait(context_of(self), stream_of(number));
    Py_END_ALLOW_THREADS;
    return finished(self, status);
}

/* A stream that is being captured cannot wait for one that is not: that work is over when the graph is launched, or the
 * caller's to order. */
static jr_status order(jr_context *context, jr_stream before, jr_stream after) {
    jr_event event;
    int captured_before = 0, captured_after = 0;
    jr_status status = jr_capture_query(context, before, &captured_before);
    if (status == JR_OK) status = jr_capture_query(context, after, &captured_after);
    if (status != JR_OK || (captured_after && !captured_before)) return status;
    status = jr_event_create(context, JR_EVENT_NO_TIMING, &event);
    if (status != JR_OK) return status;
    status = jr_event_record(context, event, before);
    if (status == JR_OK) status = jr_stream_wait_event(context, after, event);
    (void)jr_event_destroy(context, event);
    return status;
}

PyObject *pj_order_streams(PyObject *self, PyObject *args) {
    unsigned long long before, after;
    if (!PyArg_ParseTuple(args, "KK:order", &before, &after)) return NULL;
    return finished(self, order(context_of(self), stream_of(before), stream_of(after)));
}

bool pj_order_after(PyObject *context, jr_stream before, jr_stream after) {
    if (before == after) return true;
    return order(context_of(context), before, after) == JR_OK ||
           pj_raise(PyType_GetModuleState(Py_TYPE(context))) != NULL;
}

PyObject *pj_order_captured(PyObject *self, PyObject *stream) {
    int captured = 0;
    jr_stream handle = stream_of(PyLong_AsUnsignedLongLong(stream));
    if (PyErr_Occurred()) return NULL;
    if (handle && jr_capture_query(context_of(self), handle, &captured))
        return pj_raise(PyType_GetModuleState(Py_TYPE(self)));
    return PyBool_FromLong(captured);
}

PyObject *pj_order_read(PyObject *self, PyObject *args) {
    const pj_state *state = PyType_GetModuleState(Py_TYPE(self));
    PyObject *from, *to;
    if (!PyArg_ParseTuple(args, "O!O!:read", state->array, &from, state->array, &to)) return NULL;
    const pj_array *source = (pj_array *)from;
    uint64_t bytes = pj_array_bytes(source);
    const pj_array *target = pj_array_writable(state, to, bytes);
    if (!target) return NULL;
    jr_status status;
    Py_BEGIN_ALLOW_THREADS;
    status = jr_memory_read(context_of(self), target->address, source->address, bytes);
    Py_END_ALLOW_THREADS;
    return finished(self, status);
}

PyObject *pj_order_write(PyObject *self, PyObject *args) {
    const pj_state *state = PyType_GetModuleState(Py_TYPE(self));
    PyObject *to, *from;
    if (!PyArg_ParseTuple(args, "O!O!:write", state->array, &to, state->array, &from)) return NULL;
    const pj_array *source = (pj_array *)from, *target = (pj_array *)to;
    const uint64_t bytes = pj_array_bytes(source);
    if (source->device.type != DL_CPU || target->device.type == DL_CPU || target->readonly ||
        pj_array_bytes(target) != bytes)
        return PyErr_Format(PyExc_ValueError, "a writable Array in device memory and as many bytes are required");
    jr_status status;
    Py_BEGIN_ALLOW_THREADS;
    status = jr_memory_write(context_of(self), target->address, source->address, bytes);
    Py_END_ALLOW_THREADS;
    return finished(self, status);
}
