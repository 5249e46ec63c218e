/* The context of a device as an object of Python. */
#ifndef PYTHON_CONTEXT_H
#define PYTHON_CONTEXT_H

#include "py_module.h"

/* Device memory that was let go of, and the stream in whose order it may be used again. */
typedef struct pj_block {
    struct pj_block *next;
    void *address;
    uint64_t bytes;
    jr_stream stream;
} pj_block;

typedef struct pj_context {
    PyObject_HEAD jr_context *context; /* open as long as the object lives */
    pj_block *blocks;                  /* kept for results to come */
    uint64_t block_bytes;              /* of all of them */
} pj_context;

extern PyType_Spec pj_context_spec;

/* Makes a dict of statistics. */
PyObject *pj_context_stats(const jr_stats *stats);

#endif
