/* DLPack's exchange tables of classes of arrays, and DLPack's names of types; exports arrays by DLPack. */
#include "py_exchange.h"

#include <stdlib.h>

#include "array.h"

static const struct {
    uint8_t code, bits;
    jr_type type;
} types[] = {
    {DL_INT, 8, JR_I8},     {DL_INT, 16, JR_I16},    {DL_INT, 32, JR_I32},   {DL_INT, 64, JR_I64},
    {DL_UINT, 8, JR_U8},    {DL_UINT, 16, JR_U16},   {DL_UINT, 32, JR_U32},  {DL_UINT, 64, JR_U64},
    {DL_FLOAT, 16, JR_F16}, {DL_FLOAT, 32, JR_F32},  {DL_FLOAT, 64, JR_F64}, {DL_BFLOAT, 16, JR_BF16},
    {DL_BOOL, 8, JR_BOOL},  {DL_E4M3FN, 8, JR_E4M3}, {DL_E5M2, 8, JR_E5M2},
};

enum { TYPE_COUNT = sizeof types / sizeof *types };

jr_type pj_exchange_type(dl_type type) {
    for (int i = 0; i < TYPE_COUNT && type.lanes == 1; i++)
        if (types[i].code == type.code && types[i].bits == type.bits) return types[i].type;
    return JR_TYPE_NONE;
}

dl_type pj_exchange_type_of(jr_type type) {
    for (int i = 0; i < TYPE_COUNT; i++)
        if (types[i].type == type) return (dl_type){types[i].code, types[i].bits, 1};
    return (dl_type){0, 0, 0};
}

void *pj_exchange_type_wrong(dl_type type) {
    static const char *const kinds[] = {"int",
                                        "uint",
                                        "float",
                                        "opaque",
                                        "bfloat",
                                        "complex",
                                        "bool",
                                        "float8_e3m4",
                                        "float8_e4m3",
                                        "float8_e4m3b11fnuz",
                                        "float8_e4m3fn",
                                        "float8_e4m3fnuz",
                                        "float8_e5m2",
                                        "float8_e5m2fnuz",
                                        "float8_e8m0fnu",
                                        "float6_e2m3fn",
                                        "float6_e3m2fn",
                                        "float4_e2m1fn"};
    const char *kind = type.code < sizeof kinds / sizeof *kinds ? kinds[type.code] : "unknown";
    return PyErr_Format(PyExc_TypeError,
                        type.lanes > 1
                            ? "elements of %s with %d bits are vectors of %d numbers, which cannot be reduced"
                            : "elements of %s with %d bits cannot be reduced: supported are "
                              "integers, booleans, floats of 16 to 64 bits, bfloat16, "
                              "float8_e4m3fn and float8_e5m2",
                        kind, (int)type.bits, (int)type.lanes);
}

/* The table itself, or an older one that is of our version; NULL with an exception. */
static const dl_exchange *check(const dl_exchange *table, PyTypeObject *type) {
    const dl_exchange *found = table;
    while (found && found->version.major != DL_MAJOR) found = found->older;
    if (!found && table)
        PyErr_Format(PyExc_TypeError, "%R exchanges arrays in version %u of DLPack; jitreduce knows version %d", type,
                     table->version.major, DL_MAJOR);
    return found;
}

static const dl_exchange *look(PyTypeObject *type) {
    PyObject *told = PyObject_GetAttrString((PyObject *)type, "__dlpack_c_exchange_api__");
    if (!told) {
        PyErr_Clear();
        return NULL;
    }
    const dl_exchange *table = NULL;
    if (PyCapsule_IsValid(told, "dlpack_exchange_api"))
        table = PyCapsule_GetPointer(told, "dlpack_exchange_api");
    else if (PyLong_Check(told))
        table = PyLong_AsVoidPtr(told);
    else
        PyErr_Format(PyExc_TypeError,
                     "%R has a __dlpack_c_exchange_api__ that is not a capsule \"dlpack_exchange_api\"", type);
    Py_DECREF(told);
    return table ? check(table, type) : NULL;
}

/* Is a class one that a library names as its own? */
static bool is_of(PyTypeObject *type, const char *library) {
    PyObject *module = PyObject_GetAttrString((PyObject *)type, "__module__");
    const bool is = module && PyUnicode_Check(module) && PyUnicode_CompareWithASCIIString(module, library) == 0;
    PyErr_Clear();
    Py_XDECREF(module);
    return is;
}

const pj_class *pj_class_find(pj_state *state, PyTypeObject *type) {
    for (int i = 0; i < PJ_CLASSES; i++)
        if (state->classes[i].type == type) return &state->classes[i];
    const dl_exchange *table = look(type);
    if (PyErr_Occurred()) return NULL;
    pj_class found = {(PyTypeObject *)Py_NewRef((PyObject *)type), table, !table && is_of(type, "cupy"),
                      table && is_of(type, "torch")};
    pj_class *place = &state->classes[state->class_next++ % PJ_CLASSES];
    PyTypeObject *old = place->type;
    *place = found;
    Py_XDECREF((PyObject *)old);
    return place;
}

const dl_exchange *pj_exchange_find(pj_state *state, PyTypeObject *type) {
    const pj_class *found = pj_class_find(state, type);
    return found ? found->table : NULL;
}

PyObject *pj_exchange_has(PyObject *module, PyObject *type) {
    if (!PyType_Check(type)) return PyErr_Format(PyExc_TypeError, "%R is no class", type);
    const dl_exchange *table = pj_exchange_find(PyModule_GetState(module), (PyTypeObject *)type);
    return PyErr_Occurred() ? NULL : PyBool_FromLong(table != NULL);
}

void pj_exchange_forget(pj_state *state) {
    for (int i = 0; i < PJ_CLASSES; i++) {
        PyTypeObject *type = state->classes[i].type;
        state->classes[i] = (pj_class){.type = NULL};
        Py_XDECREF((PyObject *)type);
    }
    for (int i = 0; i < PJ_DTYPES; i++) Py_CLEAR(state->dtypes[i].dtype);
    Py_CLEAR(state->cupy_init);
    PyTypeObject *made = state->cupy_made;
    state->cupy_made = NULL;
    Py_XDECREF((PyObject *)made);
}

static void fail(void *context, const char *kind, const char *message) {
    (void)context;
    if (!PyErr_Occurred()) PyErr_Format(PyExc_RuntimeError, "%s: %s", kind, message);
}

dl_managed *pj_exchange_allocate(const dl_exchange *table, jr_type type, dl_device device, int dimensions,
                                 int64_t *shape) {
    dl_tensor like = {.device = device, .dimensions = dimensions, .type = pj_exchange_type_of(type), .shape = shape};
    dl_managed *made = NULL;
    if (table->allocate(&like, &made, NULL, fail) == 0 && made) return made;
    if (!PyErr_Occurred()) PyErr_SetString(PyExc_MemoryError, "the array library could not allocate the results");
    return NULL;
}

void pj_exchange_release(dl_managed *managed) {
    if (managed && managed->deleter) managed->deleter(managed);
}

PyObject *pj_exchange_import(const dl_exchange *table, dl_managed *managed) {
    void *object = NULL;
    if (table->import(managed, &object) == 0 && object) return object;
    if (!PyErr_Occurred()) PyErr_SetString(PyExc_RuntimeError, "the array library could not take the results");
    return NULL;
}

typedef struct exported {
    dl_managed managed;
    dl_legacy legacy;
    PyObject *array;
    int64_t sizes[2 * PJ_DIMENSIONS_MAX];
} exported;

/* Whoever lets go of it need not have the GIL; some do when Python has ended, and its memory is the system's again. */
static void release(exported *gone) {
    if (!Py_IsInitialized()) return;
    PyGILState_STATE had = PyGILState_Ensure();
    Py_DECREF(gone->array);
    PyGILState_Release(had);
    free(gone);
}

static void release_managed(dl_managed *managed) {
    release(managed->self);
}

static void release_legacy(dl_legacy *managed) {
    release(managed->self);
}

/* A capsule that nobody used. */
static void drop(PyObject *capsule) {
    if (PyCapsule_IsValid(capsule, "dltensor_versioned"))
        release_managed(PyCapsule_GetPointer(capsule, "dltensor_versioned"));
    else if (PyCapsule_IsValid(capsule, "dltensor"))
        release_legacy(PyCapsule_GetPointer(capsule, "dltensor"));
}

static dl_tensor tensor_of(const pj_array *array, int64_t *sizes) {
    int64_t bytes = (int64_t)jr_type_size(array->type);
    for (int i = 0; i < array->dimensions; i++) {
        sizes[i] = array->shape[i];
        sizes[array->dimensions + i] = array->strides[i] / bytes;
    }
    return (dl_tensor){.data = array->address,
                       .device = array->device,
                       .dimensions = array->dimensions,
                       .type = pj_exchange_type_of(array->type),
                       .shape = sizes,
                       .strides = sizes + array->dimensions};
}

static exported *make(PyObject *self) {
    const pj_array *array = (const pj_array *)self;
    exported *made = calloc(1, sizeof *made);
    if (!made) {
        PyErr_NoMemory();
        return NULL;
    }
    dl_tensor tensor = tensor_of(array, made->sizes);
    made->managed = (dl_managed){.version = {DL_MAJOR, DL_MINOR},
                                 .self = made,
                                 .deleter = release_managed,
                                 .flags = array->readonly ? DL_READ_ONLY : 0,
                                 .tensor = tensor};
    made->legacy = (dl_legacy){.tensor = tensor, .self = made, .deleter = release_legacy};
    made->array = Py_NewRef(self);
    return made;
}

PyObject *pj_export_capsule(PyObject *self, PyObject *versioned) {
    int is_versioned = PyObject_IsTrue(versioned);
    if (is_versioned < 0) return NULL;
    if (!is_versioned && ((const pj_array *)self)->readonly) {
        PyErr_SetString(PyExc_BufferError, "the array is read-only, which DLPack before version 1 cannot express");
        return NULL;
    }
    exported *made = make(self);
    if (!made) return NULL;
    PyObject *capsule = is_versioned ? PyCapsule_New(&made->managed, "dltensor_versioned", drop)
                                     : PyCapsule_New(&made->legacy, "dltensor", drop);
    if (!capsule) release(made);
    return capsule;
}

PyObject *pj_export_as(PyObject *self, PyObject *class) {
    pj_state *state = PyType_GetModuleState(Py_TYPE(self));
    const dl_exchange *table = PyType_Check(class) ? pj_exchange_find(state, (PyTypeObject *)class) : NULL;
    if (!table || !table->import)
        return PyErr_Occurred() ? NULL : PyErr_Format(PyExc_TypeError, "%R takes no arrays of others", class);
    exported *made = make(self);
    return made ? pj_exchange_import(table, &made->managed) : NULL;
}
