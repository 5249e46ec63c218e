/* A function of the package by its name, with two ways that run no Python code. The short way is for a reduction of one
 * array in C order, alone or with value=True, after an earlier call with an array of the same type on the same device:
 * its plan is known, whatever the shape. The other way replays calls that were recorded, with all arguments as they are
 * now (call_record.h). All other calls go to the Python function. */
#include "quick.h"

#include <stddef.h>
#include <structmember.h>

#include "call_replay.h"
#include "named.h"

enum { KNOWN = 8 };

/* What arrays of a kind are reduced by. */
typedef struct pj_known {
    pj_source source;
    dl_type type;
    dl_device device;
    pj_record *record; /* NULL: none */
} pj_known;

typedef struct pj_quick {
    pj_named as;       /* what it looks like */
    PyObject *prepare; /* prepare(array) -> (Plan, Context) or None; None: no array alone has a result of one number */
    pj_known known[KNOWN];
    unsigned next;
    pj_records records; /* of all other calls */
} pj_quick;

/* ---- the short way ---- */

static bool is_c_ordered(const pj_seen *seen) {
    int64_t next = 1;
    for (int i = seen->dimensions - 1; i >= 0; next *= seen->shape[i], i--)
        if (seen->shape[i] != 1 && seen->strides[i] != next) return false;
    return true;
}

static bool is_same(const pj_known *known, const pj_seen *seen, unsigned generation) {
    return known->record && known->record->generation == generation && known->source == seen->source &&
           known->type.code == seen->type.code && known->type.bits == seen->type.bits &&
           known->type.lanes == seen->type.lanes && known->device.type == seen->device.type &&
           known->device.id == seen->device.id;
}

static pj_record *find(pj_quick *quick, const pj_seen *seen, unsigned generation) {
    for (int i = 0; i < KNOWN; i++)
        if (is_same(&quick->known[i], seen, generation)) return quick->known[i].record;
    return NULL;
}

static pj_record *record_of(const pj_state *state, PyObject *prepared) {
    PyObject *plan, *owner;
    if (!PyTuple_Check(prepared) || !PyArg_ParseTuple(prepared, "O!O", state->plan, &plan, &owner)) return NULL;
    pj_record *record = pj_record_of_plan((pj_plan *)plan, state->generation);
    if (record) record->owner = Py_NewRef(owner);
    return record;
}

/* Asks the Python layer for a plan, and remembers it. NULL: it has no plan, or an exception is set. */
static pj_record *learn(const pj_state *state, pj_quick *quick, const pj_seen *seen) {
    PyObject *prepared = PyObject_CallFunctionObjArgs(quick->prepare, seen->object, NULL);
    pj_record *record = prepared ? record_of(state, prepared) : NULL;
    Py_XDECREF(prepared);
    if (!record) return NULL;
    pj_known *place = &quick->known[quick->next++ % KNOWN];
    pj_record *old = place->record;
    *place = (pj_known){seen->source, seen->type, seen->device, record};
    pj_record_leave(old);
    return record;
}

/* The result of an array alone; NULL without an exception: it is the function's. */
static PyObject *go_short(pj_state *state, pj_quick *quick, PyObject *array, bool value) {
    pj_key key;
    if (quick->prepare == Py_None || !pj_key_of_one(state, array, &key) || !is_c_ordered(&key.arrays[0])) return NULL;
    pj_record *record = find(quick, &key.arrays[0], state->generation);
    if (!record) record = learn(state, quick, &key.arrays[0]);
    if (!record) return NULL;
    record->users++; /* other threads may put another one into its place */
    PyObject *result = pj_replay(state, record, &key, value ? PJ_VALUE : PJ_NEW);
    pj_record_leave(record);
    return result;
}

/* ---- recorded calls ---- */

static PyObject *call_function(const pj_quick *quick, const pj_arguments *given) {
    return pj_vector_call(quick->as.function, given->values, given->count, given->names);
}

/* Replays the call, or has the function run, and recorded where no record fits. */
static PyObject *go_recorded(pj_state *state, pj_quick *quick, const pj_arguments *given) {
    pj_key key;
    if (!pj_key_make(state, given, &key)) return call_function(quick, given);
    pj_record *record = pj_records_find(&quick->records, &key, state->generation);
    if (!record) return pj_records_call(state, &quick->records, quick->as.function, given, &key);
    PyObject *result = pj_replay(state, record, &key, record->outcome);
    pj_record_leave(record);
    return result || PyErr_Occurred() ? result : call_function(quick, given);
}

/* ---- calls ---- */

/* Is it f(x) or f(x, value=True)? */
static bool is_short(const pj_state *state, PyObject *const *args, PyObject *names, bool *value) {
    const Py_ssize_t count = names ? PyTuple_Size(names) : 0;
    *value = count == 1 && args[1] == Py_True && PyTuple_GetItem(names, 0) == state->names.value;
    return count == 0 || *value;
}

static PyObject *call_vector(PyObject *self, PyObject *const *args, size_t counted, PyObject *names) {
    pj_state *state = PyType_GetModuleState(Py_TYPE(self));
    pj_quick *quick = (pj_quick *)self;
    const pj_arguments given = {.values = args,
                                .count = pj_vector_count(counted),
                                .first = Py_TYPE(self) == state->quick_method,
                                .names = names};
    bool value;
    if (given.count == 1 && given.first == 0 && is_short(state, args, names, &value)) {
        PyObject *result = go_short(state, quick, args[0], value);
        if (result || PyErr_Occurred()) return result;
    }
    return go_recorded(state, quick, &given);
}

/* Of callers that do not know vectors. */
static PyObject *call(PyObject *self, PyObject *args, PyObject *keywords) {
    return PyObject_Call(((pj_quick *)self)->as.function, args, keywords);
}

/* ---- the object ---- */

/* Quick(function, prepare) */
static PyObject *make_quick(PyTypeObject *type, PyObject *args, PyObject *keywords) {
    PyObject *function, *prepare;
    (void)keywords;
    if (!PyArg_ParseTuple(args, "OO:Quick", &function, &prepare)) return NULL;
    pj_quick *made = (pj_quick *)((allocfunc)PyType_GetSlot(type, Py_tp_alloc))(type, 0);
    if (!made) return NULL;
    made->as.vector = call_vector;
    made->as.function = Py_NewRef(function);
    made->prepare = Py_NewRef(prepare);
    made->as.name = PyObject_GetAttrString(function, "__qualname__");
    if (made->as.name) return (PyObject *)made;
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
    Py_XDECREF(quick->as.name);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DECREF(type);
}

static PyObject *forget(PyObject *self, PyObject *unused) {
    (void)unused;
    forget_known((pj_quick *)self);
    return Py_NewRef(Py_None);
}

/* As a member of a class, a method is one of its objects'. */
static PyObject *bind_method(PyObject *self, PyObject *object, PyObject *class) {
    const pj_state *state = PyType_GetModuleState(Py_TYPE(self));
    (void)class;
    return object ? PyObject_CallFunctionObjArgs(state->method, self, object, NULL) : Py_NewRef(self);
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

#define COMMON                                                                                                         \
    {Py_tp_new, (void *)make_quick}, {Py_tp_dealloc, (void *)free_quick}, {Py_tp_call, (void *)call},                  \
        {Py_tp_repr, (void *)pj_named_show}, {Py_tp_getattro, (void *)pj_named_get}, {Py_tp_methods, methods},         \
        {Py_tp_members, members}, {Py_tp_getset, pj_named_texts}, {                                                    \
        0, NULL                                                                                                        \
    }

static PyType_Slot slots[] = {{Py_tp_descr_get, (void *)pj_named_bind}, COMMON};
static PyType_Slot method_slots[] = {{Py_tp_descr_get, (void *)bind_method}, COMMON};

PyType_Spec pj_quick_spec = PJ_TYPE("Quick", pj_quick, slots, PJ_HAS_VECTOR);

/* With the flag, Python calls it with the object as the first argument, and makes no bound method. */
PyType_Spec pj_quick_method_spec =
    PJ_TYPE("QuickMethod", pj_quick, method_slots, PJ_HAS_VECTOR | Py_TPFLAGS_METHOD_DESCRIPTOR);

PyObject *pj_quick_forget(PyObject *module, PyObject *unused) {
    (void)unused;
    ((pj_state *)PyModule_GetState(module))->generation++;
    return Py_NewRef(Py_None);
}
