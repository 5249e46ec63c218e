/* Replays a recorded call. */
#ifndef PYTHON_CALL_REPLAY_H
#define PYTHON_CALL_REPLAY_H

#include "call_record.h"

/* Does what the record says with the arrays of a key that is equal to the record's. The result; NULL without an
 * exception: the call is Python's layer's. */
PyObject *pj_replay(pj_record *record, pj_key *key);

#endif
