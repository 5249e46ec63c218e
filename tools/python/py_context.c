/* The context of a device as an object of Python: opened when made, closed when nothing uses it any more. */
#include "py_context.h"

#include "ending.h"
#include "errors.h"
#include "order.h"
#include "py_memory.h"

static PyObject *open_context(PyTypeObject *type, PyObject *args, PyObject *keywords) {
    char *names[] = {(char *)"device",    (char *)"driver", (char *)"nvrtc", (char *)"simulator",
                     (char *)"cache_dir", (char *)"wisdom", (char *)"packs", NULL};
    jr_options options = JR_INIT(jr_options);
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "|zzzzzzz:Context", names, &options.device, &options.driver,
                                     &options.nvrtc, &options.simulator, &options.cache_dir, &options.wisdom,
                                     &options.packs))
        return NULL;
    jr_context *context = NULL;
    jr_status status;
    Py_BEGIN_ALLOW_THREADS;
    status = jr_context_open(&options, &context);
    Py_END_ALLOW_THREADS;
    if (status) return pj_raise(PyType_GetModuleState(type));
    allocfunc allocate = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    pj_context *made = (pj_context *)allocate(type, 0);
    if (made)
        made->context = context;
    else
        jr_context_close(context);
    return (PyObject *)made;
}

static void close_context(PyObject *self) {
    PyTypeObject *type = Py_TYPE(self);
    jr_context *context = ((pj_context *)self)->context;
    pj_memory_drop((pj_context *)self);
    PyThreadState *left = pj_leave_python();
    jr_context_close(context);
    pj_enter_python(left);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DECREF(type);
}

static PyObject *device_info(PyObject *self, PyObject *unused) {
    (void)unused;
    jr_device_info info = JR_INIT(jr_device_info);
    if (jr_context_device_info(((pj_context *)self)->context, &info))
        return pj_raise(PyType_GetModuleState(Py_TYPE(self)));
    return Py_BuildValue("{s:s,s:i,s:O,s:(ii),s:i,s:i,s:i,s:K,s:K,s:K}", "name", info.name, "ordinal", info.ordinal,
                         "simulated", info.simulated ? Py_True : Py_False, "compute_capability", info.capability_major,
                         info.capability_minor, "driver_version", info.driver_version, "multiprocessor_count",
                         info.multiprocessor_count, "max_threads_per_block", info.max_threads_per_block, "l2_bytes",
                         (unsigned long long)info.l2_bytes, "memory_bytes", (unsigned long long)info.memory_bytes,
                         "free_memory_bytes", (unsigned long long)info.free_memory_bytes);
}

static const char *origin_name(jr_origin origin) {
    switch (origin) {
    case JR_ORIGIN_MEMORY: return "memory";
    case JR_ORIGIN_DISK: return "disk";
    case JR_ORIGIN_COMPILED: return "compiled";
    case JR_ORIGIN_IMAGE: return "image";
    case JR_ORIGIN_PACK: return "pack";
    default: return "none";
    }
}

PyObject *pj_context_stats(const jr_stats *stats) {
    return Py_BuildValue("{s:s,s:d,s:d,s:d,s:d,s:d,s:d,s:i,s:i,s:i,s:i,s:s,s:s,s:K,s:s,s:d,s:d,s:d,s:K}", "origin",
                         origin_name(stats->origin), "nvrtc_ms", stats->nvrtc_ms, "cache_ms", stats->cache_ms,
                         "load_ms", stats->load_ms, "launch_ms", stats->launch_ms, "kernel_ms", stats->kernel_ms,
                         "copy_ms", stats->copy_ms, "launches", stats->launches, "grid", stats->grid, "block",
                         stats->block, "unroll", stats->unroll, "algorithm", jr_algorithm_name(stats->algorithm),
                         "tuned_by", stats->tuned_by, "parts", (unsigned long long)stats->parts, "compiled_because",
                         stats->compiled_because, "sources_ms", stats->sources_ms, "compiler_ms", stats->compiler_ms,
                         "wait_ms", stats->wait_ms, "precompiled", (unsigned long long)stats->precompiled);
}

static PyObject *stats(PyObject *self, PyObject *unused) {
    (void)unused;
    jr_stats stats = JR_INIT(jr_stats);
    if (jr_context_stats(((pj_context *)self)->context, &stats)) return pj_raise(PyType_GetModuleState(Py_TYPE(self)));
    return pj_context_stats(&stats);
}

static PyObject *counters(PyObject *self, PyObject *unused) {
    (void)unused;
    jr_counters counted = JR_INIT(jr_counters);
    if (jr_context_counters(((pj_context *)self)->context, &counted))
        return pj_raise(PyType_GetModuleState(Py_TYPE(self)));
    return Py_BuildValue("{s:K,s:K,s:K,s:K,s:K,s:K}", "memory_hits", (unsigned long long)counted.memory_hits,
                         "disk_hits", (unsigned long long)counted.disk_hits, "compiles",
                         (unsigned long long)counted.compiles, "cache_failures",
                         (unsigned long long)counted.cache_failures, "pack_hits", (unsigned long long)counted.pack_hits,
                         "pack_failures", (unsigned long long)counted.pack_failures);
}

static PyMethodDef methods[] = {
    {"wait", pj_order_wait, METH_O, "Waits for a stream."},
    {"order", pj_order_streams, METH_VARARGS, "Lets a stream wait for another one."},
    {"captured", pj_order_captured, METH_O, "Whether a stream is being captured."},
    {"write", pj_order_write, METH_VARARGS, "Copies host memory into device memory."},
    {"read", pj_order_read, METH_VARARGS, "Copies device memory into host memory."},
    {"device_info", device_info, METH_NOARGS, "What the device is."},
    {"stats", stats, METH_NOARGS, "What the last call on host memory cost."},
    {"counters", counters, METH_NOARGS, "How often kernels were found in memory, on disk, or compiled."},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot slots[] = {
    {Py_tp_new, (void *)open_context},
    {Py_tp_dealloc, (void *)close_context},
    {Py_tp_methods, methods},
    {Py_tp_doc, (void *)"One device, its compiler and its caches."},
    {0, NULL},
};

PyType_Spec pj_context_spec = PJ_TYPE("Context", pj_context, slots, 0);
