/* Replays a recorded call. */
#ifndef PYTHON_CALL_REPLAY_H
#define PYTHON_CALL_REPLAY_H

#include "call_record.h"

/* outcome: the record's, or PJ_VALUE of a record of new results of all elements. Does what the record says with the
 * arrays of a key that is equal to the record's. The result; NULL without an exception: the call is Python's layer's.
 */
PyObject *pj_replay(pj_state *state, pj_record *record, pj_key *key, pj_outcome outcome);

#endif
