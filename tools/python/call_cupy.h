/* CuPy's arrays, whose class has no exchange table, as replayed calls see and make them: by their members. */
#ifndef PYTHON_CALL_CUPY_H
#define PYTHON_CALL_CUPY_H

#include "call_seen.h"

/* Sees an array: address, type, device, shape and strides. false: perhaps with an exception. */
bool pj_cupy_see(pj_state *state, pj_seen *seen);

/* Finds the stream on which CuPy works now. false: perhaps with an exception. */
bool pj_cupy_stream(const pj_state *state, jr_stream *stream);

/* Makes arrays of a class for all parts of results, in CuPy's memory, and finds where the first result is. false:
 * perhaps with an exception; then none are made. */
bool pj_cupy_make(pj_state *state, const pj_seen *like, const pj_form *form, PyObject *made[PJ_PARTS_MAX],
                  void **address);

#endif
