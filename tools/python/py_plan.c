/* Plans over device memory as objects of Python: made, run, gone when no run is under way any more. */
#include "py_plan.h"

#include <stdlib.h>

#include "ending.h"
#include "errors.h"
#include "plan_layout.h"
#include "py_call.h"
#include "py_number.h"

static jr_context *context_of(const pj_plan *plan) {
    return ((pj_context *)plan->context)->context;
}

static jr_status create(pj_plan *made, const pj_strides *apart) {
    const jr_spec *spec = &((pj_spec *)made->spec)->spec;
    jr_work work = JR_INIT(jr_work, .spec = spec, .axis = apart->count == 0 ? NULL : &apart->axis,
                           .layout = made->layout.kind == 0 || apart->count > 0 ? NULL : &made->layout,
                           .kind = spec->apply       ? JR_WORK_APPLY
                                   : !made->scans    ? JR_WORK_REDUCE
                                   : made->exclusive ? JR_WORK_SCAN_EXCLUSIVE
                                                     : JR_WORK_SCAN_INCLUSIVE);
    return jr_work_plan_create(context_of(made), &work, &made->plan);
}

/* Plan(context, spec, shape, axes, scan[, strides]): scan is None, "inclusive" or "exclusive". */
static PyObject *make_plan(PyTypeObject *type, PyObject *args, PyObject *keywords) {
    const pj_state *state = PyType_GetModuleState(type);
    PyObject *context, *spec, *shape, *axes, *apart = Py_None;
    pj_strides of = {.count = 0};
    const char *scan;
    char *names[] = {
        (char *)"context", (char *)"spec", (char *)"shape", (char *)"axes", (char *)"scan", (char *)"strides", NULL};
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "O!O!OOz|O:Plan", names, state->context, &context, state->spec,
                                     &spec, &shape, &axes, &scan, &apart))
        return NULL;
    pj_plan *made = (pj_plan *)((allocfunc)PyType_GetSlot(type, Py_tp_alloc))(type, 0);
    if (!made) return NULL;
    made->context = Py_NewRef(context);
    made->spec = Py_NewRef(spec);
    made->layout = JR_INIT(jr_segment_layout);
    made->scans = scan != NULL;
    made->exclusive = scan && scan[0] == 'e';
    made->lock = PyThread_allocate_lock();
    bool fine =
        made->lock ? pj_plan_layout(made, shape, axes, &of) && pj_strides_take(apart, &of) : PyErr_NoMemory() != NULL;
    if (fine) {
        jr_status status;
        Py_BEGIN_ALLOW_THREADS;
        status = create(made, &of);
        Py_END_ALLOW_THREADS;
        fine = status == JR_OK || pj_raise(state) != NULL;
    }
    if (fine) made->workspace_bytes = jr_plan_workspace_bytes(made->plan);
    made->layout.arrays = NULL; /* of `axes` */
    if (fine) return (PyObject *)made;
    Py_DECREF((PyObject *)made);
    return NULL;
}

static void free_plan(PyObject *self) {
    PyTypeObject *type = Py_TYPE(self);
    pj_plan *plan = (pj_plan *)self;
    PyThreadState *left = pj_leave_python();
    if (plan->slot_count > 0) (void)jr_context_wait(context_of(plan));
    pj_plan_clear(plan);
    jr_plan_destroy(plan->plan);
    pj_enter_python(left);
    if (plan->lock) PyThread_free_lock(plan->lock);
    free(plan->slots);
    Py_XDECREF(plan->context);
    Py_XDECREF(plan->spec);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DECREF(type);
}

/* ---- calls ---- */

/* Are its segments those of each run: keys or offsets? */
static bool counts_at_run(const pj_plan *plan) {
    return plan->layout.kind == JR_SEGMENTS_KEYS || plan->layout.kind == JR_SEGMENTS_OFFSETS;
}

/* The arrays, which must be where the device can read them. */
static bool take_arrays(const pj_plan *plan, PyObject *tuple, pj_run *run) {
    const pj_state *state = PyType_GetModuleState(Py_TYPE((PyObject *)plan));
    if (!pj_call_arrays(state, (pj_spec *)plan->spec, tuple, false, run->data, &run->count)) return false;
    if (!pj_call_rows((pj_spec *)plan->spec, tuple, plan->layout.length)) return false;
    run->device = ((pj_array *)PyTuple_GetItem(tuple, 0))->device;
    if (plan->layout.kind == 0 || counts_at_run(plan) || run->count == plan->elements) return true;
    PyErr_Format(PyExc_ValueError, "the plan was made for %llu elements, the arrays have %llu",
                 (unsigned long long)plan->elements, (unsigned long long)run->count);
    return false;
}

/* segments: how many results there are, but for scans and keys. */
static bool take_out(const pj_plan *plan, PyObject *object, uint64_t segments, pj_run *run) {
    const pj_state *state = PyType_GetModuleState(Py_TYPE((PyObject *)plan));
    const pj_array *out = (pj_array *)object;
    bool many = plan->scans || plan->layout.kind == JR_SEGMENTS_KEYS;
    uint64_t results = many ? run->count : plan->layout.kind == 0 ? 1 : segments;
    uint64_t bytes = results * ((const pj_spec *)plan->spec)->layout.bytes;
    if (Py_TYPE(object) != state->array || out->device.type == DL_CPU || out->readonly || pj_array_bytes(out) < bytes) {
        PyErr_Format(PyExc_ValueError, "results need a writable Array in device memory of at least %llu bytes",
                     (unsigned long long)bytes);
        return false;
    }
    run->out = out->address;
    return true;
}

static bool take_stream(PyObject *number, jr_stream *stream) {
    void *handle = PyLong_AsVoidPtr(number);
    if (!handle && PyErr_Occurred()) return false;
    *stream = (uintptr_t)handle == 1 ? NULL : handle; /* 1 is the default stream's other name */
    return true;
}

/* (arrays, out, stream, class): class is that of arrays of the caller's. */
static bool take_run(const pj_plan *plan, PyObject *const *args, uint64_t segments, pj_run *run) {
    if (!take_arrays(plan, args[0], run) || !take_out(plan, args[1], segments, run) ||
        !take_stream(args[2], &run->stream))
        return false;
    if (PyType_Check(args[3]))
        run->table = pj_exchange_find(PyType_GetModuleState(Py_TYPE((PyObject *)plan)), (PyTypeObject *)args[3]);
    return !PyErr_Occurred();
}

/* run(arrays, out, stream, class) */
static PyObject *run(PyObject *self, PyObject *const *args, Py_ssize_t count) {
    pj_plan *plan = (pj_plan *)self;
    pj_run wanted = {.count = 0};
    if (count != 4) return pj_call_arguments("run", 4, count);
    if (counts_at_run(plan))
        return PyErr_Format(PyExc_ValueError, "a plan of keys or offsets runs by_key or by_offsets");
    return take_run(plan, args, plan->segments, &wanted) && pj_plan_look(plan, &wanted) && pj_plan_start(plan, &wanted)
               ? Py_NewRef(Py_None)
               : NULL;
}

/* Keys and keys of runs, in device memory, with room for as many runs as there are elements. */
static bool take_runs(const pj_plan *plan, PyObject *const *args, uint64_t count, const pj_array *arrays[2]) {
    const pj_state *state = PyType_GetModuleState(Py_TYPE((PyObject *)plan));
    uint64_t bytes = count * jr_type_size(plan->layout.key_type);
    bool fine = plan->layout.kind == JR_SEGMENTS_KEYS;
    for (int i = 0; i < 2 && fine; i++) {
        arrays[i] = (const pj_array *)args[i];
        fine = Py_TYPE(args[i]) == state->array && arrays[i]->device.type != DL_CPU &&
               pj_array_bytes(arrays[i]) >= bytes &&
               (i == 0 ? arrays[i]->type == plan->layout.key_type : !arrays[i]->readonly);
    }
    if (!fine)
        PyErr_SetString(PyExc_ValueError, "only a plan with keys takes keys, and needs an array for the runs' keys");
    return fine;
}

/* Where the number of runs is written; NULL with an exception. */
static void *number_at(const pj_plan *plan, PyObject *object) {
    const pj_state *state = PyType_GetModuleState(Py_TYPE((PyObject *)plan));
    const pj_array *number = (const pj_array *)object;
    if (Py_TYPE(object) == state->array && number->device.type != DL_CPU && !number->readonly &&
        number->type == JR_I64 && pj_array_bytes(number) >= sizeof(int64_t))
        return number->address;
    return PyErr_Format(PyExc_ValueError, "the number of runs needs a writable Array of i64 in device memory");
}

/* run_by_key(arrays, out, stream, class, keys, run_keys[, number]) -> how many runs there are: of a plan of keys; the
 * last are Arrays. With number, of one i64, which gets it, nothing is waited for, and None is returned. */
static PyObject *run_by_key(PyObject *self, PyObject *const *args, Py_ssize_t count) {
    pj_plan *plan = (pj_plan *)self;
    pj_run wanted = {.count = 0};
    const pj_array *arrays[2];
    jr_value runs_found;
    if (count != 6 && count != 7) return pj_call_arguments("run_by_key", 6, count);
    if (!take_run(plan, args, 0, &wanted) || !take_runs(plan, args + 4, wanted.count, arrays)) return NULL;
    void *const number = count == 7 ? number_at(plan, args[6]) : NULL;
    if (count == 7 && !number) return NULL;
    jr_work_data runs =
        JR_INIT(jr_work_data, .in = wanted.data, .count = wanted.count, .out = wanted.out, .keys = arrays[0]->address,
                .run_keys = arrays[1]->address, .run_count = number, .values = number ? NULL : &runs_found);
    wanted.runs = &runs;
    if (!pj_plan_look(plan, &wanted) || !pj_plan_start(plan, &wanted)) return NULL;
    return number ? Py_NewRef(Py_None) : pj_number_of(&runs_found);
}

/* run_by(arrays, out, stream, class, by): of a plan of offsets, or a scan by keys; `by` is the Array of them. */
static PyObject *run_by(PyObject *self, PyObject *const *args, Py_ssize_t count) {
    pj_plan *plan = (pj_plan *)self;
    pj_run wanted = {.count = 0};
    const pj_array *by = count == 5 ? (const pj_array *)args[4] : NULL;
    if (!by) return pj_call_arguments("run_by", 5, count);
    const pj_state *state = PyType_GetModuleState(Py_TYPE(self));
    const bool keys = plan->layout.kind == JR_SEGMENTS_KEYS;
    if (Py_TYPE(args[4]) != state->array || by->device.type == DL_CPU || by->dimensions != 1 ||
        by->type != (keys ? plan->layout.key_type : JR_U64) || (!keys && by->shape[0] == 0))
        return PyErr_Format(PyExc_ValueError,
                            "keys or offsets (u64) must be an Array in device memory, as the plan has them");
    const uint64_t segments = keys ? 0 : (uint64_t)by->shape[0] - 1;
    if (!take_run(plan, args, segments, &wanted)) return NULL;
    if (keys && (uint64_t)by->shape[0] != wanted.count)
        return PyErr_Format(PyExc_ValueError, "one key per element is required");
    jr_work_data runs = JR_INIT(jr_work_data, .segments = segments, .offsets = keys ? NULL : by->address,
                                .keys = keys ? by->address : NULL);
    wanted.runs = &runs;
    return pj_plan_look(plan, &wanted) && pj_plan_start(plan, &wanted) ? Py_NewRef(Py_None) : NULL;
}

/* run_many(out, stream, class): of a plan of many arrays; out is None, or an Array for the results. */
static PyObject *run_many(PyObject *self, PyObject *const *args, Py_ssize_t count) {
    pj_plan *plan = (pj_plan *)self;
    const pj_state *state = PyType_GetModuleState(Py_TYPE(self));
    pj_run wanted = {.count = 0};
    if (count != 3) return pj_call_arguments("run_many", 3, count);
    if (plan->layout.kind != JR_SEGMENTS_ARRAYS)
        return PyErr_Format(PyExc_ValueError, "the plan is not of many arrays");
    if (!take_stream(args[1], &wanted.stream)) return NULL;
    const pj_array *out = args[0] == Py_None ? NULL : (const pj_array *)args[0];
    const uint64_t bytes = (plan->layout.array_count + 1) * jr_plan_result_bytes(plan->plan);
    if (out && (Py_TYPE(args[0]) != state->array || out->device.type == DL_CPU || out->readonly ||
                pj_array_bytes(out) < bytes))
        return PyErr_Format(PyExc_ValueError, "results need a writable Array in device memory of at least %llu bytes",
                            (unsigned long long)bytes);
    wanted.out = out ? out->address : NULL;
    if (out) wanted.device = out->device;
    if (PyType_Check(args[2])) wanted.table = pj_exchange_find((pj_state *)state, (PyTypeObject *)args[2]);
    if (PyErr_Occurred() || (wanted.table && !out)) wanted.table = NULL;
    return pj_plan_look(plan, &wanted) && pj_plan_start(plan, &wanted) ? Py_NewRef(Py_None) : NULL;
}

/* captured(stream) */
static PyObject *captured(PyObject *self, PyObject *number) {
    pj_run looked = {.count = 0};
    if (!take_stream(number, &looked.stream) || !pj_plan_look((pj_plan *)self, &looked)) return NULL;
    return PyBool_FromLong(looked.captured);
}

/* value(arrays, stream) */
static PyObject *value(PyObject *self, PyObject *const *args, Py_ssize_t count) {
    pj_plan *plan = (pj_plan *)self;
    pj_run wanted = {.count = 0};
    jr_value values[JR_OPS_MAX];
    if (count != 2) return pj_call_arguments("value", 2, count);
    if (!take_arrays(plan, args[0], &wanted) || !take_stream(args[1], &wanted.stream)) return NULL;
    return pj_plan_wait(plan, &wanted, values) ? pj_plan_numbers(plan, values) : NULL;
}

static PyObject *stats(PyObject *self, PyObject *unused) {
    (void)unused;
    jr_stats made = JR_INIT(jr_stats);
    if (jr_plan_stats(((pj_plan *)self)->plan, &made)) return pj_raise(PyType_GetModuleState(Py_TYPE(self)));
    return pj_context_stats(&made);
}

static PyObject *get_workspaces(PyObject *self, void *unused) {
    const pj_plan *plan = (pj_plan *)self;
    (void)unused;
    PyObject *list = PyList_New(0);
    for (int i = 0; list && i < plan->slot_count; i++) {
        PyObject *pair = Py_BuildValue("(KK)", (unsigned long long)(uintptr_t)plan->slots[i].stream,
                                       (unsigned long long)(uintptr_t)plan->slots[i].workspace);
        if (!pair || PyList_Append(list, pair)) Py_CLEAR(list);
        Py_XDECREF(pair);
    }
    return list;
}

static PyGetSetDef members[] = {
    {"workspaces", get_workspaces, NULL, "(stream, address) each; address 0: memory of the plan.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyMethodDef methods[] = {
    {"run", PJ_FAST(run), METH_FASTCALL, "Puts a run on a stream."},
    {"run_by_key", PJ_FAST(run_by_key), METH_FASTCALL,
     "Enqueues a reduction of runs of equal keys on a stream, and waits for their number unless it has an Array for "
     "it."},
    {"run_by", PJ_FAST(run_by), METH_FASTCALL,
     "Enqueues a run whose segments are between offsets, or runs of keys that are scanned."},
    {"run_many", PJ_FAST(run_many), METH_FASTCALL, "Enqueues a run of a plan of many arrays on a stream."},
    {"value", PJ_FAST(value), METH_FASTCALL, "Runs it, waits, and returns the numbers."},
    {"captured", captured, METH_O, "Whether a stream is being captured."},
    {"stats", stats, METH_NOARGS, "What it cost to make the plan, and its tuning."},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot slots[] = {
    {Py_tp_new, (void *)make_plan},
    {Py_tp_dealloc, (void *)free_plan},
    {Py_tp_getset, members},
    {Py_tp_methods, methods},
    {Py_tp_doc, (void *)"A reduction or scan of device memory, made once."},
    {0, NULL},
};

PyType_Spec pj_plan_spec = PJ_TYPE("Plan", pj_plan, slots, 0);
