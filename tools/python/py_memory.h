/* Device memory as an object of Python. */
#ifndef PYTHON_MEMORY_H
#define PYTHON_MEMORY_H

#include "py_context.h"

extern PyType_Spec pj_memory_spec;

/* Frees what a context keeps for results to come. */
void pj_memory_drop(pj_context *context);

#endif
