/* Scans of arrays in host memory. */
#ifndef PYTHON_SCAN_H
#define PYTHON_SCAN_H

#include "py_module.h"

/* scan(context, spec, arrays, shape, results, lead, exclusive): scans the middle one of the three axes of C-ordered
 * arrays. The Array `results` is C-ordered, too; with a number for lead, which comes first of each scan, it has one
 * place more along that axis; None: it has not. exclusive: of all elements before each, not up to it. */
PyObject *pj_scan(PyObject *module, PyObject *const *args, Py_ssize_t count);

#endif
