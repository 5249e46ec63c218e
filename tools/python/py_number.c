/* Numbers of Python and values of the library: whole numbers stay exact, floats go by the library's one rule. */
#include "py_number.h"

#include <string.h>

#include "errors.h"
#include "words.h"

static long long signed_of(const jr_value *value) {
    switch (value->type) {
    case JR_I8: return value->as.i8;
    case JR_I16: return value->as.i16;
    case JR_I32: return value->as.i32;
    default: return value->as.i64;
    }
}

static unsigned long long unsigned_of(const jr_value *value) {
    switch (value->type) {
    case JR_U8: return value->as.u8;
    case JR_U16: return value->as.u16;
    case JR_U32: return value->as.u32;
    default: return value->as.u64;
    }
}

PyObject *pj_number_of(const jr_value *value) {
    double number;
    switch (jr_type_class_of(value->type)) {
    case JR_CLASS_SIGNED: return PyLong_FromLongLong(signed_of(value));
    case JR_CLASS_UNSIGNED: return PyLong_FromUnsignedLongLong(unsigned_of(value));
    case JR_CLASS_BOOLEAN: return PyBool_FromLong(value->as.boolean);
    case JR_CLASS_FLOAT: break;
    default: return PyBytes_FromStringAndSize((const char *)value->as.bytes, JR_STRUCT_BYTES_MAX);
    }
    return jr_value_number(value, &number) ? NULL : PyFloat_FromDouble(number);
}

PyObject *pj_numbers_of(int count, const jr_value *values) {
    PyObject *tuple = PyTuple_New(count);
    for (int i = 0; tuple && i < count; i++) {
        PyObject *number = pj_number_of(&values[i]);
        if (!number || PyTuple_SetItem(tuple, i, number)) Py_CLEAR(tuple);
    }
    return tuple;
}

static bool outside(jr_type type, PyObject *number) {
    (void)pj_raise_shown(PyExc_OverflowError, number, "%U does not fit into %s", pj_type_word(type));
    return false;
}

static bool signed_value(jr_type type, PyObject *number, jr_value *value) {
    long long whole = PyLong_AsLongLong(number);
    if (whole == -1 && PyErr_Occurred()) return outside(type, number);
    *value = (jr_value){.type = type, .as.i64 = whole}; /* little-endian: the low bytes are the narrower types */
    return signed_of(value) == whole || outside(type, number);
}

static bool unsigned_value(jr_type type, PyObject *number, jr_value *value) {
    unsigned long long whole = PyLong_AsUnsignedLongLong(number);
    if (whole == (unsigned long long)-1 && PyErr_Occurred()) return outside(type, number);
    *value = (jr_value){.type = type, .as.u64 = whole};
    return unsigned_of(value) == whole || outside(type, number);
}

/* In the place of an exception of Python's, which does not say what the number was: an integer beyond all floats does
 * not fit. */
static bool no_number(PyObject *number, const char *words, jr_type type) {
    if (PyErr_Occurred() && PyErr_ExceptionMatches(PyExc_OverflowError)) return outside(type, number);
    (void)pj_raise_shown(PyExc_TypeError, number, words, pj_type_word(type));
    return false;
}

bool pj_value_of(jr_type type, PyObject *number, jr_value *value) {
    jr_type_class class = jr_type_class_of(type);
    if (class == JR_CLASS_SIGNED || class == JR_CLASS_UNSIGNED) {
        PyObject *whole = PyNumber_Index(number);
        if (!whole) return no_number(number, "%U is not an integer, which %s requires", type);
        bool done = (class == JR_CLASS_SIGNED ? signed_value : unsigned_value)(type, whole, value);
        Py_DECREF(whole);
        return done;
    }
    bool text = PyUnicode_Check(number) || PyBytes_Check(number) || PyByteArray_Check(number);
    PyObject *rounded = text ? NULL : PyNumber_Float(number);
    double approximate = rounded ? PyFloat_AsDouble(rounded) : 0;
    Py_XDECREF(rounded);
    if (!rounded) return no_number(number, "%U is not a number that can become %s", type);
    if (jr_value_of_number(type, approximate, value) == JR_OK) return true;
    PyErr_Format(PyExc_TypeError, "a number cannot become %s", pj_type_word(type));
    return false;
}

bool pj_type_find(PyObject *name, jr_type *type) {
    PyObject *bytes = PyUnicode_AsUTF8String(name);
    if (!bytes) return false;
    bool found = jr_type_find(PyBytes_AsString(bytes), type) == JR_OK;
    if (!found) PyErr_Format(PyExc_TypeError, "%s", jr_last_error()->message);
    Py_DECREF(bytes);
    return found;
}

PyObject *pj_type_found(PyObject *module, PyObject *name) {
    (void)module;
    jr_type type;
    const char *text = PyUnicode_Check(name) ? PyUnicode_AsUTF8AndSize(name, NULL) : NULL;
    PyErr_Clear();
    return text && jr_type_find(text, &type) == JR_OK ? PyUnicode_FromString(jr_type_name(type)) : Py_NewRef(Py_None);
}
