/* Keys of calls: the arguments as words that are equal where the call does the same. Each argument begins with a word
 * that says what it is and how many words follow, so that no two calls have the same words by chance. Numbers, texts
 * and what tuples, lists and dicts have in them are compared by what they are now; 1, 1.0 and True differ, and 0.0 and
 * -0.0. */
#include "call_key.h"

#include <string.h>

typedef enum word {
    WORD_NONE = 1,
    WORD_FALSE,
    WORD_TRUE,
    WORD_INT,
    WORD_FLOAT,
    WORD_TEXT,
    WORD_TUPLE,
    WORD_LIST,
    WORD_DICT,
    WORD_OBJECT, /* the same one */
    WORD_SCALAR, /* NumPy's, and others with the memory of one number */
    WORD_ARRAY,
    WORD_STREAM
} word;

enum { DEPTH_MAX = 3 };

static bool add(pj_key *key, uint64_t value) {
    if (key->word_count == PJ_KEY_WORDS) return false;
    key->words[key->word_count++] = value;
    return true;
}

static bool add_head(pj_key *key, word what, uint64_t count) {
    return add(key, (uint64_t)what | count << 8);
}

static bool add_bytes(pj_key *key, const void *bytes, size_t count) {
    size_t words = (count + 7) / 8;
    if (words > (size_t)(PJ_KEY_WORDS - key->word_count)) return false;
    if (words > 0) key->words[key->word_count + (int)words - 1] = 0;
    memcpy(&key->words[key->word_count], bytes, count);
    key->word_count += (int)words;
    return true;
}

/* An object by its address, which stays its own as long as the record of the call keeps it. */
static bool add_object(pj_key *key, PyObject *object) {
    if (key->object_count == PJ_KEY_OBJECTS) return false;
    key->objects[key->object_count++] = object;
    return add(key, (uintptr_t)object);
}

/* ---- values ---- */

static bool add_value(pj_key *key, PyObject *value, int depth);

static bool add_int(pj_key *key, PyObject *value) {
    int overflow = 0;
    long long number = PyLong_AsLongLongAndOverflow(value, &overflow);
    return !overflow && add_head(key, WORD_INT, 1) && add(key, (uint64_t)number);
}

static bool add_float(pj_key *key, PyObject *value) {
    double number = PyFloat_AsDouble(value);
    return add_head(key, WORD_FLOAT, 1) && add_bytes(key, &number, sizeof number);
}

static bool add_text(pj_key *key, PyObject *value) {
    Py_ssize_t bytes;
    const char *text = PyUnicode_AsUTF8AndSize(value, &bytes);
    return text && add_head(key, WORD_TEXT, (uint64_t)bytes) && add_bytes(key, text, (size_t)bytes);
}

static bool add_tuple(pj_key *key, PyObject *value, int depth) {
    const Py_ssize_t count = PyTuple_Size(value);
    bool fine = add_head(key, WORD_TUPLE, (uint64_t)count);
    for (Py_ssize_t i = 0; fine && i < count; i++) fine = add_value(key, PyTuple_GetItem(value, i), depth + 1);
    return fine;
}

static bool add_list(pj_key *key, PyObject *value, int depth) {
    const Py_ssize_t count = PyList_Size(value);
    bool fine = add_head(key, WORD_LIST, (uint64_t)count);
    for (Py_ssize_t i = 0; fine && i < count; i++) fine = add_value(key, PyList_GetItem(value, i), depth + 1);
    return fine;
}

static bool add_dict(pj_key *key, PyObject *value, int depth) {
    PyObject *name, *member;
    Py_ssize_t at = 0;
    bool fine = add_head(key, WORD_DICT, (uint64_t)PyDict_Size(value));
    while (fine && PyDict_Next(value, &at, &name, &member))
        fine = add_value(key, name, depth + 1) && add_value(key, member, depth + 1);
    return fine;
}

/* A number of NumPy's, or an array without dimensions: its class, its type and its bytes. */
static bool add_scalar(pj_key *key, PyObject *value) {
    Py_buffer buffer;
    if (!PyObject_CheckBuffer(value) || PyObject_GetBuffer(value, &buffer, PyBUF_RECORDS_RO)) return false;
    const char *format = buffer.format ? buffer.format : "B";
    bool fine = buffer.ndim == 0 && buffer.itemsize <= 16 && add_head(key, WORD_SCALAR, (uint64_t)buffer.itemsize) &&
                add_object(key, (PyObject *)Py_TYPE(value)) && add(key, strlen(format)) &&
                add_bytes(key, format, strlen(format)) && add_bytes(key, buffer.buf, (size_t)buffer.itemsize);
    PyBuffer_Release(&buffer);
    return fine;
}

static bool add_value(pj_key *key, PyObject *value, int depth) {
    PyTypeObject *type = Py_TYPE(value);
    if (value == Py_None) return add_head(key, WORD_NONE, 0);
    if (type == &PyBool_Type) return add_head(key, value == Py_True ? WORD_TRUE : WORD_FALSE, 0);
    if (type == &PyLong_Type) return add_int(key, value);
    if (type == &PyFloat_Type) return add_float(key, value);
    if (type == &PyUnicode_Type) return add_text(key, value);
    if (PyType_Check(value)) return add_head(key, WORD_OBJECT, 1) && add_object(key, value);
    if (depth < DEPTH_MAX && type == &PyTuple_Type) return add_tuple(key, value, depth);
    if (depth < DEPTH_MAX && type == &PyList_Type) return add_list(key, value, depth);
    if (depth < DEPTH_MAX && type == &PyDict_Type) return add_dict(key, value, depth);
    return add_scalar(key, value);
}

/* An object that does not change as long as it is the same: a dtype of some library, a context, a Reduction. */
static bool add_same(pj_key *key, PyObject *value) {
    const int words = key->word_count, objects = key->object_count;
    if (add_value(key, value, 0)) return true;
    if (PyErr_Occurred()) return false;
    key->word_count = words;
    key->object_count = objects;
    return add_head(key, WORD_OBJECT, 1) && add_object(key, value);
}

/* ---- arrays ---- */

static bool add_array(pj_state *state, pj_key *key, PyObject *object, bool writes) {
    if (key->array_count == PJ_KEY_ARRAYS) return false;
    pj_seen *seen = &key->arrays[key->array_count];
    if (!pj_see(state, object, writes ? PJ_WRITTEN : PJ_READ, seen)) return false;
    key->array_count++;
    const size_t bytes = (size_t)seen->dimensions * sizeof *seen->shape;
    return add_head(key, WORD_ARRAY,
                    (uint64_t)seen->dimensions | (uint64_t)seen->source << 8 | (uint64_t)seen->readonly << 16) &&
           add_object(key, (PyObject *)Py_TYPE(object)) && add_bytes(key, &seen->type, sizeof seen->type) &&
           add_bytes(key, &seen->device, sizeof seen->device) && add_bytes(key, seen->shape, bytes) &&
           add_bytes(key, seen->strides, bytes);
}

/* An array, or None or a value where none is given. The place of the array, or -1. */
static bool add_array_or_value(pj_state *state, pj_key *key, PyObject *value, bool writes, int *place) {
    const dl_exchange *table;
    *place = -1;
    if (pj_source_of(state, Py_TYPE(value), &table) == PJ_NOT_SEEN)
        return !PyErr_Occurred() && add_value(key, value, 0);
    *place = key->array_count;
    return add_array(state, key, value, writes);
}

/* ---- streams ---- */

static PyObject *member_of(PyObject *object, const char *name) {
    PyObject *found = PyObject_GetAttrString(object, name);
    if (!found && PyErr_ExceptionMatches(PyExc_AttributeError)) PyErr_Clear();
    return found;
}

/* What an object says that its handle is, as stream_number of _device.py has it; NULL: perhaps with an exception. */
static PyObject *handle_of(PyObject *stream) {
    static const char *const names[] = {"cuda_stream", "ptr", "handle"};
    PyObject *found = member_of(stream, "__cuda_stream__");
    if (found && PyCallable_Check(found)) {
        PyObject *pair = PyObject_CallNoArgs(found);
        Py_DECREF(found);
        found = pair;
    }
    if (found || PyErr_Occurred()) {
        PyObject *handle = found ? PySequence_GetItem(found, 1) : NULL;
        Py_XDECREF(found);
        return handle;
    }
    for (size_t i = 0; i < sizeof names / sizeof *names && !found && !PyErr_Occurred(); i++)
        found = member_of(stream, names[i]);
    return found;
}

/* A stream is asked for again at each call; the key has only that one is given. */
static bool add_stream(pj_key *key, PyObject *stream) {
    if (stream == Py_None) return add_head(key, WORD_NONE, 0);
    PyObject *handle = Py_TYPE(stream) == &PyLong_Type ? Py_NewRef(stream) : handle_of(stream);
    bool fine = handle && Py_TYPE(handle) == &PyLong_Type;
    const unsigned long long number = fine ? PyLong_AsUnsignedLongLong(handle) : 0;
    Py_XDECREF(handle);
    if (!fine || PyErr_Occurred()) return false;
    key->has_stream = true;
    key->asked = number == 1 ? NULL : (jr_stream)(uintptr_t)number;
    return add_head(key, WORD_STREAM, 0);
}

/* ---- calls ---- */

/* The one text of those that are equal to a name. It is borrowed, and may be gone: it is for comparisons alone. */
static const PyObject *interned(PyObject *name) {
    PyObject *one = Py_NewRef(name);
    PyUnicode_InternInPlace(&one);
    Py_DECREF(one);
    return one;
}

static bool add_named(pj_state *state, pj_key *key, PyObject *given_name, PyObject *value) {
    const pj_names *names = &state->names;
    if (Py_TYPE(given_name) != &PyUnicode_Type || !add_object(key, given_name)) return false;
    const PyObject *name = interned(given_name);
    if (name == names->where) return add_array_or_value(state, key, value, false, &key->where);
    if (name == names->out) return add_array_or_value(state, key, value, true, &key->out);
    if (name == names->stream) return add_stream(key, value);
    if (name == names->dtype || name == names->context || Py_TYPE(value) == state->reduction)
        return add_same(key, value);
    return add_value(key, value, 0);
}

static bool add_all(pj_state *state, const pj_arguments *given, pj_key *key) {
    const Py_ssize_t named = given->names ? PyTuple_Size(given->names) : 0;
    const Py_ssize_t first = given->first;
    bool fine = given->count > first && (first == 0 || add_object(key, given->values[0])) &&
                add(key, (uint64_t)given->count | (uint64_t)named << 32) &&
                add_array(state, key, given->values[first], false);
    key->inputs = key->array_count;
    for (Py_ssize_t i = first + 1; fine && i < given->count; i++) {
        int place;
        fine = add_array_or_value(state, key, given->values[i], false, &place);
        if (place >= 0 && place == i - first) key->inputs = key->array_count;
    }
    for (Py_ssize_t i = 0; fine && i < named; i++)
        fine = add_named(state, key, PyTuple_GetItem(given->names, i), given->values[given->count + i]);
    return fine;
}

static void begin(pj_key *key) {
    key->word_count = key->object_count = key->array_count = key->inputs = 0;
    key->where = key->out = -1;
    key->has_stream = false;
    key->asked = NULL;
}

bool pj_key_of_one(pj_state *state, PyObject *array, pj_key *key) {
    begin(key);
    key->array_count = key->inputs = 1;
    return pj_see(state, array, PJ_FLAT, &key->arrays[0]);
}

bool pj_key_make(pj_state *state, const pj_arguments *given, pj_key *key) {
    begin(key);
    if (!add_all(state, given, key)) {
        PyErr_Clear();
        return false;
    }
    key->hash = 0;
    for (int i = 0; i < key->word_count; i++) key->hash = (key->hash ^ key->words[i]) * 0x9E3779B97F4A7C15u;
    key->hash ^= key->hash >> 29;
    return true;
}
