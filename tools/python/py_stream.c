/* Streams and graphs as objects of Python: each keeps its context, and is gone when nothing uses it any more. */
#include "py_module.h"

#include "errors.h"
#include "py_context.h"

typedef struct pj_stream {
    PyObject_HEAD PyObject *context;
    jr_stream stream;
} pj_stream;

typedef struct pj_graph {
    PyObject_HEAD PyObject *context;
    jr_graph graph;
} pj_graph;

static jr_context *context_of(PyObject *context) {
    return ((pj_context *)context)->context;
}

static PyObject *raise(PyObject *self) {
    return pj_raise(PyType_GetModuleState(Py_TYPE(self)));
}

static void free_object(PyObject *self, PyObject *context) {
    PyTypeObject *type = Py_TYPE(self);
    Py_XDECREF(context);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DECREF(type);
}

/* ---- streams ---- */

/* Stream(context) */
static PyObject *make_stream(PyTypeObject *type, PyObject *args, PyObject *keywords) {
    const pj_state *state = PyType_GetModuleState(type);
    PyObject *context;
    (void)keywords;
    if (!PyArg_ParseTuple(args, "O!:Stream", state->context, &context)) return NULL;
    pj_stream *made = (pj_stream *)((allocfunc)PyType_GetSlot(type, Py_tp_alloc))(type, 0);
    if (!made) return NULL;
    made->context = Py_NewRef(context);
    if (jr_stream_create(context_of(context), JR_STREAM_NON_BLOCKING, &made->stream) == JR_OK) return (PyObject *)made;
    raise((PyObject *)made);
    Py_DECREF((PyObject *)made);
    return NULL;
}

static void free_stream(PyObject *self) {
    pj_stream *stream = (pj_stream *)self;
    if (stream->stream) (void)jr_stream_destroy(context_of(stream->context), stream->stream);
    free_object(self, stream->context);
}

static PyObject *begin(PyObject *self, PyObject *unused) {
    const pj_stream *stream = (pj_stream *)self;
    (void)unused;
    return jr_capture_begin(context_of(stream->context), stream->stream) ? raise(self) : Py_NewRef(Py_None);
}

static PyObject *end(PyObject *self, PyObject *unused) {
    const pj_stream *stream = (pj_stream *)self;
    (void)unused;
    jr_graph graph = NULL;
    if (jr_capture_end(context_of(stream->context), stream->stream, &graph)) return raise(self);
    const pj_state *state = PyType_GetModuleState(Py_TYPE(self));
    pj_graph *made = (pj_graph *)((allocfunc)PyType_GetSlot(state->graph, Py_tp_alloc))(state->graph, 0);
    if (!made) {
        (void)jr_graph_destroy(context_of(stream->context), graph);
        return NULL;
    }
    *made = (pj_graph){.ob_base = made->ob_base, .context = Py_NewRef(stream->context), .graph = graph};
    return (PyObject *)made;
}

static PyObject *get_number(PyObject *self, void *unused) {
    (void)unused;
    return PyLong_FromVoidPtr(((pj_stream *)self)->stream);
}

static PyGetSetDef stream_members[] = {
    {"number", get_number, NULL, "CUDA's handle.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyMethodDef stream_methods[] = {
    {"begin", begin, METH_NOARGS, "Begins a capture."},
    {"end", end, METH_NOARGS, "Ends it: a Graph."},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot stream_slots[] = {
    {Py_tp_new, (void *)make_stream}, {Py_tp_dealloc, (void *)free_stream}, {Py_tp_getset, stream_members},
    {Py_tp_methods, stream_methods},  {Py_tp_doc, (void *)"A stream."},     {0, NULL},
};

PyType_Spec pj_stream_spec = PJ_TYPE("Stream", pj_stream, stream_slots, 0);

/* ---- graphs ---- */

static void free_graph(PyObject *self) {
    pj_graph *graph = (pj_graph *)self;
    if (graph->graph) (void)jr_graph_destroy(context_of(graph->context), graph->graph);
    free_object(self, graph->context);
}

/* launch(stream) */
static PyObject *launch(PyObject *self, PyObject *number) {
    const pj_graph *graph = (pj_graph *)self;
    void *handle = PyLong_AsVoidPtr(number);
    if (PyErr_Occurred()) return NULL;
    jr_stream stream = (uintptr_t)handle == 1 ? NULL : handle;
    jr_status status;
    Py_BEGIN_ALLOW_THREADS;
    status = jr_graph_launch(context_of(graph->context), graph->graph, stream);
    Py_END_ALLOW_THREADS;
    return status ? raise(self) : Py_NewRef(Py_None);
}

static PyMethodDef graph_methods[] = {
    {"launch", launch, METH_O, "Launches it on a stream."},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot graph_slots[] = {
    {Py_tp_dealloc, (void *)free_graph},
    {Py_tp_methods, graph_methods},
    {Py_tp_doc, (void *)"A graph of captured work."},
    {0, NULL},
};

PyType_Spec pj_graph_spec = PJ_TYPE("Graph", pj_graph, graph_slots, Py_TPFLAGS_DISALLOW_INSTANTIATION);
