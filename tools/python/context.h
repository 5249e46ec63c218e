/* The context of a device as an object of Python. */
#ifndef PYTHON_CONTEXT_H
#define PYTHON_CONTEXT_H

#include "module.h"

typedef struct pj_context {
    PyObject_HEAD jr_context *context; /* open as long as the object lives */
} pj_context;

extern PyType_Spec pj_context_spec;

/* Makes a dict of statistics. */
PyObject *pj_context_stats(const jr_stats *stats);

#endif
