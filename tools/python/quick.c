/* A function of the package by its name, with two ways that run no Python code. The short way is for a reduction of one
 * array in C order, alone or with value=True, of a class with DLPack's exchange table, after an earlier call with an
 * array of the same type on the same device: its plan is known, whatever the shape. The other way replays calls that
 * were recorded, with all arguments as they are now (call_record.h). CuPy's arrays, whose class has no table, have a
 * short way in Python (_cupy.py). All other calls go to the Python function. */
#include "quick.h"

#include <stddef.h>
#include <structmember.h>

#include "call_replay.h"
#include "named.h"

enum { KNOWN = 8 };

/* What arrays of a kind are reduced by. */
typedef struct pj_known {
    dl_type type;
    dl_device device;
    pj_record *record; /* NULL: none */
} pj_known;

typedef struct pj_quick {
    pj_named as;        /* what it looks like */
    PyObject *prepare;  /* prepare(array) -> Plan or None; None: no array alone has a result of one number */
    PyObject *value;    /* "value" */
    PyObject *cupy_way; /* cupy_way(array, value) -> the result or None */
    PyTypeObject *seen; /* the class without a table that came last */
    bool is_cupys;      /* is it CuPy's? */
    pj_known known[KNOWN];
    unsigned next;
    pj_records records; /* of all other calls */
} pj_quick;

/* ---- arrays of others' ---- */

static bool is_c_ordered(const dl_tensor *tensor, uint64_t *count) {
    uint64_t next = 1;
    bool fine = true;
    for (int i = tensor->dimensions - 1; i >= 0; next *= (uint64_t)tensor->shape[i], i--)
        if (tensor->strides && tensor->shape[i] != 1 && tensor->strides[i] != (int64_t)next) fine = false;
    *count = next;
    return fine && next > 0;
}

static bool is_same(const pj_known *known, const dl_tensor *tensor, unsigned generation) {
    return known->record && known->record->generation == generation && known->type.code == tensor->type.code &&
           known->type.bits == tensor->type.bits && known->type.lanes == tensor->type.lanes &&
           known->device.type == tensor->device.type && known->device.id == tensor->device.id;
}

static pj_record *find(pj_quick *quick, const dl_tensor *tensor, unsigned generation) {
    for (int i = 0; i < KNOWN; i++)
        if (is_same(&quick->known[i], tensor, generation)) return quick->known[i].record;
    return NULL;
}

/* Asks the Python layer for a plan, and remembers it. NULL: it has no plan, or an exception is set. */
static pj_record *learn(pj_quick *quick, PyObject *array, const dl_tensor *tensor) {
    const pj_state *state = PyType_GetModuleState(Py_TYPE((PyObject *)quick));
    dl_type type = tensor->type;
    dl_device device = tensor->device;
    PyObject *made = PyObject_CallFunctionObjArgs(quick->prepare, array, NULL);
    pj_record *record =
        made && Py_TYPE(made) == state->plan ? pj_record_of_plan((pj_plan *)made, state->generation) : NULL;
    Py_XDECREF(made);
    if (!record) return NULL;
    pj_known *place = &quick->known[quick->next++ % KNOWN];
    pj_record *old = place->record;
    *place = (pj_known){type, device, record};
    pj_record_leave(old);
    return record;
}

/* ---- the short way ---- */

static PyObject *value_of(pj_plan *plan, const pj_run *run) {
    jr_value values[JR_OPS_MAX];
    return pj_plan_wait(plan, run, values) ? pj_plan_numbers(plan, values) : NULL;
}

/* An array of the class for a result. In a capture each has memory of its own, which goes into the graph. */
static dl_managed *make_result(pj_record *record, const pj_run *run) {
    const pj_site site = {run->table, run->device, run->stream};
    return run->captured ? pj_exchange_allocate(run->table, record->form.part[0].type, run->device, 0, NULL)
                         : pj_places_take(&record->places, &record->form, &site);
}

static PyObject *array_of(pj_record *record, pj_run *run) {
    pj_plan *plan = record->plan;
    dl_managed *result = pj_plan_look(plan, run) ? make_result(record, run) : NULL;
    if (!result) return NULL;
    run->out = (char *)result->tensor.data + result->tensor.offset_bytes;
    if (pj_plan_start(plan, run)) return pj_exchange_import(run->table, result);
    pj_exchange_release(result);
    return NULL;
}

/* On the stream on which the class works now. */
static PyObject *run_on_current(pj_record *record, pj_run *run, bool value) {
    void *stream = NULL;
    if (run->table->current_stream((dl_device_type)run->device.type, run->device.id, &stream) != 0) return NULL;
    run->stream = (uintptr_t)stream == 1 ? NULL : stream;
    return value ? value_of(record->plan, run) : array_of(record, run);
}

/* The result; NULL without an exception: it is the function's. */
static PyObject *go(pj_quick *quick, const dl_exchange *table, PyObject *array, bool value) {
    const pj_state *state = PyType_GetModuleState(Py_TYPE((PyObject *)quick));
    dl_tensor tensor;
    pj_run run = {.table = table};
    if (table->borrow(array, &tensor) != 0) {
        PyErr_Clear(); /* the function says what is wrong */
        return NULL;
    }
    if (tensor.device.type == DL_CPU || !is_c_ordered(&tensor, &run.count)) return NULL;
    run.data[0] = (char *)tensor.data + tensor.offset_bytes;
    run.device = tensor.device;
    pj_record *record = find(quick, &tensor, state->generation);
    if (!record) record = learn(quick, array, &tensor);
    if (!record) return NULL;
    record->users++; /* other threads may put another one into its place */
    PyObject *result = run_on_current(record, &run, value);
    pj_record_leave(record);
    return result;
}

/* Is a class without a table CuPy's own? */
static bool is_cupys(pj_quick *quick, PyTypeObject *type) {
    if (quick->seen == type) return quick->is_cupys;
    PyObject *module = PyObject_GetAttrString((PyObject *)type, "__module__");
    const bool is = module && PyUnicode_Check(module) && PyUnicode_CompareWithASCIIString(module, "cupy") == 0;
    PyErr_Clear();
    Py_XDECREF(module);
    PyTypeObject *old = quick->seen;
    quick->is_cupys = is;
    quick->seen = (PyTypeObject *)Py_NewRef((PyObject *)type);
    Py_XDECREF((PyObject *)old);
    return is;
}

/* The result; NULL without an exception: it is the function's. */
static PyObject *go_cupys(pj_quick *quick, PyObject *array, bool value) {
    PyObject *result = PyObject_CallFunctionObjArgs(quick->cupy_way, array, value ? Py_True : Py_False, NULL);
    if (result != Py_None) return result;
    Py_DECREF(result);
    return NULL;
}

/* The result of an array alone; NULL without an exception: it is the function's. */
static PyObject *go_short(pj_quick *quick, PyObject *array, bool value) {
    if (quick->prepare == Py_None) return NULL;
    const dl_exchange *table = pj_exchange_find(PyType_GetModuleState(Py_TYPE((PyObject *)quick)), Py_TYPE(array));
    if (table && table->borrow && table->current_stream && table->allocate && table->import)
        return go(quick, table, array, value);
    return !table && !PyErr_Occurred() && is_cupys(quick, Py_TYPE(array)) ? go_cupys(quick, array, value) : NULL;
}

/* ---- recorded calls ---- */

static PyObject *call_function(const pj_quick *quick, const pj_arguments *given) {
    return pj_vector_call(quick->as.function, given->values, given->count, given->names);
}

/* Replays the call, or has the function run, and recorded where no record fits. */
static PyObject *go_recorded(pj_quick *quick, const pj_arguments *given) {
    pj_state *state = PyType_GetModuleState(Py_TYPE((PyObject *)quick));
    pj_key key;
    if (!pj_key_make(state, given, &key)) return call_function(quick, given);
    pj_record *record = pj_records_find(&quick->records, &key, state->generation);
    if (!record) return pj_records_call(state, &quick->records, quick->as.function, given, &key);
    PyObject *result = pj_replay(record, &key);
    pj_record_leave(record);
    return result || PyErr_Occurred() ? result : call_function(quick, given);
}

/* ---- calls ---- */

/* Is it f(x) or f(x, value=True)? */
static bool is_short(const pj_quick *quick, PyObject *const *args, PyObject *names, bool *value) {
    const Py_ssize_t count = names ? PyTuple_Size(names) : 0;
    *value = count == 1 && args[1] == Py_True && PyUnicode_Compare(PyTuple_GetItem(names, 0), quick->value) == 0;
    return count == 0 || *value;
}

static PyObject *call_vector(PyObject *self, PyObject *const *args, size_t counted, PyObject *names) {
    pj_quick *quick = (pj_quick *)self;
    const pj_arguments given = {args, pj_vector_count(counted), names};
    bool value;
    if (given.count == 1 && is_short(quick, args, names, &value)) {
        PyObject *result = go_short(quick, args[0], value);
        if (result || PyErr_Occurred()) return result;
    }
    return go_recorded(quick, &given);
}

/* Of callers that do not know vectors. */
static PyObject *call(PyObject *self, PyObject *args, PyObject *keywords) {
    return PyObject_Call(((pj_quick *)self)->as.function, args, keywords);
}

/* ---- the object ---- */

/* Quick(function, prepare, cupy_way) */
static PyObject *make_quick(PyTypeObject *type, PyObject *args, PyObject *keywords) {
    PyObject *function, *prepare, *cupy_way;
    (void)keywords;
    if (!PyArg_ParseTuple(args, "OOO:Quick", &function, &prepare, &cupy_way)) return NULL;
    pj_quick *made = (pj_quick *)((allocfunc)PyType_GetSlot(type, Py_tp_alloc))(type, 0);
    if (!made) return NULL;
    made->as.vector = call_vector;
    made->as.function = Py_NewRef(function);
    made->prepare = Py_NewRef(prepare);
    made->cupy_way = Py_NewRef(cupy_way);
    made->as.name = PyObject_GetAttrString(function, "__name__");
    made->value = PyUnicode_InternFromString("value");
    if (made->as.name && made->value) return (PyObject *)made;
    Py_DECREF((PyObject *)made);
    return NULL;
}

static void forget_known(pj_quick *quick) {
    for (int i = 0; i < KNOWN; i++) {
        pj_record *old = quick->known[i].record;
        quick->known[i] = (pj_known){.record = NULL};
        pj_record_leave(old);
    }
    pj_records_clear(&quick->records);
}

static void free_quick(PyObject *self) {
    PyTypeObject *type = Py_TYPE(self);
    pj_quick *quick = (pj_quick *)self;
    if (quick->as.weak) PyObject_ClearWeakRefs(self);
    forget_known(quick);
    Py_XDECREF(quick->as.function);
    Py_XDECREF(quick->prepare);
    Py_XDECREF(quick->cupy_way);
    Py_XDECREF((PyObject *)quick->seen);
    Py_XDECREF(quick->as.name);
    Py_XDECREF(quick->value);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DECREF(type);
}

static PyObject *forget(PyObject *self, PyObject *unused) {
    (void)unused;
    forget_known((pj_quick *)self);
    return Py_NewRef(Py_None);
}

static PyMethodDef methods[] = {
    {"__reduce__", pj_named_reduce, METH_NOARGS, "Its name."},
    {"_forget", forget, METH_NOARGS, "Forgets its plans."},
    {NULL, NULL, 0, NULL},
};

static PyMemberDef members[] = {
    {"__vectorcalloffset__", T_PYSSIZET, offsetof(pj_quick, as.vector), READONLY, NULL},
    {"__weaklistoffset__", T_PYSSIZET, offsetof(pj_quick, as.weak), READONLY, NULL},
    {NULL, 0, 0, 0, NULL},
};

static PyType_Slot slots[] = {
    {Py_tp_new, (void *)make_quick},
    {Py_tp_dealloc, (void *)free_quick},
    {Py_tp_call, (void *)call},
    {Py_tp_repr, (void *)pj_named_show},
    {Py_tp_getattro, (void *)pj_named_get},
    {Py_tp_descr_get, (void *)pj_named_bind},
    {Py_tp_methods, methods},
    {Py_tp_members, members},
    {Py_tp_getset, pj_named_texts},
    {0, NULL},
};

PyType_Spec pj_quick_spec = {
    .name = "jitreduce._jitreduce.Quick",
    .basicsize = (int)sizeof(pj_quick),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE | PJ_HAS_VECTOR,
    .slots = slots,
};

PyObject *pj_quick_forget(PyObject *module, PyObject *unused) {
    (void)unused;
    ((pj_state *)PyModule_GetState(module))->generation++;
    return Py_NewRef(Py_None);
}
