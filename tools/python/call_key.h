/* The key of a call: all that decides what it does, but for addresses and the stream. */
#ifndef PYTHON_CALL_KEY_H
#define PYTHON_CALL_KEY_H

#include "call_seen.h"
#include "named.h"

enum { PJ_KEY_WORDS = 192, PJ_KEY_OBJECTS = 32, PJ_KEY_ARRAYS = JR_INPUTS_MAX + 2 };

typedef struct pj_key {
    uint64_t hash;
    int word_count, object_count, array_count;
    int inputs;      /* arrays by their place; arrays[0] and those after it */
    int where, out;  /* their places in arrays; -1: not given */
    bool has_stream; /* stream= is given */
    jr_stream asked;
    PyObject *objects[PJ_KEY_OBJECTS]; /* whose addresses are in words; borrowed */
    pj_seen arrays[PJ_KEY_ARRAYS];
    uint64_t words[PJ_KEY_WORDS];
} pj_key;

/* The arguments of a call, as PEP 590 has them. */
typedef struct pj_arguments {
    PyObject *const *values;
    Py_ssize_t count; /* without names */
    Py_ssize_t first; /* 1: before the arrays comes the object whose method is called */
    PyObject *names;  /* tuple, or NULL */
} pj_arguments;

/* Makes what a key has of a call with one array and nothing else; it has no words. false: perhaps with an exception. */
bool pj_key_of_one(pj_state *state, PyObject *array, pj_key *key);

/* Makes the key of a call. false without an exception: calls with such arguments are not replayed. */
bool pj_key_make(pj_state *state, const pj_arguments *given, pj_key *key);

#endif
