/* Records of calls: kept by their keys, a few for each function, and made of what Python's layer reports.
 *
 * Other threads may put records into the table while one is replayed, or report while another call is under way: each
 * call has its own pj_recording in the state's list, found by its thread and its first array. */
#include "call_record.h"

#include <stdlib.h>
#include <string.h>

struct pj_recording {
    pj_recording *next;
    unsigned long thread;
    PyObject *x;
    pj_record *made; /* of the one report; NULL: none yet, or too many */
    int reports;
};

/* ---- one record ---- */

void pj_record_leave(pj_record *record) {
    if (!record || --record->users > 0) return;
    pj_places_leave(record->places);
    pj_cupy_leave(&record->cupys);
    for (int i = 0; i < record->object_count; i++) Py_DECREF(record->objects[i]);
    Py_XDECREF((PyObject *)record->plan);
    Py_XDECREF(record->owner);
    free(record->words);
    free(record->objects);
    free(record);
}

pj_record *pj_record_of_plan(pj_plan *plan, unsigned generation) {
    pj_record *made = calloc(1, sizeof *made);
    if (!made) {
        PyErr_NoMemory();
        return NULL;
    }
    *made = (pj_record){.users = 1,
                        .generation = generation,
                        .plan = (pj_plan *)Py_NewRef((PyObject *)plan),
                        .inputs = 1,
                        .form = pj_form_of(&((pj_spec *)plan->spec)->layout, 0, NULL, NULL)};
    return made;
}

/* Copies the key; false: no memory. */
static bool take_key(pj_record *record, const pj_key *key) {
    record->words = malloc((size_t)key->word_count * sizeof *key->words);
    record->objects = malloc(((size_t)key->object_count + 1) * sizeof(void *));
    if (!record->words || !record->objects) return false;
    memcpy(record->words, key->words, (size_t)key->word_count * sizeof *key->words);
    record->word_count = key->word_count;
    for (int i = 0; i < key->object_count; i++) record->objects[i] = Py_NewRef(key->objects[i]);
    record->object_count = key->object_count;
    record->hash = key->hash;
    return true;
}

/* Is each array of the call one that the report speaks of? */
static bool has_arrays(const pj_record *record, const pj_key *key) {
    return record->inputs == key->inputs && record->masked == (key->where >= 0) &&
           (key->out >= 0) == (record->outcome == PJ_OUT) &&
           key->array_count == key->inputs + record->masked + (key->out >= 0 ? 1 : 0);
}

/* Runs of keys are replayed where one class makes all arrays, on one device. */
static bool is_of_one_class(const pj_key *key) {
    const pj_seen *first = &key->arrays[0];
    bool is = first->source == PJ_EXCHANGED || first->source == PJ_CUPYS;
    for (int i = 1; i < key->array_count; i++) {
        const pj_seen *other = &key->arrays[i];
        is = is && other->source == first->source && Py_TYPE(other->object) == Py_TYPE(first->object) &&
             other->device.type == first->device.type && other->device.id == first->device.id;
    }
    return is;
}

/* Takes how the results of runs are returned: keys, results, counts where they are asked for, of PJ_BOUND the number.
 */
static bool take_runs(pj_record *record, const pj_key *key, PyObject *result) {
    const int numbered = record->outcome == PJ_BOUND ? 1 : 0;
    const Py_ssize_t count = PyTuple_Check(result) ? PyTuple_Size(result) - numbered : 0;
    if (count < 2 || count > 3 || !is_of_one_class(key)) return false;
    PyObject *results = PyTuple_GetItem(result, 1);
    record->counted = count == 3;
    record->tupled = PyTuple_Check(results);
    return (record->tupled ? PyTuple_Size(results) : 1) + record->counted + numbered == record->form.parts - 1;
}

/* Takes how the results are returned; false: not as the report says. */
static bool take_result(pj_record *record, const pj_key *key, PyObject *result) {
    if (pj_record_is_of_runs(record)) return take_runs(record, key, result);
    if (record->outcome == PJ_OUT) return key->arrays[key->out].object == result;
    record->tupled = PyTuple_Check(result);
    return !record->tupled || PyTuple_Size(result) == ((pj_spec *)record->plan->spec)->layout.count;
}

/* ---- the table ---- */

static bool is_same(const pj_record *record, const pj_key *key, unsigned generation) {
    return record && record->hash == key->hash && record->generation == generation &&
           record->word_count == key->word_count &&
           memcmp(record->words, key->words, (size_t)key->word_count * sizeof *key->words) == 0;
}

static pj_record **set_of(const pj_records *records, uint64_t hash) {
    return records->sets ? records->sets[hash >> 32 & (PJ_SETS - 1)] : NULL;
}

/* Puts a record at the beginning of its set. at: the place that it takes away. */
static void move_first(pj_record **set, int at, pj_record *record) {
    for (int i = at; i > 0; i--) set[i] = set[i - 1];
    set[0] = record;
}

pj_record *pj_records_find(const pj_records *records, const pj_key *key, unsigned generation) {
    pj_record **set = set_of(records, key->hash);
    for (int i = 0; set && i < PJ_WAYS; i++) {
        pj_record *found = set[i];
        if (!is_same(found, key, generation)) continue;
        if (i > 0) move_first(set, i, found);
        found->users++;
        return found;
    }
    return NULL;
}

/* Takes a record over; without memory it is not kept. */
static void keep(pj_records *records, pj_record *record) {
    if (!records->sets) records->sets = calloc(PJ_SETS, sizeof *records->sets);
    pj_record **set = set_of(records, record->hash), *old = set ? set[PJ_WAYS - 1] : record;
    if (set) move_first(set, PJ_WAYS - 1, record);
    pj_record_leave(old);
}

void pj_records_clear(pj_records *records) {
    pj_record *(*sets)[PJ_WAYS] = records->sets;
    records->sets = NULL;
    for (int i = 0; sets && i < PJ_SETS * PJ_WAYS; i++) pj_record_leave(sets[i / PJ_WAYS][i % PJ_WAYS]);
    free(sets);
}

/* ---- calls that are recorded ---- */

static pj_recording *begin(pj_state *state, PyObject *x) {
    pj_recording *made = calloc(1, sizeof *made);
    if (!made) return NULL;
    *made = (pj_recording){.next = state->recordings, .thread = PyThread_get_thread_ident(), .x = x};
    state->recordings = made;
    return made;
}

static void end(pj_state *state, pj_recording *ended) {
    pj_recording **place = &state->recordings;
    while (*place != ended) place = &(*place)->next;
    *place = ended->next;
    pj_record_leave(ended->made);
    free(ended);
}

static void finish(pj_records *records, pj_recording *recording, const pj_key *key, PyObject *result) {
    pj_record *record = recording->made;
    if (!record) return;
    if (!has_arrays(record, key) || !take_result(record, key, result) || !take_key(record, key)) return;
    recording->made = NULL;
    keep(records, record);
}

PyObject *pj_records_call(pj_state *state, pj_records *records, PyObject *function, const pj_arguments *given,
                          const pj_key *key) {
    pj_recording *recording = begin(state, key->arrays[0].object);
    if (!recording) return PyErr_NoMemory();
    PyObject *result = pj_vector_call(function, given->values, given->count, given->names);
    if (result) finish(records, recording, key, result);
    end(state, recording);
    return result;
}

/* ---- reports ---- */

static pj_recording *recording_of(const pj_state *state, PyObject *x) {
    pj_recording *found = state->recordings;
    const unsigned long thread = found ? PyThread_get_thread_ident() : 0;
    while (found && (found->thread != thread || found->x != x)) found = found->next;
    return found;
}

/* The form of results whose axes lie in memory in an order; false: it has none. */
static bool take_form(pj_record *record, PyObject *shape, PyObject *order) {
    int64_t sizes[PJ_FORM_DIMENSIONS];
    int axes[PJ_FORM_DIMENSIONS];
    const Py_ssize_t dimensions = PyTuple_Size(shape);
    if (dimensions > PJ_FORM_DIMENSIONS || PyTuple_Size(order) != dimensions) return false;
    for (Py_ssize_t i = 0; i < dimensions; i++) {
        sizes[i] = PyLong_AsLongLong(PyTuple_GetItem(shape, i));
        axes[i] = (int)PyLong_AsLong(PyTuple_GetItem(order, i));
        if (sizes[i] < 1 || axes[i] < 0 || axes[i] >= dimensions) return false;
    }
    const jr_result_layout *layout = &((pj_spec *)record->plan->spec)->layout;
    record->form = pj_record_is_of_runs(record)
                       ? pj_form_of_runs(layout, record->plan->layout.key_type, sizes[0], record->outcome == PJ_BOUND)
                       : pj_form_of(layout, (int)dimensions, sizes, axes);
    return true;
}

/* Where the arrays are read; false: not there. */
static bool take_moved(pj_record *record, PyObject *moved) {
    const Py_ssize_t count = moved ? PyTuple_Size(moved) : 0;
    if (count > JR_INPUTS_MAX) return false;
    for (Py_ssize_t i = 0; i < count; i++) record->moved[i] = PyLong_AsLongLong(PyTuple_GetItem(moved, i));
    return !PyErr_Occurred();
}

static pj_outcome outcome_of(const char *name) {
    static const char *const names[] = {
        [PJ_NEW] = "new", [PJ_OUT] = "out", [PJ_VALUE] = "value", [PJ_RUNS] = "runs", [PJ_BOUND] = "bound"};
    int found = 0;
    while (found < PJ_BOUND && strcmp(names[found], name) != 0) found++;
    return (pj_outcome)found;
}

PyObject *pj_report(PyObject *module, PyObject *args) {
    const pj_state *state = PyModule_GetState(module);
    PyObject *plan, *owner, *x, *shape, *order, *moved = NULL;
    unsigned long long count = 0;
    int inputs, masked;
    const char *outcome;
    if (!PyArg_ParseTuple(args, "O!OOipsO!O!|O!K:report", state->plan, &plan, &owner, &x, &inputs, &masked, &outcome,
                          &PyTuple_Type, &shape, &PyTuple_Type, &order, &PyTuple_Type, &moved, &count))
        return NULL;
    pj_recording *recording = recording_of(state, x);
    if (!recording) return Py_NewRef(Py_None);
    pj_record_leave(recording->made);
    recording->made = NULL;
    if (recording->reports++ > 0) return Py_NewRef(Py_None);
    pj_record *made = pj_record_of_plan((pj_plan *)plan, state->generation);
    if (!made) return NULL;
    made->owner = Py_NewRef(owner);
    made->outcome = outcome_of(outcome);
    made->inputs = inputs;
    made->masked = masked != 0;
    made->count = count;
    if (take_form(made, shape, order) && take_moved(made, moved)) {
        recording->made = made;
    } else {
        PyErr_Clear();
        pj_record_leave(made);
    }
    return Py_NewRef(Py_None);
}
