/* The streams of a context: waits for them, and orders one after the other. */
#ifndef PYTHON_ORDER_H
#define PYTHON_ORDER_H

#include "py_module.h"

/* context.wait(stream): until all that was put on it is done; None: on any stream of the context. */
PyObject *pj_order_wait(PyObject *self, PyObject *stream);

/* context.order(before, after): the stream `after` waits, on the device, for what is on `before` now. */
PyObject *pj_order_streams(PyObject *self, PyObject *args);

/* context.read(from, to): copies an Array in device memory into one in host memory, as they lie, and waits. */
PyObject *pj_order_read(PyObject *self, PyObject *args);

#endif
