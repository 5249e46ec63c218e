/* What all files of the extension module share: Python's limited API, the library's headers, the module's state. */
#ifndef PYTHON_MODULE_H
#define PYTHON_MODULE_H

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030B0000
#include <Python.h>
#include <stdbool.h>

#include <jitreduce.h>

/* Python's tables of slots hold functions in pointers to data. */
#pragma GCC diagnostic ignored "-Wpedantic"

/* A call that gets its arguments in a vector, as PyMethodDef wants it. */
#define PJ_FAST(function) ((PyCFunction)(void (*)(void))(function))

/* A class of arrays. */
typedef struct pj_class {
    PyTypeObject *type;
    const struct dl_exchange *table; /* its functions; NULL: it has none */
    bool cupys;                      /* without a table, and CuPy's own */
} pj_class;

/* A dtype of NumPy's, and what it is to the library. */
typedef struct pj_dtype {
    PyObject *dtype;
    jr_type type;
} pj_dtype;

enum { PJ_CLASSES = 16, PJ_DTYPES = 16 };

/* Names that are compared by their address, and those of members of a DeviceArray. */
typedef struct pj_names {
    PyObject *where, *out, *stream, *dtype, *context, *value;
    PyObject *array, *memory, *context_of;                                                       /* of a DeviceArray */
    PyObject *shape, *strides, *data, *ptr, *device_id, *str, *cupy, *cuda, *get_current_stream; /* of CuPy */
} pj_names;

typedef struct pj_recording pj_recording; /* call_record.c */

/* The state of a module; the types' own functions find it by PyType_GetModuleState, since no type has subclasses. */
typedef struct pj_state {
    PyObject *errors; /* dict: number of a status -> class of exceptions */
    PyTypeObject *context, *array, *spec, *memory, *kernel, *plan, *quick, *quick_method, *stream, *graph, *exact;
    pj_class classes[PJ_CLASSES]; /* those seen last */
    unsigned class_next;
    unsigned generation;           /* of the default context: plans made before are not those of calls any more */
    PyObject *method;              /* types.MethodType */
    PyTypeObject *own, *reduction; /* jitreduce.DeviceArray and Reduction; NULL: not known yet */
    pj_names names;
    pj_dtype dtypes[PJ_DTYPES]; /* those of CuPy's arrays seen last */
    unsigned dtype_next;
    pj_recording *recordings; /* calls that are recorded now */
} pj_state;

#endif
