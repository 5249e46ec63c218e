/* Device memory as an object of Python. */
#ifndef PYTHON_MEMORY_H
#define PYTHON_MEMORY_H

#include "py_context.h"

extern PyType_Spec pj_memory_spec;

/* Makes device memory that is used in the order of a stream; NULL with an exception. context: a Context. */
PyObject *pj_memory_new(const pj_state *state, PyObject *context, uint64_t bytes, jr_stream stream);

/* Where such memory is. */
void *pj_memory_address(PyObject *memory);

/* Frees what a context keeps for results to come. */
void pj_memory_drop(pj_context *context);

#endif
