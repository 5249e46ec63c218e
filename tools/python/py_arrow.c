/* Columns of Arrow in host memory: numbers where they lie, booleans and nulls from bits to bytes. */
#include "arrow.h"

#include <stdlib.h>
#include <string.h>

#include "array.h"

/* ---- capsules ---- */

static const char *const schema_name = "arrow_schema", *const array_name = "arrow_array";

static void free_schema(PyObject *capsule) {
    arrow_schema *schema = PyCapsule_GetPointer(capsule, schema_name);
    if (schema && schema->release) schema->release(schema);
    free(schema);
}

static void free_chunk(PyObject *capsule) {
    arrow_array *array = PyCapsule_GetPointer(capsule, array_name);
    if (array && array->release) array->release(array);
    free(array);
}

/* A capsule with a struct of its own, of zeros; `made` is where that is. */
static PyObject *make_capsule(size_t bytes, const char *name, PyCapsule_Destructor destructor, void **made) {
    *made = calloc(1, bytes);
    PyObject *capsule = *made ? PyCapsule_New(*made, name, destructor) : PyErr_NoMemory();
    if (!capsule) free(*made);
    return capsule;
}

static PyObject *refuse_stream(arrow_stream *stream) {
    const char *why = stream->get_last_error ? stream->get_last_error(stream) : NULL;
    return PyErr_Format(PyExc_BufferError, "its Arrow stream failed: %s", why ? why : "no reason is given");
}

/* Appends the next chunk of a stream; 0: it was the last, -1: an exception is set. */
static int take_chunk(arrow_stream *stream, PyObject *chunks) {
    void *chunk;
    PyObject *capsule = make_capsule(sizeof(arrow_array), array_name, free_chunk, &chunk);
    if (!capsule) return -1;
    int more = stream->get_next(stream, chunk) != 0 ? -1 : ((arrow_array *)chunk)->release != NULL;
    if (more < 0) refuse_stream(stream);
    if (more > 0 && PyList_Append(chunks, capsule)) more = -1;
    Py_DECREF(capsule);
    return more;
}

PyObject *pj_arrow_chunks(PyObject *module, PyObject *capsule) {
    void *schema;
    (void)module;
    arrow_stream *stream = PyCapsule_GetPointer(capsule, "arrow_array_stream");
    if (!stream) return NULL;
    PyObject *schema_capsule = make_capsule(sizeof(arrow_schema), schema_name, free_schema, &schema);
    PyObject *chunks = schema_capsule ? PyList_New(0) : NULL;
    int more = !chunks ? -1 : 1;
    if (chunks && stream->get_schema(stream, schema) != 0) more = refuse_stream(stream) ? 0 : -1;
    while (more > 0) more = take_chunk(stream, chunks);
    PyObject *found = more == 0 ? PyTuple_Pack(2, schema_capsule, chunks) : NULL;
    Py_XDECREF(schema_capsule);
    Py_XDECREF(chunks);
    return found;
}

/* ---- arrays ---- */

static jr_type type_of(const arrow_schema *schema) {
    static const struct {
        char letter;
        jr_type type;
    } types[] = {{'c', JR_I8},  {'C', JR_U8},  {'s', JR_I16}, {'S', JR_U16}, {'i', JR_I32}, {'I', JR_U32},
                 {'l', JR_I64}, {'L', JR_U64}, {'e', JR_F16}, {'f', JR_F32}, {'g', JR_F64}, {'b', JR_BOOL}};
    for (size_t i = 0; i < sizeof types / sizeof *types && !schema->dictionary; i++)
        if (schema->format[0] == types[i].letter && schema->format[1] == '\0') return types[i].type;
    return JR_TYPE_NONE;
}

static const char *kind_of(const arrow_schema *schema) {
    const char *format = schema->format;
    return schema->dictionary                                ? "categories"
           : format[0] != '\0' && strchr("uUzZv", format[0]) ? "texts"
           : format[0] == 't'                                ? "dates or times"
           : format[0] == 'd'                                ? "decimals"
           : format[0] == 'n'                                ? "nulls alone"
           : strncmp(format, "+s", 2) == 0                   ? "rows of several columns"
           : format[0] == '+'                                ? "lists"
                                                             : "another type";
}

static pj_array *line_of(PyTypeObject *class, jr_type type, int64_t count) {
    pj_array *made = pj_array_new(class);
    if (!made) return NULL;
    made->type = type;
    made->dimensions = 1;
    made->shape[0] = (Py_ssize_t)count;
    made->strides[0] = (Py_ssize_t)jr_type_size(type);
    return made;
}

/* Booleans of bits, from one on. */
static pj_array *bytes_of(PyTypeObject *class, const unsigned char *bits, int64_t first, int64_t count) {
    pj_array *made = line_of(class, JR_BOOL, count);
    unsigned char *bytes = made ? malloc((size_t)count + 1) : NULL;
    if (made && !bytes) PyErr_NoMemory();
    if (!bytes) {
        Py_XDECREF((PyObject *)made);
        return NULL;
    }
    for (int64_t i = 0; i < count; i++) bytes[i] = bits[(first + i) / 8] >> (first + i) % 8 & 1;
    made->address = made->own = bytes;
    return made;
}

static pj_array *values_of(PyTypeObject *class, const arrow_array *array, jr_type type, PyObject *owner) {
    if (type == JR_BOOL) return bytes_of(class, array->buffers[1], array->offset, array->length);
    pj_array *made = line_of(class, type, array->length);
    if (!made) return NULL;
    made->readonly = true;
    made->owner = Py_NewRef(owner);
    if (array->length > 0) made->address = (char *)array->buffers[1] + array->offset * made->strides[0];
    return made;
}

/* Which elements are no nulls; None: all. */
static PyObject *present_of(PyTypeObject *class, const arrow_array *array) {
    const unsigned char *bits = array->null_count == 0 ? NULL : array->buffers[0];
    pj_array *made = bits ? bytes_of(class, bits, array->offset, array->length) : NULL;
    if (!bits || (made && made->shape[0] > 0 && !memchr(made->address, 0, (size_t)made->shape[0]))) {
        Py_XDECREF((PyObject *)made);
        return Py_NewRef(Py_None);
    }
    return (PyObject *)made;
}

/* Can its memory be read as the interface says? false with an exception. */
static bool check(const arrow_schema *schema, const arrow_array *array) {
    const char *wrong = !schema->release || !array->release           ? "was used already, or is empty"
                        : array->length < 0 || array->offset < 0      ? "has a negative length"
                        : array->buffer_count != 2                    ? "does not have the two buffers of numbers"
                        : array->length > 0 && !array->buffers[1]     ? "has no memory for its elements"
                        : array->null_count > 0 && !array->buffers[0] ? "has nulls, and does not say where"
                                                                      : NULL;
    if (wrong) PyErr_Format(PyExc_BufferError, "its Arrow array %s", wrong);
    return !wrong;
}

PyObject *pj_arrow_array(PyObject *module, PyObject *args) {
    PyObject *schema_capsule, *array_capsule;
    if (!PyArg_ParseTuple(args, "OO:arrow_array", &schema_capsule, &array_capsule)) return NULL;
    const arrow_schema *schema = PyCapsule_GetPointer(schema_capsule, schema_name);
    const arrow_array *array = schema ? PyCapsule_GetPointer(array_capsule, array_name) : NULL;
    if (!array) return NULL;
    jr_type type = schema->format ? type_of(schema) : JR_TYPE_NONE;
    if (!schema->format) return PyErr_Format(PyExc_BufferError, "its Arrow schema was used already, or is empty");
    if (type == JR_TYPE_NONE)
        return PyErr_Format(PyExc_TypeError,
                            "elements of Arrow's type '%s' are %s and cannot be reduced: only integers, floats and "
                            "booleans can",
                            schema->format, kind_of(schema));
    if (!check(schema, array)) return NULL;
    PyTypeObject *class = ((pj_state *)PyModule_GetState(module))->array;
    PyObject *values = (PyObject *)values_of(class, array, type, array_capsule);
    PyObject *present = values ? present_of(class, array) : NULL;
    PyObject *found = present ? PyTuple_Pack(2, values, present) : NULL;
    Py_XDECREF(values);
    Py_XDECREF(present);
    return found;
}
