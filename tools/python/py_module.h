/* What all files of the extension module share: Python's limited API, the library's headers, the module's state; and
 * what files add to the module that nothing else calls. */
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

/* A class that the extension defines; every class has the first two flags. */
#define PJ_TYPE(class, object, its_slots, more)                                                                        \
    {                                                                                                                  \
        .name = "jitreduce._jitreduce." class, .basicsize = (int)sizeof(object),                                       \
        .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE | (more), .slots = (its_slots)                          \
    }

/* A class of arrays. */
typedef struct pj_class {
    PyTypeObject *type;
    const struct dl_exchange *table; /* its functions; NULL: it has none */
    bool cupys;                      /* without a table, and CuPy's own */
    bool torchs;                     /* PyTorch's tensors, none of which is read-only */
} pj_class;

/* A dtype of NumPy's, and what it is to the library. */
typedef struct pj_dtype {
    PyObject *dtype;
    jr_type type;
} pj_dtype;

/* CuPy's C function for the stream on which the thread works now, which its Cython modules share: a call of Python's
 * for it takes as long as all else that an array is asked for. */
typedef intptr_t (*pj_cupy_current)(void);

enum { PJ_CLASSES = 16, PJ_DTYPES = 16 };

/* Names that are compared by their address, and those of members of a DeviceArray. */
typedef struct pj_names {
    PyObject *where, *out, *stream, *dtype, *context, *value;
    PyObject *array, *memory, *context_of; /* of a DeviceArray */
    PyObject *shape, *size, *strides, *c_contiguous, *data, *ptr, *device_id, *str, *cupy, *cuda, *get_current_stream,
        *mem, *cupy_stream, *cython, *current_stream; /* of CuPy */
} pj_names;

typedef struct pj_recording pj_recording; /* call_record.c */

/* The state of a module; the types' own functions find it by PyType_GetModuleState, since no type has subclasses. */
typedef struct pj_state {
    PyObject *errors; /* dict: number of a status -> class of exceptions */
    PyTypeObject *context, *array, *spec, *memory, *kernel, *plan, *quick, *quick_method, *stream, *graph, *state;
    pj_class classes[PJ_CLASSES]; /* those seen last */
    unsigned class_next;
    unsigned generation;           /* of the default context: plans made before are not those of calls any more */
    PyObject *method;              /* types.MethodType */
    PyTypeObject *own, *reduction; /* jitreduce.DeviceArray and Reduction; NULL: not known yet */
    pj_names names;
    pj_dtype dtypes[PJ_DTYPES]; /* those of CuPy's arrays seen last */
    unsigned dtype_next;
    const PyTypeObject *cupy_class; /* of CuPy's arrays, for which cupy_current was looked for */
    pj_cupy_current cupy_current;   /* NULL: CuPy shares no such function */
    PyTypeObject *cupy_made;        /* CuPy's class of which an array was made last */
    PyObject *cupy_init;            /* its base's _init; NULL: the class itself makes arrays */
    pj_recording *recordings;       /* calls that are recorded now */
} pj_state;

/* ---- py_doctor.c ---- */

/* doctor(nvrtc) -> list of (component, origin, path, chosen, detail). nvrtc: a path or None. */
PyObject *pj_doctor(PyObject *module, PyObject *const *args, Py_ssize_t count);

/* variables() -> list of (name, text, value or None). */
PyObject *pj_variables(PyObject *module, PyObject *unused);

/* Installs the log once, when the module is imported: lines of the level that JITREDUCE_LOG names, and above. Warns of
 * another value; -1: with a Python error set, where warnings are errors. */
int pj_log_begin(void);

/* ---- py_state.c ---- */

extern PyType_Spec pj_state_spec;

/* state_look(bytes) -> (names of the operators, names of the inputs' types, whether it is of exact sums, and skips
 * NaN). */
PyObject *pj_state_look(PyObject *module, PyObject *bytes);

/* ---- py_kernel.c ---- */

extern PyType_Spec pj_kernel_spec;

/* ---- py_scan.c ---- */

/* scan(context, spec, arrays, shape, results, lead, exclusive): scans the middle one of the three axes of C-ordered
 * arrays. The Array `results` is C-ordered, too; with a number for lead, which comes first of each scan, it has one
 * place more along that axis; None: it has not. exclusive: of all elements before each, not up to it. */
PyObject *pj_scan(PyObject *module, PyObject *const *args, Py_ssize_t count);

/* scan_pieces(context, spec, arrays, by, keyed, results, exclusive): scans each piece of C-ordered arrays of one
 * dimension. by: an Array of keys, one per element, or of offsets (u64). */
PyObject *pj_scan_pieces(PyObject *module, PyObject *const *args, Py_ssize_t count);

/* ---- py_many.c ---- */

/* many_table(arrays, see, writes) -> (table, Arrays that see gave, types, device's kind, its number, stream): what
 * plans and many() are given of a tuple of arrays. see(array, index): the Array of one that is not seen without
 * Python's layer. writes: none may be read-only. */
PyObject *pj_many_table(PyObject *module, PyObject *const *args, Py_ssize_t count);

/* many(context, spec, table, out): arrays of host memory. out: None, or an Array with room for the results of each and
 * of all. */
PyObject *pj_many(PyObject *module, PyObject *const *args, Py_ssize_t count);

/* The layout of such a table, which it points into. false with an exception. */
bool pj_many_layout(PyObject *bytes, jr_segment_layout *layout);

/* ---- py_segments.c ---- */

/* reduce(context, spec, arrays) -> tuple of numbers, one for each operator. */
PyObject *pj_reduce(PyObject *module, PyObject *const *args, Py_ssize_t count);

/* reduce_axes(context, spec, arrays, shape, axes, results): axes of the C-ordered arrays of that shape are reduced
 * away; each operator's results go into one of the Arrays `results`, in C order of the axes that are left. */
PyObject *pj_reduce_axes(PyObject *module, PyObject *const *args, Py_ssize_t count);

/* reduce_pieces(context, spec, arrays, offsets, results): offsets is an Array of u64, one more than there are pieces.
 */
PyObject *pj_reduce_pieces(PyObject *module, PyObject *const *args, Py_ssize_t count);

/* reduce_runs(context, spec, arrays, keys, run_keys, results) -> how many runs of equal keys there are. run_keys and
 * results have room for as many as there are elements. */
PyObject *pj_reduce_runs(PyObject *module, PyObject *const *args, Py_ssize_t count);

/* ---- py_stream.c ---- */

extern PyType_Spec pj_stream_spec, pj_graph_spec;

#endif
