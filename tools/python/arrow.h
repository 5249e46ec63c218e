/* Arrow's C data interface (https://arrow.apache.org/docs/format/CDataInterface.html): its structs, and arrays of one
 * type of numbers or booleans as the library sees them. */
#ifndef PYTHON_ARROW_H
#define PYTHON_ARROW_H

#include "py_module.h"

typedef struct arrow_schema {
    const char *format, *name, *metadata;
    int64_t flags, child_count;
    struct arrow_schema **children, *dictionary;
    void (*release)(struct arrow_schema *);
    void *private_data;
} arrow_schema;

typedef struct arrow_array {
    int64_t length, null_count, offset, buffer_count, child_count;
    const void **buffers;
    struct arrow_array **children, *dictionary;
    void (*release)(struct arrow_array *);
    void *private_data;
} arrow_array;

typedef struct arrow_stream {
    int (*get_schema)(struct arrow_stream *, arrow_schema *);
    int (*get_next)(struct arrow_stream *, arrow_array *);
    const char *(*get_last_error)(struct arrow_stream *);
    void (*release)(struct arrow_stream *);
    void *private_data;
} arrow_stream;

/* arrow_array(schema, array) -> (Array, Array of booleans that are false at nulls, or None without nulls). Both
 * arguments are capsules; the first Array sees the memory of the second capsule, but booleans, which are bits there,
 * are copied. */
PyObject *pj_arrow_array(PyObject *module, PyObject *args);

/* arrow_chunks(capsule of a stream) -> (capsule of the schema, list of capsules of arrays). */
PyObject *pj_arrow_chunks(PyObject *module, PyObject *capsule);

#endif
