/* What is wanted (jr_spec) as an object of Python: Spec(op="sum", type="f32", ...), checked when it is made. */
#include "py_spec.h"

#include <stddef.h>
#include <string.h>

#include "errors.h"
#include "py_number.h"

typedef enum field_kind { FIELD_INT, FIELD_NUMBER, FIELD_TEXT, FIELD_TYPE, FIELD_OP, FIELD_ALGORITHM } field_kind;

/* The members that are their keyword's value alone. */
static const struct field {
    const char *name;
    field_kind kind;
    size_t offset;
} fields[] = {
#define FIELD(member, kind)                                                                                            \
    { #member, kind, offsetof(jr_spec, member) }
    FIELD(op, FIELD_OP),           FIELD(type, FIELD_TYPE),      FIELD(algorithm, FIELD_ALGORITHM),
    FIELD(unroll, FIELD_INT),      FIELD(block, FIELD_INT),      FIELD(grid, FIELD_INT),
    FIELD(accumulate, FIELD_TYPE), FIELD(result, FIELD_TYPE),    FIELD(nan, FIELD_INT),
    FIELD(ddof, FIELD_NUMBER),     FIELD(combine, FIELD_TEXT),   FIELD(identity, FIELD_TEXT),
    FIELD(map, FIELD_TEXT),        FIELD(map_type, FIELD_TYPE),  FIELD(where, FIELD_TEXT),
    FIELD(accuracy, FIELD_INT),    FIELD(finish, FIELD_TEXT),    FIELD(commutative, FIELD_INT),
    FIELD(input_count, FIELD_INT), FIELD(kept, FIELD_INT),       FIELD(apply, FIELD_TEXT),
    FIELD(apply_type, FIELD_TYPE), FIELD(row_inputs, FIELD_INT),
#undef FIELD
};

/* The text of a str, which the spec keeps; NULL with an exception. */
static const char *take_text(pj_spec *spec, PyObject *text) {
    Py_ssize_t bytes;
    const char *utf8 = PyUnicode_Check(text) ? PyUnicode_AsUTF8AndSize(text, &bytes) : NULL;
    if (!utf8) return pj_raise_shown(PyExc_TypeError, text, "%U is not a text", NULL), NULL;
    if (strlen(utf8) != (size_t)bytes) {
        PyErr_SetString(PyExc_ValueError, "an expression must not contain a null character");
        return NULL;
    }
    return PyList_Append(spec->texts, text) ? NULL : utf8;
}

/* Writes the number of what a name names: a type, an operator or an algorithm. */
static bool take_name(pj_spec *spec, field_kind kind, PyObject *name, void *to) {
    const char *text = take_text(spec, name);
    if (!text) return false;
    jr_status status = kind == FIELD_TYPE ? jr_type_find(text, to)
                       : kind == FIELD_OP ? jr_op_find(text, to)
                                          : jr_algorithm_find(text, to);
    if (status) PyErr_Format(PyExc_ValueError, "%s", jr_last_error()->message);
    return status == JR_OK;
}

/* Members whose bytes are written as an int's. */
_Static_assert(sizeof(jr_accuracy) == sizeof(int), "jr_accuracy is no int");

/* A number that was not taken: the exception names the member and its value. */
static bool refuse_number(const struct field *field, PyObject *value) {
    const char *name = strcmp(field->name, "ddof") == 0 ? "correction" : field->name;
    bool large = PyErr_Occurred() && PyErr_ExceptionMatches(PyExc_OverflowError);
    const char *why = field->kind == FIELD_NUMBER ? "is not a number" : "is not an integer";
    PyObject *shown = pj_shown(value);
    if (shown)
        PyErr_Format(large ? PyExc_OverflowError : PyExc_TypeError, "%s=%U %s", name, shown,
                     large ? "does not fit into 32 bits" : why);
    Py_XDECREF(shown);
    return false;
}

static bool take_field(pj_spec *spec, const struct field *field, PyObject *value) {
    char *to = (char *)&spec->spec + field->offset;
    if (field->kind == FIELD_TEXT) {
        const char *text = take_text(spec, value);
        memcpy(to, &text, sizeof text);
        return text != NULL;
    }
    if (field->kind == FIELD_NUMBER) {
        double number = PyFloat_AsDouble(value);
        memcpy(to, &number, sizeof number);
        return !PyErr_Occurred() || refuse_number(field, value);
    }
    if (field->kind != FIELD_INT) return take_name(spec, field->kind, value, to);
    long number = PyLong_AsLong(value);
    if (!PyErr_Occurred() && (int)number != number) PyErr_SetNone(PyExc_OverflowError);
    memcpy(to, &(int){(int)number}, sizeof(int));
    return !PyErr_Occurred() || refuse_number(field, value);
}

static bool take_ops(pj_spec *spec, PyObject *names) {
    Py_ssize_t count = PyTuple_Size(names);
    if (count > JR_OPS_MAX) PyErr_Format(PyExc_ValueError, "%zd operators; at most %d are possible", count, JR_OPS_MAX);
    for (Py_ssize_t i = 0; i < count && !PyErr_Occurred(); i++)
        (void)take_name(spec, FIELD_OP, PyTuple_GetItem(names, i), &spec->ops[i]);
    spec->spec.ops = spec->ops;
    spec->spec.op_count = (int)count;
    return !PyErr_Occurred();
}

static bool take_more_types(pj_spec *spec, PyObject *names) {
    Py_ssize_t count = PyTuple_Size(names);
    if (count > JR_INPUTS_MAX - 1) PyErr_Format(PyExc_ValueError, "at most %d arrays are possible", JR_INPUTS_MAX);
    for (Py_ssize_t i = 0; i < count && !PyErr_Occurred(); i++)
        (void)take_name(spec, FIELD_TYPE, PyTuple_GetItem(names, i), &spec->spec.more_types[i]);
    return !PyErr_Occurred();
}

/* (type, number) */
static bool take_value(PyObject *pair, jr_value *value) {
    PyObject *name, *number;
    jr_type type;
    return PyArg_ParseTuple(pair, "UO", &name, &number) && pj_type_find(name, &type) &&
           pj_value_of(type, number, value);
}

/* (name, text, bytes, alignment): the struct that `map` makes, and its functions for expressions. */
static bool take_structure(pj_spec *spec, PyObject *members) {
    PyObject *name, *source;
    unsigned long long bytes, alignment;
    if (!PyArg_ParseTuple(members, "UUKK", &name, &source, &bytes, &alignment)) return false;
    spec->structure.name = take_text(spec, name);
    spec->structure.source = take_text(spec, source);
    spec->structure.bytes = bytes;
    spec->structure.alignment = alignment;
    spec->spec.structure = &spec->structure;
    spec->spec.map_type = JR_STRUCT;
    return spec->structure.name && spec->structure.source;
}

static bool take_initial(pj_spec *spec, PyObject *pair) {
    spec->spec.initial = &spec->initial;
    return take_value(pair, &spec->initial);
}

/* ((name, (type, number)), ...) */
static bool take_parameters(pj_spec *spec, PyObject *pairs) {
    Py_ssize_t count = PyTuple_Size(pairs);
    if (count > JR_PARAMETERS_MAX) PyErr_Format(PyExc_ValueError, "%d parameters are the most", JR_PARAMETERS_MAX);
    for (Py_ssize_t i = 0; i < count && !PyErr_Occurred(); i++) {
        PyObject *name, *pair;
        jr_parameter *parameter = &spec->parameters[i];
        if (PyArg_ParseTuple(PyTuple_GetItem(pairs, i), "UO!", &name, &PyTuple_Type, &pair) &&
            take_value(pair, &parameter->value))
            parameter->name = take_text(spec, name);
    }
    spec->spec.parameters = count > 0 ? spec->parameters : NULL;
    spec->spec.parameter_count = (int)count;
    return !PyErr_Occurred();
}

/* The keywords whose values are tuples. */
static const struct list {
    const char *name;
    bool (*take)(pj_spec *spec, PyObject *tuple);
} lists[] = {
    {"ops", take_ops},
    {"more_types", take_more_types},
    {"initial", take_initial},
    {"parameters", take_parameters},
    {"structure", take_structure},
};

static bool take(pj_spec *spec, PyObject *name, PyObject *value) {
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        if (PyUnicode_CompareWithASCIIString(name, fields[i].name) == 0) return take_field(spec, &fields[i], value);
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        if (PyUnicode_CompareWithASCIIString(name, lists[i].name) != 0) continue;
        if (PyTuple_Check(value)) return lists[i].take(spec, value);
        return pj_raise_shown(PyExc_TypeError, value, "%U is not a tuple, which the member %s requires",
                              lists[i].name) != NULL;
    }
    return pj_raise_shown(PyExc_TypeError, name, "unknown argument %U", NULL) != NULL;
}

static PyObject *make_spec(PyTypeObject *type, PyObject *args, PyObject *keywords) {
    pj_spec *made = (pj_spec *)((allocfunc)PyType_GetSlot(type, Py_tp_alloc))(type, 0);
    if (!made) return NULL;
    made->spec = JR_INIT(jr_spec);
    made->structure = JR_INIT(jr_structure);
    made->layout = JR_INIT(jr_result_layout);
    made->texts = PyList_New(0);
    PyObject *name, *value;
    Py_ssize_t at = 0;
    bool fine = made->texts && PyArg_ParseTuple(args, ":Spec");
    while (fine && keywords && PyDict_Next(keywords, &at, &name, &value)) fine = take(made, name, value);
    if (fine && jr_result_layout_of(&made->spec, &made->layout)) fine = pj_raise(PyType_GetModuleState(type)) != NULL;
    if (fine) return (PyObject *)made;
    Py_DECREF((PyObject *)made);
    return NULL;
}

static void free_spec(PyObject *self) {
    PyTypeObject *type = Py_TYPE(self);
    Py_XDECREF(((pj_spec *)self)->texts);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DECREF(type);
}

static PyObject *get_types(PyObject *self, void *unused) {
    (void)unused;
    const jr_result_layout *layout = &((pj_spec *)self)->layout;
    PyObject *tuple = PyTuple_New(layout->count);
    for (int i = 0; tuple && i < layout->count; i++)
        if (PyTuple_SetItem(tuple, i, PyUnicode_FromString(jr_type_name(layout->types[i])))) Py_CLEAR(tuple);
    return tuple;
}

static PyObject *get_offsets(PyObject *self, void *unused) {
    (void)unused;
    const jr_result_layout *layout = &((pj_spec *)self)->layout;
    PyObject *tuple = PyTuple_New(layout->count);
    for (int i = 0; tuple && i < layout->count; i++)
        if (PyTuple_SetItem(tuple, i, PyLong_FromSize_t(layout->offsets[i]))) Py_CLEAR(tuple);
    return tuple;
}

static PyObject *get_bytes(PyObject *self, void *unused) {
    (void)unused;
    return PyLong_FromSize_t(((pj_spec *)self)->layout.bytes);
}

/* What C takes in another way than it was meant, as a quotient of whole numbers that is cut. */
static PyObject *foresee(PyObject *self, PyObject *elements) {
    unsigned flags = 0;
    char note[512] = "";
    const uint64_t count = PyLong_AsUnsignedLongLong(elements);
    if (PyErr_Occurred()) return NULL;
    if (jr_reduce_foresee(&((pj_spec *)self)->spec, NULL, count, &flags, note, sizeof note))
        return pj_raise(PyType_GetModuleState(Py_TYPE(self)));
    return PyUnicode_FromString(note);
}

static PyGetSetDef members[] = {
    {"offsets", get_offsets, NULL, "The byte at which the result of each operator begins.", NULL},
    {"bytes", get_bytes, NULL, "The bytes of the results of all operators together.", NULL},
    {"types", get_types, NULL, "The types of the results.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyMethodDef methods[] = {
    {"foresee", foresee, METH_O,
     "What C takes of so many elements in another way than it was meant: a sentence or \"\"."},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot slots[] = {
    {Py_tp_new, (void *)make_spec},
    {Py_tp_dealloc, (void *)free_spec},
    {Py_tp_getset, members},
    {Py_tp_methods, methods},
    {Py_tp_doc, (void *)"The description of a reduction or scan, checked."},
    {0, NULL},
};

PyType_Spec pj_spec_spec = PJ_TYPE("Spec", pj_spec, slots, 0);
