/* Reductions of arrays in host memory: of all elements, of axes, of pieces, of runs of equal keys. */
#ifndef PYTHON_SEGMENTS_H
#define PYTHON_SEGMENTS_H

#include "py_module.h"

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

#endif
