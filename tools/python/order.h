/* The streams of a context: waits for them, and orders one after the other. */
#ifndef PYTHON_ORDER_H
#define PYTHON_ORDER_H

#include "py_module.h"

/* context.wait(stream): until all that was put on it is done; None: on any stream of the context. */
PyObject *pj_order_wait(PyObject *self, PyObject *stream);

/* context.order(before, after): the stream `after` waits, on the device, for what is on `before` now. */
PyObject *pj_order_streams(PyObject *self, PyObject *args);

/* Lets the stream `after` wait for `before` where they differ; NULL: the default stream. context: a Context. false with
 * an exception. */
bool pj_order_after(PyObject *context, jr_stream before, jr_stream after);

/* context.captured(stream): whether the stream is being captured into a graph. */
PyObject *pj_order_captured(PyObject *self, PyObject *stream);

/* context.read(from, to): copies an Array in device memory into one in host memory, as they lie, and waits. */
PyObject *pj_order_read(PyObject *self, PyObject *args);

/* context.write(to, from): copies an Array in host memory into one in device memory, as they lie, and waits. */
PyObject *pj_order_write(PyObject *self, PyObject *args);

#endif
